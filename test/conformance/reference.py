#!/usr/bin/env python3
"""An implementation of the specification.

Reads {"variant", "token", "request"} in a line each on standard input. Writes
a signature, or status and message of the refusal, in a line each.
"""
import hashlib
import json
import re
import sys
from decimal import Decimal


def number_text(number):
    """Returns a number as JavaScript's String writes it: the shortest digits that are read as the same double."""
    if number == 0:
        return "0"
    if number in (float("inf"), float("-inf")):
        return "Infinity" if number > 0 else "-Infinity"
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    digits = "".join(map(str, digits))
    point = len(digits) + exponent  # digits before the decimal point
    if len(digits) <= point <= 21:
        text = digits + "0" * exponent
    elif 0 < point <= 21:
        text = digits[:point] + "." + digits[point:]
    elif -6 < point <= 0:
        text = "0." + "0" * -point + digits
    else:
        rest = "." + digits[1:] if len(digits) > 1 else ""
        text = f"{digits[0]}{rest}e{point - 1:+d}"
    return "-" + text if sign else text


def depth(value):
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


def text_of(value):
    """Returns a decoded JSON value as JavaScript's String writes it (specification 10.1)."""
    if depth(value) > 8:
        raise ValueError("500 a value is nested more than 8 levels deep")
    return text_of_any(value)


def text_of_any(value):
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return number_text(value)
    if isinstance(value, list):
        return ",".join("" if item is None else text_of_any(item) for item in value)
    if isinstance(value, dict):
        if "toString" in value:
            raise ValueError("500 Cannot convert object to primitive value")
        return "[object Object]"
    return value


def truthy(value):
    return isinstance(value, (list, dict)) or bool(value)


def optional(request, field):
    value = request.get(field)
    text = "" if value is None else text_of(value)
    return "" if text in ("undefined", "null") else text


def terms_of_a(request):
    for field in ("operationType", "amount", "orderId", "transactionFCRN", "transactionId", "idType"):
        optional(request, field)  # each must have a text
    operation = optional(request, "operationType").lower()
    amount = optional(request, "amount")
    order_id = optional(request, "orderId")
    if operation in ("refund", "void"):
        return "" if operation == "void" else amount, optional(request, "transactionFCRN"), order_id or "null"
    if operation == "inquiry":
        identifier = optional(request, "transactionId")
        is_order_id = optional(request, "idType").upper() == "ORDER_ID"
        return "", identifier, (identifier if is_order_id else "") or "null"
    return amount, "", order_id or "null"


def terms_of_b(request):
    amount = request.get("amount")
    order_id = request.get("orderId")
    amount = "" if amount is None else text_of(amount)
    return "" if amount == "undefined" else amount, "" if order_id is None else text_of(order_id), ""


def hash256(text):
    # The terms are joined: a pair of surrogates is one character now, half a pair becomes U+FFFD.
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return hashlib.sha256(joined.encode("utf-8")).hexdigest()


SPACE = "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
NUMBER = re.compile(r"[+-]?(?:Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", re.I)


def check(request):
    """Steps 1 to 5 of specification 4.1."""
    if not isinstance(request, dict):
        raise ValueError("400 not an object")
    number = NUMBER.match(text_of(request.get("amount", "undefined")).lstrip(SPACE))
    if number and float(number[0]) <= 0:
        raise ValueError("400 Invalid amount: amount must be greater than 0")
    if not truthy(request.get("merchantAccountNumber")) and not truthy(request.get("accountNumber")):
        raise ValueError("400 merchantAccountNumber or accountNumber is required")
    if request.get("sid") in (None, ""):
        raise ValueError("400 sid is required (client-generated session ID)")
    if request.get("clientTimeStamp") is None:
        raise ValueError("400 clientTimeStamp is required (client-generated timestamp)")


def check_sid(variant, sid):
    if variant == "A" and not (isinstance(sid, str) and sid.strip(SPACE)):
        raise ValueError("500 sid must be a non-empty string")
    if variant == "B" and not (isinstance(sid, str) and UUID.fullmatch(sid)):
        raise ValueError("500 sid must be a valid GUID (UUID v4)")


def answer(variant, token, request):
    try:
        return sign(variant, token, request)
    except ValueError as refusal:
        return str(refusal)


def sign(variant, token, request):
    check(request)
    amount, reference, order_term = (terms_of_a if variant == "A" else terms_of_b)(request)
    check_sid(variant, request["sid"])
    time_stamp = text_of(request["clientTimeStamp"])
    own_token = request.get("merchantToken")
    token = (text_of(own_token) if truthy(own_token) else "") or token
    account = request.get("merchantAccountNumber")
    account = text_of(account if truthy(account) else request.get("accountNumber"))
    part1 = time_stamp + request["sid"] + amount + reference
    part2 = time_stamp + order_term + token + account + amount + reference
    return hash256(part1) + "///" + hash256(part2)


sys.stdin.reconfigure(encoding="utf-8")
for line in sys.stdin:
    message = json.loads(line, parse_int=float)  # all numbers are IEEE 754 doubles
    print(answer(message["variant"], message["token"], message["request"]))
