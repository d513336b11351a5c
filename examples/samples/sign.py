import hashlib
import json
import os
import re
import sys

FIELDS = ("operationType", "amount", "merchantAccountNumber", "accountNumber", "orderId", "sid", "clientTimeStamp",
          "merchantToken", "transactionFCRN", "transactionId", "idType")
SPACE = "\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
NUMBER = f"[{SPACE}]*([+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?|-Infinity)"
UUID = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"


def texts_of(request):
    """Returns the texts of all fields. Other values have texts, too, but not those of Python."""
    texts = {}
    for field in FIELDS:
        value = request.get(field)
        if field == "clientTimeStamp" and value is not None:
            if type(value) is not int or abs(value) >= 2**53:
                raise ValueError("400 clientTimeStamp must be an integer")
            value = str(value)
        if not (value is None or isinstance(value, str)):
            raise ValueError(f"400 {field} must be a string")
        texts[field] = value or ""
    return texts


def check(variant, texts):
    number = re.match(NUMBER, texts["amount"])
    sid = texts["sid"]
    if number and float(number[1]) <= 0:
        raise ValueError("400 Invalid amount: amount must be greater than 0")
    if not texts["merchantAccountNumber"] and not texts["accountNumber"]:
        raise ValueError("400 merchantAccountNumber or accountNumber is required")
    if not sid:
        raise ValueError("400 sid is required (client-generated session ID)")
    if not texts["clientTimeStamp"]:
        raise ValueError("400 clientTimeStamp is required (client-generated timestamp)")
    if variant == "A" and re.fullmatch(f"[{SPACE}]*", sid):
        raise ValueError("500 sid must be a non-empty string")
    if variant == "B" and not re.fullmatch(UUID, sid, re.IGNORECASE):
        raise ValueError("500 sid must be a valid GUID (UUID v4)")


def optional(text):
    return "" if text in ("null", "undefined") else text


def hash256(text):
    # Halves of a surrogate pair: two that meet are one character, and others become U+FFFD.
    units = text.encode("utf-16-le", "surrogatepass")
    return hashlib.sha256(units.decode("utf-16-le", "replace").encode()).hexdigest()


def sign(variant, token, request):
    texts = texts_of(request)
    check(variant, texts)
    amount, reference, order = optional(texts["amount"]), "", optional(texts["orderId"])
    if variant == "B":
        amount, reference, order = texts["amount"], texts["orderId"], ""
        if amount == "undefined":
            amount = ""
    else:
        operation = optional(texts["operationType"]).lower()
        if operation in ("refund", "void"):
            reference = optional(texts["transactionFCRN"])
        if operation == "inquiry":
            reference = optional(texts["transactionId"])
            order = reference if optional(texts["idType"]).upper() == "ORDER_ID" else ""
        if operation in ("void", "inquiry"):
            amount = ""
        order = order or "null"
    time_stamp = texts["clientTimeStamp"]
    account = texts["merchantAccountNumber"] or texts["accountNumber"]
    part1 = time_stamp + texts["sid"] + amount + reference
    part2 = time_stamp + order + (texts["merchantToken"] or token) + account + amount + reference
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
