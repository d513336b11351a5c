import hashlib
import json
import os
import re
import sys

UUID = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"


def optional(request, field):
    value = request.get(field)
    return "" if value in (None, "null", "undefined") else str(value)


def hash256(text):
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def check(variant, request):
    number = re.match(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)", str(request.get("amount")), re.ASCII)
    sid = request.get("sid")
    if number and float(number[1]) <= 0:
        raise ValueError("400 Invalid amount: amount must be greater than 0")
    if not request.get("merchantAccountNumber") and not request.get("accountNumber"):
        raise ValueError("400 merchantAccountNumber or accountNumber is required")
    if sid in (None, ""):
        raise ValueError("400 sid is required (client-generated session ID)")
    if request.get("clientTimeStamp") is None:
        raise ValueError("400 clientTimeStamp is required (client-generated timestamp)")
    if variant == "A" and not (isinstance(sid, str) and sid.strip()):
        raise ValueError("500 sid must be a non-empty string")
    if variant == "B" and not (isinstance(sid, str) and re.fullmatch(UUID, sid, re.IGNORECASE)):
        raise ValueError("500 sid must be a valid GUID (UUID v4)")


def sign(variant, token, request):
    check(variant, request)
    amount, reference, order = optional(request, "amount"), "", optional(request, "orderId")
    if variant == "B":
        amount, reference, order = request.get("amount"), request.get("orderId"), ""
        amount = "" if amount in (None, "undefined") else str(amount)
        reference = "" if reference is None else str(reference)
    else:
        operation = optional(request, "operationType").lower()
        if operation in ("refund", "void"):
            reference = optional(request, "transactionFCRN")
        if operation == "inquiry":
            reference = optional(request, "transactionId")
            order = reference if optional(request, "idType").upper() == "ORDER_ID" else ""
        if operation in ("void", "inquiry"):
            amount = ""
        order = order or "null"
    time_stamp = str(request["clientTimeStamp"])
    token = str(request.get("merchantToken") or token)
    account = str(request.get("merchantAccountNumber") or request.get("accountNumber"))
    part1 = time_stamp + request["sid"] + amount + reference
    part2 = time_stamp + order + token + account + amount + reference
    return hash256(part1) + "///" + hash256(part2)


# The conformance protocol
def answer(variant, token, request):
    try:
        return sign(variant, token, request)
    except ValueError as refusal:
        return refusal


if sys.argv[1:] == ["--batch"]:
    for line in sys.stdin.buffer:
        message = json.loads(line)
        print(answer(message["variant"], message["token"], message["request"]))
else:
    request = json.loads(sys.stdin.buffer.read())
    print(answer(os.environ["VARIANT"], os.environ["MERCHANT_TOKEN"], request))
