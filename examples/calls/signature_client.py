"""Client of the payment signature service, for Python 3.9 or newer. Copy this file into your project."""

import http.client
import json
import re
import time
import urllib.error
import urllib.request
from datetime import timedelta


_OTHER = "probably not the service: a CDN, a firewall, a proxy or the app around it"


class SignatureError(Exception):
    """A request that got no signature.

    status       HTTP status; 0 without a complete response
    code         error code of the service, such as "policy"; empty if another server responded, or none
    field        field at fault, such as "amount", or None
    reason       rule of the policy, or code of your backend, such as "ALREADY_PAID", or None
    request_id   ID of the request in the service's log, or None
    retry_after  seconds to wait before a retry, or None
    """

    def __init__(self, status, headers, text):
        error_code = headers.get("Error-Code") or ""
        parameters = dict(re.findall(r"(field|reason)=([\w.-]+)", error_code))
        seconds = headers.get("Retry-After") or ""  # a proxy may send a date
        self.status = status
        self.code = error_code.split(";")[0]
        self.field = parameters.get("field")
        self.reason = parameters.get("reason")
        self.request_id = headers.get("X-Request-Id")
        self.retry_after = int(seconds) if re.fullmatch("[0-9]{1,9}", seconds) else None
        is_other = status and not error_code and not re.match(r'\s*\{.*"error"\s*:', text, re.DOTALL)
        source = _OTHER if is_other else error_code
        super().__init__(f"{status} {source} (request {self.request_id}): {text[:200]}")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None  # fields and key are for one URL


_HEADERS = {"Content-Type": "application/json", "User-Agent": "payment-signature-client"}  # firewalls refuse Python's own
_TEMPORARY = {0, 408, 502, 503, 504, *range(520, 525)}

_opener = urllib.request.build_opener(_NoRedirects)


class SignatureClient:
    """Requests signatures at a URL.

    url       the whole URL of the endpoint
    key       API key of the policy, or None
    timeout   timedelta for connecting and for each read
    attempts  number of attempts; 1: no retry
    """

    def __init__(self, url, key=None, timeout=timedelta(seconds=5), attempts=4):
        key = (key or "").strip()
        if not re.fullmatch("[!-~]*", key):
            raise ValueError("key must be one line of ASCII characters without spaces")
        self._url = url
        self._headers = {**_HEADERS, **({"Authorization": "Bearer " + key} if key else {})}
        self._timeout = timeout.total_seconds()
        self._attempts = attempts

    def sign(self, fields):
        """Returns the signature of a dict. Raises SignatureError. May sleep up to 10 seconds before a retry."""
        body = json.dumps(fields).encode()
        attempt = 1
        while True:
            try:
                return self._post(body)
            except SignatureError as error:
                wait = max(0.2 * attempt, error.retry_after or 0)
                is_temporary = error.status in _TEMPORARY or error.status == 429 and error.retry_after is not None
                if not is_temporary or attempt >= self._attempts or wait > 10:
                    raise
            time.sleep(wait)
            attempt += 1

    def _post(self, body):
        try:
            try:
                response = _opener.open(urllib.request.Request(self._url, body, self._headers), timeout=self._timeout)
            except urllib.error.HTTPError as error:
                response = error  # a response with another status than 200 has a body, too
            with response:
                status, headers, text = response.status, response.headers, response.read().decode(errors="replace")
        except (OSError, http.client.HTTPException) as error:
            raise SignatureError(0, {}, repr(error)) from error
        found = re.search(r'"signature"\s*:\s*"([0-9a-f]{64}///[0-9a-f]{64})"', text)
        if status == 200 and found:  # a log-in page has status 200, too
            return found[1]
        raise SignatureError(status, headers, text)
