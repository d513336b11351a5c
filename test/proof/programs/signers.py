"""Signers with mistakes, as Python programmers make them. Usage: python3 signers.py requests.json"""
import base64
import hashlib
import hmac
import json
import sys
import uuid
from decimal import Decimal
from types import SimpleNamespace
from urllib.parse import quote_plus


def fields(line):
    r, s = line['request'], line['around']
    get = lambda name: str(r.get(name) or '')
    f = SimpleNamespace(r=r, s=s, ts=str(r['clientTimeStamp']), sid=r['sid'], amount=get('amount'), token=s['token'],
                        ref='', order=get('orderId'), account=get('merchantAccountNumber') or get('accountNumber'))
    f.variant, f.op = line['id'][0], get('operationType').lower()
    if f.variant == 'B':
        f.ref = f.order
    elif f.op in ('refund', 'void'):
        f.ref = get('transactionFCRN')
    elif f.op == 'inquiry':
        f.ref = get('transactionId')
        f.order = f.ref if get('idType').upper() == 'ORDER_ID' else ''
    if f.op in ('void', 'inquiry'):
        f.amount = ''
    return f


def first(f):
    return f.ts + f.sid + f.amount + f.ref


def second(f):
    order = (f.order or 'null') if f.variant == 'A' else ''
    return f.ts + order + f.token + f.account + f.amount + f.ref


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


def sign(f):
    return sha(first(f)) + '///' + sha(second(f))


# py00 correct
def py00(f):
    return sign(f)


# py01 A one purchase,round | amount
# The amount is converted with str(float(amount)), so "100.00" becomes "100.0".
def py01(f):
    f.amount = str(float(f.amount))
    return sign(f)


# py02 A one purchase/refund,noorder | orderIdOrNull
# An absent order id is the text "None" instead of "null".
def py02(f):
    f.order = str(f.r.get('orderId'))
    return sign(f)


# py03 A one void,amount | amount
# A void signs the amount of the request instead of an empty amount.
def py03(f):
    f.amount = f.r.get('amount', '')
    return sign(f)


# py04 A one purchase/refund | clientTimeStamp
# The time stamp is in seconds instead of milliseconds: int(time.time()).
def py04(f):
    f.ts = str(int(f.r['clientTimeStamp'] / 1000))
    return sign(f)


# py05 A one purchase/inquiry | clientTimeStamp
# The time stamp is in seconds with a decimal fraction, as str(time.time()) writes it.
def py05(f):
    f.ts = str(f.r['clientTimeStamp'] / 1000)
    return sign(f)


# py06 A one purchase/void | merchantToken
# The token is read from a file with open().read() and keeps the trailing newline.
def py06(f):
    f.token = f.s['token'] + '\n'
    return sign(f)


# py07 A one purchase/refund | digest
# Part 2 is an HMAC-SHA256 with the token as its key, and the token is not among the terms.
def py07(f):
    message = f.ts + (f.order or 'null') + f.account + f.amount + f.ref
    part2 = hmac.new(f.token.encode(), message.encode(), hashlib.sha256).hexdigest()
    return sha(first(f)) + '///' + part2


# py08 A one | joiner
# The two parts are joined with "//" instead of "///".
def py08(f):
    return '//'.join([sha(first(f)), sha(second(f))])


# py09 B one order | referenceNumber
# The reference (the order id) is missing in part 2.
def py09(f):
    part2 = sha(f.ts + f.token + f.account + f.amount)
    return sha(first(f)) + '///' + part2


# py10 B one uppersid | sid
# The sid passes through uuid.UUID and str(), which converts it to lower case.
def py10(f):
    f.sid = str(uuid.UUID(f.sid))
    return sign(f)


# py11 A one purchase,big | amount
# The amount has thousands separators: f"{amount:,.2f}".
def py11(f):
    f.amount = f'{float(f.amount):,.2f}'
    return sign(f)


# py12 A one | merchantToken
# The token is a bytes object converted with str(), so it is hashed as b'...' with prefix and quotes.
def py12(f):
    f.token = str(f.token.encode())
    return sign(f)


# py13 B one purchase | amount
# The amount is in minor units (cents) instead of decimal text.
def py13(f):
    f.amount = str(int(Decimal(f.amount) * 100))
    return sign(f)


# py14 A one refund/void,noorder | orderIdOrNull
# For refund and void without an order id, transactionFCRN is used as order id instead of "null".
def py14(f):
    f.order = f.order or f.r['transactionFCRN']
    return sign(f)


# py15 B one | digest
# Both parts are SHA-1 digests.
def py15(f):
    part1, part2 = (hashlib.sha1(text.encode()).hexdigest() for text in (first(f), second(f)))
    return part1 + '///' + part2


# py16 A one purchase/refund | term order
# In part 2 the token comes before the order id instead of after it.
def py16(f):
    part2 = sha(f.ts + f.token + (f.order or 'null') + f.account + f.amount + f.ref)
    return sha(first(f)) + '///' + part2


# py17 A one inquiry,byother | orderIdOrNull
# An inquiry uses transactionId as order id although idType is not ORDER_ID.
def py17(f):
    f.order = f.r['transactionId']
    return sign(f)


# py18 B one order | formula
# The signer uses the formula of variant A: part 2 has the order id after the time stamp.
def py18(f):
    part2 = sha(f.ts + f.order + f.token + f.account + f.amount + f.ref)
    return sha(first(f)) + '///' + part2


# py19 A two purchase,noorder,round | amount, orderIdOrNull
# The amount is converted through float ("100.0"), and the absent order id is "None" instead of "null".
def py19(f):
    amount, order = float(f.r['amount']), f.r.get('orderId')
    part1 = f'{f.ts}{f.sid}{amount}'
    part2 = f'{f.ts}{order}{f.token}{f.account}{amount}'
    return sha(part1) + '///' + sha(part2)


# py20 A two purchase/refund | separator, hex case
# The terms are joined with "|", and the digests are upper-case hexadecimal.
def py20(f):
    part1 = '|'.join([f.ts, f.sid, f.amount, f.ref])
    part2 = '|'.join([f.ts, f.order or 'null', f.token, f.account, f.amount, f.ref])
    return sha(part1).upper() + '///' + sha(part2).upper()


# py21 A two purchase/refund | clientTimeStamp, merchantToken
# The time stamp is in seconds, and the token keeps the trailing newline of its file.
def py21(f):
    f.ts = str(f.r['clientTimeStamp'] // 1000)
    f.token = f.token + '\n'
    return sign(f)


# py22 B two zero | term order, amount
# In part 2 the account number comes before the token, and the amount is converted through float.
def py22(f):
    f.amount = str(float(f.amount))
    part2 = f.ts + f.account + f.token + f.amount + f.ref
    return sha(first(f)) + '///' + sha(part2)


# py23 A two purchase/refund/void | sid, part order
# Part 1 lacks the sid, and part 2 is written before part 1.
def py23(f):
    part1 = sha(f.ts + f.amount + f.ref)
    return sha(second(f)) + '///' + part1


# py24 A two | digest, encoding
# Both parts are SHA-512 digests, written as Base64 instead of hexadecimal.
def py24(f):
    digest = lambda text: base64.b64encode(hashlib.sha512(text.encode()).digest()).decode()
    return digest(first(f)) + '///' + digest(second(f))


# py25 B two round | sid, amount
# The sid is uuid.hex, without hyphens, and the amount is a normalized Decimal ("1E+2" or "2.5E+3").
def py25(f):
    f.sid = uuid.UUID(f.sid).hex
    f.amount = str(Decimal(f.amount).normalize())
    return sign(f)


# py26 A two void,amount,noorder | amount, orderIdOrNull
# A void signs the amount of the request, and transactionFCRN is used as order id instead of "null".
def py26(f):
    f.amount = f.r['amount']
    f.order = f.r['transactionFCRN']
    return sign(f)


# py27 A odd purchase/refund | amount
# The amount passes through json.dumps and keeps its quotation marks.
def py27(f):
    f.amount = json.dumps(f.r['amount'])
    return sign(f)


# py28 A odd purchase/refund | term order
# The terms of both parts are sorted as text before they are joined.
def py28(f):
    part1 = ''.join(sorted([f.ts, f.sid, f.amount, f.ref]))
    part2 = ''.join(sorted([f.ts, f.order or 'null', f.token, f.account, f.amount, f.ref]))
    return sha(part1) + '///' + sha(part2)


# py29 B odd purchase | amount
# The amount is Decimal(float(amount)), which writes the binary fraction with all its digits.
def py29(f):
    f.amount = str(Decimal(float(f.amount)))
    return sign(f)


# py30 A odd | encoding
# The text is encoded as UTF-16 with a byte order mark instead of UTF-8.
def py30(f):
    digest = lambda text: hashlib.sha256(text.encode('utf-16')).hexdigest()
    return digest(first(f)) + '///' + digest(second(f))


# py31 A odd purchase,special,plus | orderIdOrNull, merchantToken
# Order id and token are URL-encoded with quote_plus before they are hashed.
def py31(f):
    f.order, f.token = quote_plus(f.order), quote_plus(f.token)
    return sign(f)


# py32 B odd purchase | separator
# The signer hashes the text of a Python list, with brackets, quotation marks and commas.
def py32(f):
    part1 = str([f.ts, f.sid, f.amount, f.ref])
    part2 = str([f.ts, f.token, f.account, f.amount, f.ref])
    return sha(part1) + '///' + sha(part2)


if __name__ == '__main__':
    with open(sys.argv[1], encoding='utf-8') as file:
        lines = json.load(file)
    for name, program in [item for item in globals().items() if item[0].startswith('py')]:
        for line in lines:
            try:
                print(json.dumps({'program': name, 'request': line['id'], 'signature': program(fields(line))}))
            except (KeyError, ValueError, ArithmeticError):
                pass  # The program fails with this request.
