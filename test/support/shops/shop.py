"""A shop on Django with the view of examples/may-sign: python3 shop.py FOLDER_OF_THE_VIEW PORT"""
import socketserver
import sys
import types
from wsgiref.simple_server import WSGIServer, make_server

import django
from django.conf import settings
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.urls import path

settings.configure(
    ALLOWED_HOSTS=["shop.example"], ROOT_URLCONF=__name__, SECRET_KEY="of a test", SECURE_SSL_REDIRECT=True,
    SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https"), DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "shop.sqlite3"}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions"],
    MIDDLEWARE=["django.middleware.security.SecurityMiddleware", "django.contrib.sessions.middleware.SessionMiddleware",
                "django.middleware.common.CommonMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
                "django.contrib.auth.middleware.AuthenticationMiddleware"])
django.setup()

from django.contrib.auth import login, models as auth  # noqa: E402
from django.db import connection, models  # noqa: E402


class Order(models.Model):
    user = models.ForeignKey(auth.User, null=True, on_delete=models.CASCADE)
    total = models.DecimalField(max_digits=9, decimal_places=2)
    is_paid = models.BooleanField()

    class Meta:
        app_label = "shop"

    @classmethod
    def from_db(cls, db, names, values):
        if values[0] == 666:
            raise OSError("the database is away")
        return super().from_db(db, names, values)


sys.modules["shop"], sys.modules["shop.models"] = types.ModuleType("shop"), types.ModuleType("shop.models")
sys.modules["shop.models"].Order = Order
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True  # in the folder of the view
from django_view import may_sign  # noqa: E402


def log_in(request):
    login(request, auth.User.objects.get(pk=request.GET.get("user", 7)))
    return HttpResponse()


urlpatterns = [path("may-sign", may_sign), path("log-in", log_in)]
call_command("migrate", verbosity=0)
with connection.schema_editor() as editor:
    editor.create_model(Order)
for number in [7, 8]:
    auth.User.objects.create(pk=number, username=number)
for number, user, is_paid in [(666, 7, False), (1001, 7, False), (1002, 8, False), (1003, 7, True), (1004, None, False)]:
    Order.objects.create(pk=number, user_id=user, total=100, is_paid=is_paid)


class Server(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True
    request_queue_size = 256


make_server("127.0.0.1", int(sys.argv[2]), get_wsgi_application(), Server).serve_forever()
