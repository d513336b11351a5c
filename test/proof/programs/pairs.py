"""Prints 1,000 requests with the signature of another order of the shop, and 1,000 requests with one damaged field.

The signature of a damaged request is that of the undamaged one. Usage: python3 pairs.py [seed] > pairs.jsonl
"""
import json
import random
import re
import sys
import uuid

sys.dont_write_bytecode = True
from make import HERE, correct

IDS = ['sid', 'orderId', 'transactionFCRN', 'transactionId']
RANDOM = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
UUID = r'(?i)[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}'
LINES = json.loads((HERE / 'requests.json').read_text('utf-8'))
SHOPS = [(line['id'][:2], line['around']['token']) for line in LINES]


def similar(text):
    """Returns another id of the same style: a UUID, or the text with other digits at its end."""
    if re.fullmatch(UUID, text):
        other = uuid.UUID(int=RANDOM.getrandbits(128), version=4)
        return str(other).upper() if text.isupper() else str(other)
    return text[:-5] + re.sub(r'\d', lambda _: RANDOM.choice('0123456789'), text[-5:])


def is_refused(r, variant):
    """Returns true if the service has no signature for the request: an amount of 0, or a sid that variant B refuses."""
    return not float(r.get('amount', '1').replace(',', '.')) or variant == 'B' and not re.fullmatch(UUID, r['sid'])


def order(shop):
    """Returns a request of the shop that is not in requests.json."""
    r = dict(RANDOM.choice([line['request'] for line in LINES if line['id'].startswith(shop)]))
    r['clientTimeStamp'] += RANDOM.randrange(10**7, 10**10)
    if 'amount' in r:
        r['amount'] = RANDOM.choice([f'{RANDOM.randrange(1, 90)}00.00', f'{RANDOM.uniform(5, 3000):.2f}'])
    return {name: similar(value) if name in IDS else value for name, value in r.items()}


def damage(field, value, other):
    """Returns a kind of damage and the damaged value."""
    if field == 'clientTimeStamp':
        shifted = value + RANDOM.choice([1, -1, 5, 37, 950, 3000, 60000, 3600000, 7200000])
        return RANDOM.choice([('shift', shifted), ('whole second', value // 1000 * 1000), ('seconds', value // 1000)])
    at = RANDOM.randrange(len(value))
    a, b = value[:at], value[at:]
    kinds = {'wrong character': a + RANDOM.choice('123456789') + b[1:], 'missing character': a + b[1:],
             'swapped characters': a + b[:2][::-1] + b[2:], 'space at the end': value + ' ', 'case': value.swapcase(),
             'other order': other.get(field, value)}
    amounts = {'trailing zeros': value.rstrip('0'), 'comma': value.replace('.', ','), 'cents': value.replace('.', '')}
    return RANDOM.choice(list((kinds | amounts if field == 'amount' else kinds).items()))


for number in range(2000):
    signature = None
    while signature is None or signature == correct(shop[0], two, token) or is_refused(two, shop[0]):
        shop, token = RANDOM.choice(SHOPS)
        one, two, answer = order(shop), order(shop), {}
        if number >= 1000:
            field = RANDOM.choice([name for name in one if name not in ('operationType', 'idType')])
            kind, value = damage(field, one[field], two)
            two, answer = one | {field: value}, {'field': field, 'damage': kind, 'original': one[field]}
        signature = correct(shop[0], one, token)
    print(json.dumps({**answer, 'variant': shop[0], 'token': token, 'request': two, 'signature': signature}))
