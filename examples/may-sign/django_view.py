# The view that the signing service asks: path("may-sign", may_sign) in urls.py, for Django 3.2 or newer.
import json
import re
from django.http import JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from shop.models import Order  # yours: user, total, is_paid

ACCOUNT_NUMBER = "102551"  # yours


@csrf_exempt  # the service has no CSRF token, and the view changes nothing; no rate limit: it asks from 127.0.0.1
@require_POST
def may_sign(request):
    def refuse(status, code):
        return JsonResponse({"allowed": False, "code": code}, status=status)
    asked = json.loads(request.body)
    if asked["caller"] != "anonymous":
        return JsonResponse({"allowed": True})  # has an API key: the policy decides
    is_id = re.fullmatch("[1-9][0-9]{0,8}", asked.get("orderId", ""))  # yours: the ids that the database accepts
    order = Order.objects.filter(pk=is_id[0]).first() if is_id else None  # for strangers, too: the alert sees an outage
    if not request.user.is_authenticated:
        return refuse(401, "LOG_IN")
    if (order is None or order.user_id != request.user.pk or asked.get("operationType", "purchase") != "purchase"
            or asked["merchantAccountNumber"] != ACCOUNT_NUMBER or asked.get("amount") != f"{order.total:.2f}"):
        return refuse(403, "NOT_YOUR_ORDER")
    return refuse(409, "ALREADY_PAID") if order.is_paid else JsonResponse({"allowed": True})
