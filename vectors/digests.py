#!/usr/bin/env python3
"""Digests of the known-answer vectors, computed from the stored pre-images.

Usage: python3 vectors/digests.py [--check]

For every *.json file beside this script: each part's "digest" is the SHA-256
of the UTF-8 bytes of its "preImage", in lowercase hexadecimal, and "signature"
is <part1 digest>///<part2 digest>. Without an option the files are rewritten;
with --check nothing is written, each mismatch is named, and the exit code is 1
if there was one.

The script knows nothing about how a pre-image follows from a request: that was
written by hand. It replaces the digest and signature values in the text of the
file and touches nothing else, so escapes, number literals and layout stay as
they are and a second run changes nothing.
"""
import hashlib
import json
import re
import sys
from pathlib import Path

# A quote inside a JSON string is escaped, so this never matches within a value.
FIELD = re.compile(r'("(?:digest|signature)": ")[^"]*"')


def sha256(text):
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def fill(vector):
    """Set the digests and the signature; return the names of what was wrong."""
    wrong = []
    for part in ("part1", "part2"):
        digest = sha256(vector[part]["preImage"])
        if vector[part]["digest"] != digest:
            wrong.append(part)
        vector[part]["digest"] = digest
    signature = vector["part1"]["digest"] + "///" + vector["part2"]["digest"]
    if vector["signature"] != signature:
        wrong.append("signature")
    vector["signature"] = signature
    return wrong


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit("usage: digests.py [--check]")
    check = bool(arguments)
    failed = False
    for path in sorted(Path(__file__).resolve().parent.glob("*.json")):
        text = path.read_bytes().decode("utf-8")
        document = json.loads(text)
        vectors = [v for v in document["vectors"] if "signature" in v]
        if not vectors:
            continue  # refusals have no digests
        mismatches = [(v["name"], wrong) for v in vectors if (wrong := fill(v))]
        state = "ok"
        if mismatches and check:
            failed = True
            state = f"{len(mismatches)} wrong"
            for name, wrong in mismatches:
                print(f"{path.name}: {name}: {', '.join(wrong)}", file=sys.stderr)
        elif mismatches:
            state = f"{len(mismatches)} rewritten"
            values = iter([value for v in vectors for value in
                           (v["part1"]["digest"], v["part2"]["digest"], v["signature"])])
            text = FIELD.sub(lambda match: f'{match[1]}{next(values)}"', text)
            if json.loads(text) != document:
                sys.exit(f"{path.name}: not in the expected layout, left as it was")
            path.write_bytes(text.encode("utf-8"))
        print(f"{path.name}: {len(vectors)} vectors, {state}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
