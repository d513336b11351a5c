import sys
from datetime import timedelta
from signature_client import SignatureClient, SignatureError
for line in sys.stdin:
    url, key, timeout, attempts, *fields = line.rstrip("\n").split("\t")
    request = dict(field.split("=") for field in fields)
    if "clientTimeStamp" in request:
        request["clientTimeStamp"] = int(request["clientTimeStamp"])
    try:
        print(SignatureClient(url, key, timeout=timedelta(milliseconds=int(timeout)), attempts=int(attempts)).sign(request))
    except SignatureError as error:
        members = error.status, error.code, error.field, error.reason, error.request_id, error.retry_after, error
        print("|".join("" if member is None else str(member) for member in members))
    except ValueError as error:
        print(f"argument: {error}")
