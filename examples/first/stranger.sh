#!/bin/sh
# Prints a line unless the signing endpoint refuses a stranger's purchase with 401. cron mails what it prints.
# It covers DNS, certificate, proxy, app and decision: sh stranger.sh URL
status=$(curl -s -m 10 -o /dev/null -w '%{http_code}' "$1" -H 'content-type: application/json' \
  -d @"$(dirname "$0")/request.json")
[ "$status" = 401 ] || echo "$1 answered a stranger with $status instead of 401"
