"""A shop on Flask with the view of examples/may-sign: python3 flask_shop.py FOLDER_OF_THE_VIEW PORT"""
import sys

sys.dont_write_bytecode = True
import orders  # noqa: E402, F401
from flask import Flask, abort, redirect, request, session  # noqa: E402
from flask_view import blueprint  # noqa: E402
from werkzeug.middleware.proxy_fix import ProxyFix  # noqa: E402

app = Flask(__name__)
app.secret_key = "of a test"
app.wsgi_app = ProxyFix(app.wsgi_app, x_for=0, x_proto=1)
app.register_blueprint(blueprint)


@app.before_request
def check_origin():
    if request.host != "shop.example":
        abort(400)
    if not request.is_secure:
        return redirect(request.url.replace("http:", "https:"))


@app.get("/log-in")
def log_in():
    session["user_id"] = int(request.args["user"])
    return ""


app.run("127.0.0.1", int(sys.argv[2]), threaded=True)
