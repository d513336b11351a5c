import http.client
import json
import os
import re
import time
import urllib.error
import urllib.request


def sign(fields):
    request = urllib.request.Request(
        os.environ["SIGNATURE_URL"], json.dumps(fields).encode(), {"Content-Type": "application/json"})
    if os.environ.get("SIGNATURE_KEY"):
        request.add_unredirected_header("Authorization", "Bearer " + os.environ["SIGNATURE_KEY"])  # not for other hosts
    for attempt in range(1, 5):
        wait = 0.2 * attempt
        is_final = False
        try:
            try:
                response = urllib.request.urlopen(request, timeout=5)  # seconds for each read, not in total
            except urllib.error.HTTPError as error:
                response = error  # a response with another status than 200 has a body, too
            with response:
                text = response.read().decode(errors="replace")
            status, headers = response.status, response.headers
            found = re.search(r'"signature"\s*:\s*"([0-9a-f]{64}///[0-9a-f]{64})"', text)
            if status == 200 and found:  # a log-in page has status 200, too
                return found[1]
            failure = f"status {status}, {headers['Error-Code']}, {headers['X-Request-Id']}: {text}"
            seconds = headers["Retry-After"] or ""
            wait = max(wait, int(seconds) if seconds.isdecimal() else 0)  # a proxy may send a date
            is_refused = status == 429 and "Retry-After" not in headers
            is_final = is_refused or status not in (408, 429, 502, 503, 504)
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
