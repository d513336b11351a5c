import hashlib
import json
import os
import sys


def optional(request, field):
    value = request.get(field)
    return "" if value in (None, "null", "undefined") else str(value)


def hash256(text):
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def sign(variant, token, request):
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
if sys.argv[1:] == ["--batch"]:
    for line in sys.stdin.buffer:
        message = json.loads(line)
        print(sign(message["variant"], message["token"], message["request"]))
else:
    request = json.loads(sys.stdin.buffer.read())
    print(sign(os.environ["VARIANT"], os.environ["MERCHANT_TOKEN"], request))
