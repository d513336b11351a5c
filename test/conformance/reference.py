#!/usr/bin/env python3
"""A client of the conformance protocol, written from the specification.

With --batch: {"variant", "token", "request"} in a line each on standard input,
a signature in a line each on standard output. Otherwise one request on
standard input, MERCHANT_TOKEN and VARIANT in the environment.
"""
import hashlib
import json
import os
import sys
from decimal import Decimal


def number_text(number):
    """A number as JavaScript's String writes it: the shortest digits that give the same double."""
    if number == 0:
        return "0"
    if number in (float("inf"), float("-inf")):
        return "Infinity" if number > 0 else "-Infinity"
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    digits = "".join(map(str, digits))
    point = len(digits) + exponent  # where the decimal point stands
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


def text_of(value):
    """A decoded JSON value as JavaScript's String writes it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return number_text(value)
    if isinstance(value, list):
        return ",".join("" if item is None else text_of(item) for item in value)
    if isinstance(value, dict):
        return "[object Object]"
    return value


def truthy(value):
    return isinstance(value, (list, dict)) or bool(value)


def optional(request, field):
    value = request.get(field)
    text = "" if value is None else text_of(value)
    return "" if text in ("undefined", "null") else text


def terms_of_a(request):
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
    amount = "" if amount is None or amount == "undefined" else text_of(amount)
    return amount, "" if order_id is None else text_of(order_id), ""


def hash256(text):
    # The terms are joined: a pair of surrogates is one character now, half a pair becomes U+FFFD.
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return hashlib.sha256(joined.encode("utf-8")).hexdigest()


def sign(variant, token, request):
    amount, reference, order_term = (terms_of_a if variant == "A" else terms_of_b)(request)
    time_stamp = text_of(request["clientTimeStamp"])
    account = request.get("merchantAccountNumber")
    account = text_of(account if truthy(account) else request.get("accountNumber"))
    own_token = request.get("merchantToken")
    token = text_of(own_token) if truthy(own_token) else token
    part1 = time_stamp + request["sid"] + amount + reference
    part2 = time_stamp + order_term + token + account + amount + reference
    return hash256(part1) + "///" + hash256(part2)


def parse(text):
    return json.loads(text, parse_int=float)  # all numbers are IEEE 754 doubles


def main():
    sys.stdin.reconfigure(encoding="utf-8")
    if sys.argv[1:] == ["--batch"]:
        for line in sys.stdin:
            message = parse(line)
            print(sign(message["variant"], message["token"], message["request"]), flush=True)
    else:
        print(sign(os.environ["VARIANT"], os.environ["MERCHANT_TOKEN"], parse(sys.stdin.read())))


main()
