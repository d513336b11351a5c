#!/bin/sh
# A client of the conformance protocol in POSIX sh, with sed and sha256sum: one
# request on standard input, MERCHANT_TOKEN and VARIANT in the environment.
#
# It is no JSON parser: it knows strings without escapes, and integers, of an
# object on one line. That is enough for the rules of 4.3 about operations.
set -eu
request=$(cat)

string () {
  printf '%s\n' "$request" | sed -n 's/.*[{,]"'"$1"'": "\([^"\\]*\)".*/\1/p'
}

integer () {
  printf '%s\n' "$request" | sed -n 's/.*[{,]"'"$1"'": \([0-9]*\)[,}].*/\1/p'
}

hash256 () {
  printf '%s' "$1" | sha256sum | cut -d ' ' -f 1
}

time_stamp=$(integer clientTimeStamp)
sid=$(string sid)
amount=$(string amount)
order_id=$(string orderId)
account=$(string merchantAccountNumber)
: "${account:=$(string accountNumber)}"

if [ "$VARIANT" = A ]; then
  reference=
  case $(string operationType | tr '[:upper:]' '[:lower:]') in
    refund) reference=$(string transactionFCRN) ;;
    void) amount='' reference=$(string transactionFCRN) ;;
    inquiry)
      amount='' reference=$(string transactionId) order_id=
      case $(string idType | tr '[:upper:]' '[:lower:]') in
        order_id) order_id=$reference ;;
      esac ;;
  esac
  order_term=${order_id:-null}
else
  reference=$order_id
  order_term=
fi

part1=$(hash256 "$time_stamp$sid$amount$reference")
part2=$(hash256 "$time_stamp$order_term$MERCHANT_TOKEN$account$amount$reference")
printf '%s///%s\n' "$part1" "$part2"
