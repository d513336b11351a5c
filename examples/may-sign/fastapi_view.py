# The route that the signing service asks, for FastAPI with Starlette's SessionMiddleware: app.include_router(router).
# Keep rate limits and CSRF protection away from it: each question comes from 127.0.0.1, and the route changes nothing.
import re
from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from shop import order_by_id  # yours: returns an object with user_id, total and is_paid, or None

ACCOUNT_NUMBER = "102551"  # yours
router = APIRouter()


@router.post("/may-sign")
def may_sign(asked: dict, request: Request):  # no "async": the database may block, and other requests go on
    def refuse(status, code):
        return JSONResponse({"allowed": False, "code": code}, status)
    if asked["caller"] != "anonymous":
        return {"allowed": True}  # has an API key: the policy decides
    is_id = re.fullmatch("[1-9][0-9]{0,8}", asked.get("orderId", ""))  # yours: the ids that the database accepts
    order = order_by_id(is_id[0]) if is_id else None  # for strangers, too: the alert sees an outage
    user_id = request.session.get("user_id")  # yours: None before the log-in
    if user_id is None:
        return refuse(401, "LOG_IN")
    if (order is None or order.user_id is None or str(order.user_id) != str(user_id)
            or asked.get("operationType", "purchase") != "purchase"
            or asked["merchantAccountNumber"] != ACCOUNT_NUMBER or asked.get("amount") != f"{order.total:.2f}"):
        return refuse(403, "NOT_YOUR_ORDER")
    return refuse(409, "ALREADY_PAID") if order.is_paid else {"allowed": True}
