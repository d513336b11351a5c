import http.client
import json
import os
import time
import urllib.error
import urllib.request


def sign(fields):
    request = urllib.request.Request(
        os.environ["SIGNATURE_URL"], json.dumps(fields).encode(), {"Content-Type": "application/json"})
    if os.environ.get("SIGNATURE_KEY"):
        request.add_header("Authorization", "Bearer " + os.environ["SIGNATURE_KEY"])
    for attempt in range(1, 5):
        wait = 0.2 * attempt
        is_final = False
        try:
            with urllib.request.urlopen(request, timeout=5) as response:
                return json.load(response)["signature"]
        except urllib.error.HTTPError as error:
            failure = f"status {error.code}, {error.headers['Error-Code']}: {error.read().decode()}"
            seconds = error.headers["Retry-After"] or ""
            wait = max(wait, int(seconds) if seconds.isdecimal() else 0)  # a proxy may send a date
            is_refused = error.code == 429 and "Retry-After" not in error.headers
            is_final = is_refused or error.code not in (408, 429, 502, 503, 504)
        except (OSError, http.client.HTTPException) as error:
            failure = repr(error)
        if is_final or attempt == 4 or wait > 10:
            raise RuntimeError(failure)
        time.sleep(wait)


print(sign({
    "amount": "100.00",
    "merchantAccountNumber": "102551",
    "orderId": "ORDER-12345",
    "sid": "client-generated-session-id",
    "clientTimeStamp": 1709912345678,
}))
