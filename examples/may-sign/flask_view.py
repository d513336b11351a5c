# The view that the signing service asks, for Flask 2 or newer: app.register_blueprint(blueprint). With Flask-WTF, also
# csrf.exempt(blueprint): the service has no CSRF token, and the view changes nothing. Keep rate limits away from it, too:
# each question comes from 127.0.0.1.
import re
from flask import Blueprint, jsonify, request, session
from shop import order_by_id  # yours: returns an object with user_id, total and is_paid, or None

ACCOUNT_NUMBER = "102551"  # yours
blueprint = Blueprint("may_sign", __name__)


@blueprint.post("/may-sign")
def may_sign():
    def refuse(status, code):
        return jsonify(allowed=False, code=code), status
    asked = request.get_json()
    if asked["caller"] != "anonymous":
        return jsonify(allowed=True)  # has an API key: the policy decides
    is_id = re.fullmatch("[1-9][0-9]{0,8}", asked.get("orderId", ""))  # yours: the ids that the database accepts
    order = order_by_id(is_id[0]) if is_id else None  # for strangers, too: the alert sees an outage
    user_id = session.get("user_id")  # yours: None before the log-in
    if user_id is None:
        return refuse(401, "LOG_IN")
    if (order is None or order.user_id is None or str(order.user_id) != str(user_id)
            or asked.get("operationType", "purchase") != "purchase"
            or asked["merchantAccountNumber"] != ACCOUNT_NUMBER or asked.get("amount") != f"{order.total:.2f}"):
        return refuse(403, "NOT_YOUR_ORDER")
    return refuse(409, "ALREADY_PAID") if order.is_paid else jsonify(allowed=True)
