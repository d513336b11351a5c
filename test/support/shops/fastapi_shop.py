"""A shop on FastAPI with the route of examples/may-sign: python3 fastapi_shop.py FOLDER_OF_THE_ROUTE PORT"""
import sys

sys.dont_write_bytecode = True
import orders  # noqa: E402, F401
import uvicorn  # noqa: E402
from fastapi import FastAPI, Request  # noqa: E402
from fastapi_view import router  # noqa: E402
from starlette.middleware.httpsredirect import HTTPSRedirectMiddleware  # noqa: E402
from starlette.middleware.sessions import SessionMiddleware  # noqa: E402
from starlette.middleware.trustedhost import TrustedHostMiddleware  # noqa: E402

app = FastAPI()
app.add_middleware(SessionMiddleware, secret_key="of a test")
app.add_middleware(HTTPSRedirectMiddleware)
app.add_middleware(TrustedHostMiddleware, allowed_hosts=["shop.example"])
app.include_router(router)


@app.get("/log-in")
def log_in(request: Request, user: int):
    request.session["user_id"] = user


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="error", access_log=False)
