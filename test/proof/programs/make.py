#!/usr/bin/env python3
"""Runs the signers of all languages and writes programs.json. Usage: python3 make.py

Needs python3, node, php, go and java. The result is the same in each run.
A comment above each function of the signers describes it:

    // js01 A one purchase,zero | amount
    // The amount is a number, so trailing zeros are missing ...

These are: the id, the variant, the kind (one mistake, two mistakes, or an odd one), the conditions that a request must
meet so that all mistakes of the program have an effect, the terms or mechanisms concerned, and the cause.
"""
import hashlib
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
LANGUAGES = {
    'Python': ('signers.py', [sys.executable]), 'JavaScript': ('signers.js', ['node']), 'PHP': ('signers.php', ['php']),
    'Go': ('signers.go', ['go', 'run']), 'Java': ('Signers.java', ['java'])
}
HEADER = re.compile(r'^\s*(?://|#) (\w\w\d\d) ([AB]) (one|two|odd) ?(\S*) \| (.+)\n\s*(?://|#) (.+)$', re.M)


def is_order_inquiry(r):
    return str(r.get('idType')).upper() == 'ORDER_ID'


CONDITIONS = {
    'order': lambda r, token: r.get('orderId'),
    'noorder': lambda r, token: not r.get('orderId'),
    'orderisnull': lambda r, token: not r.get('orderId') and not is_order_inquiry(r),
    'orderzeros': lambda r, token: re.fullmatch(r'0\d+', r.get('orderId', '')),
    'numericorder': lambda r, token: re.fullmatch(r'[1-9]\d*', r.get('orderId', '')),
    'special': lambda r, token: re.search(r'[^\w-]', r.get('orderId', ''), re.A),
    'ampersand': lambda r, token: '&' in r.get('orderId', ''),
    'nonascii': lambda r, token: not r.get('orderId', '').isascii(),
    'amount': lambda r, token: r.get('amount'),
    'noamount': lambda r, token: not r.get('amount'),
    'zero': lambda r, token: r.get('amount', '').endswith('0'),
    'round': lambda r, token: r.get('amount', '').endswith('.00'),
    'hundreds': lambda r, token: r.get('amount', '').endswith('00.00'),
    'big': lambda r, token: float(r.get('amount', 0)) >= 1000,
    'huge': lambda r, token: float(r.get('amount', 0)) >= 1e7,
    'zeros': lambda r, token: (r.get('merchantAccountNumber') or r['accountNumber']).startswith('0'),
    'fcrnzeros': lambda r, token: re.fullmatch(r'0\d+', r.get('transactionFCRN', '')),
    'uppersid': lambda r, token: r['sid'] != r['sid'].lower(),
    'uppercaseop': lambda r, token: r['operationType'] != r['operationType'].lower(),
    'byorder': lambda r, token: is_order_inquiry(r),
    'byother': lambda r, token: not is_order_inquiry(r),
    'lower': lambda r, token: r['idType'] != 'ORDER_ID' and is_order_inquiry(r),
    'plus': lambda r, token: '+' in token
}


def operation(line):
    return line['request'].get('operationType', 'purchase').lower()


def meets(line, conditions):
    for condition in filter(None, conditions.split(',')):
        if condition in CONDITIONS:
            if not CONDITIONS[condition](line['request'], line['around']['token']):
                return False
        elif operation(line) not in condition.split('/') and line['id'][0] == 'A':
            return False
    return True


def correct(variant, r, token):
    """Returns the signature of the specification, independently of the signers."""
    op = r.get('operationType', 'purchase').lower() if variant == 'A' else ''
    amount = '' if op in ('void', 'inquiry') else r.get('amount', '')
    reference = {'': r.get('orderId', ''), 'refund': r.get('transactionFCRN', ''), 'void': r.get('transactionFCRN', ''),
                 'inquiry': r.get('transactionId', '')}.get(op, '')
    order = r.get('orderId', '')
    if op == 'inquiry':
        order = r['transactionId'] if is_order_inquiry(r) else ''
    account = r.get('merchantAccountNumber') or r['accountNumber']
    texts = [[r['clientTimeStamp'], r['sid'], amount, reference],
             [r['clientTimeStamp'], (order or 'null') if variant == 'A' else '', token, account, amount, reference]]
    return '///'.join(hashlib.sha256(''.join(map(str, terms)).encode()).hexdigest() for terms in texts)


def run(language, lines):
    """Returns the signatures of all programs of a language by program and request, after a check of the correct one."""
    file, command = LANGUAGES[language]
    output = subprocess.run([*command, file, 'requests.json'], cwd=HERE, check=True, capture_output=True, text=True)
    results = {}
    for item in map(json.loads, output.stdout.splitlines()):
        results.setdefault(item['program'], {})[item['request']] = item['signature']
    [reference] = [name for name in results if name.endswith('00')]
    for line in lines.values():
        if results[reference][line['id']] != line['correct']:
            raise SystemExit(f'{reference} is wrong for {line["id"]}')
    return results


def choose(lines, signatures, variant, conditions, start):
    """Returns two requests of one shop for which the program is wrong, of two operations if its conditions allow it."""
    shops = sorted({id.split('-')[0] for id in lines if id.startswith(variant)})
    for turn in range(len(shops)):
        shop = shops[(start + turn) % len(shops)]
        usable = [line for line in lines.values() if line['id'].startswith(shop) and meets(line, conditions) and
                  signatures.get(line['id'], line['correct']) != line['correct']]
        if len(usable) > 1:
            one = usable[start * 5 % len(usable)]
            others = [line for line in usable if line is not one]
            different = [line for line in others if operation(line) != operation(one)] or others
            return one, different[start * 3 % len(different)]
    raise SystemExit(f'{conditions}: no shop has two such requests')


def main():
    lines = {line['id']: line for line in json.loads((HERE / 'requests.json').read_text('utf-8'))}
    for line in lines.values():
        line['correct'] = correct(line['id'][0], line['request'], line['around']['token'])
    programs = []
    for language, (file, _) in LANGUAGES.items():
        results = run(language, lines)
        headers = HEADER.findall((HERE / file).read_text('utf-8'))
        missing = results.keys() ^ {header[0] for header in headers}
        if len(missing) != 1:
            raise SystemExit(f'{file}: no header or no function: {missing}')
        for name, variant, kind, conditions, terms, cause in headers:
            pair = choose(lines, results[name], variant, conditions, len(programs))
            programs.append({
                'id': name, 'language': language, 'variant': variant, 'kind': kind, 'cause': cause,
                'terms': terms.split(', '), 'token': pair[0]['around']['token'],
                'pairs': [{'request': line['request'], 'signature': results[name][line['id']],
                           'correct': line['correct']} for line in pair]
            })
    rows = ',\n'.join(json.dumps(program, ensure_ascii=False) for program in programs)
    (HERE / 'programs.json').write_text(f'[\n{rows}\n]\n', 'utf-8')
    for key in ('language', 'kind', 'variant'):
        print(dict(Counter(program[key] for program in programs)))


if __name__ == '__main__':
    main()
