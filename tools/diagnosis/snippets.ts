export const languages = ['php', 'python', 'go', 'js', 'java'] as const

export type Language = typeof languages[number]

/** Right code by the hypotheses that it fixes. The variables have the names of the terms. */
export const snippets: ReadonlyArray<readonly [hypotheses: RegExp, Readonly<Record<Language, string>>]> = [
  [/^amount-(?:decimals|as-number|separators|number-format|floating-point|currency|digits)$/, {
    php: "$amount = number_format($amount, 2, '.', '');",
    python: "amount = f'{decimal.Decimal(amount):.2f}'",
    go: 'text := fmt.Sprintf("%.2f", amount)',
    js: 'const text = Number(amount).toFixed(2)',
    java: 'String text = new java.math.BigDecimal(amount).setScale(2, java.math.RoundingMode.HALF_UP).toPlainString();'
  }],
  [/^amount-(?:minor-units|unit)$/, {
    php: "$amount = number_format($cents / 100, 2, '.', '');",
    python: "amount = f'{decimal.Decimal(cents) / 100:.2f}'",
    go: 'amount := fmt.Sprintf("%d.%02d", cents/100, cents%100)',
    js: 'const amount = (cents / 100).toFixed(2)',
    java: 'String amount = java.math.BigDecimal.valueOf(cents, 2).toPlainString();'
  }],
  [/^timestamp-/, {
    php: '$clientTimeStamp = (string) (int) floor(microtime(true) * 1000);',
    python: 'client_time_stamp = str(time.time_ns() // 1_000_000)',
    go: 'clientTimeStamp := strconv.FormatInt(time.Now().UnixMilli(), 10)',
    js: 'const clientTimeStamp = Date.now()',
    java: 'String clientTimeStamp = String.valueOf(System.currentTimeMillis());'
  }],
  [/^token-(?:newline|white-space|byte-order-mark)$/, {
    php: '$merchantToken = trim(file_get_contents($path));',
    python: "merchant_token = open(path, encoding='utf-8-sig').read().strip()",
    go: 'merchantToken := strings.TrimSpace(string(file))',
    js: "const merchantToken = readFileSync(path, 'utf8').trim()",
    java: 'String merchantToken = java.nio.file.Files.readString(path).strip();'
  }],
  [/^token-quotes$/, {
    php: "$merchantToken = trim($merchantToken, '\"\\'');",
    python: "merchant_token = merchant_token.strip('\"\\'')",
    go: 'merchantToken = strings.Trim(merchantToken, "\\"\'")',
    js: "merchantToken = merchantToken.replace(/^[\"']|[\"']$/g, '')",
    java: 'merchantToken = merchantToken.replaceAll("^[\\"\']|[\\"\']$", "");'
  }],
  [/^identifier-absent$/, {
    php: "$orderIdOrNull = ($orderId ?? '') === '' ? 'null' : $orderId;",
    python: "order_id_or_null = order_id or 'null'",
    go: 'if orderIdOrNull == "" { orderIdOrNull = "null" }',
    js: "const orderIdOrNull = orderId || 'null'",
    java: 'String orderIdOrNull = orderId == null || orderId.isEmpty() ? "null" : orderId;'
  }],
  [/^terms-|^text-ends$/, {
    php: '$text = implode(\'\', [$clientTimeStamp, $sid, $amount, $referenceNumber]);',
    python: "text = ''.join([str(client_time_stamp), sid, amount, reference_number])",
    go: 'text := clientTimeStamp + sid + amount + referenceNumber',
    js: "const text = [clientTimeStamp, sid, amount, referenceNumber].join('')",
    java: 'String text = String.join("", clientTimeStamp, sid, amount, referenceNumber);'
  }],
  [/^(?:digest-|hmac|hashed-twice|text-encoding)/, {
    php: "$part1 = hash('sha256', $text);",
    python: "part1 = hashlib.sha256(text.encode('utf-8')).hexdigest()",
    go: 'part1 := fmt.Sprintf("%x", sha256.Sum256([]byte(text)))',
    js: "const part1 = createHash('sha256').update(text, 'utf8').digest('hex')",
    java: 'String part1 = java.util.HexFormat.of().formatHex(java.security.MessageDigest.getInstance("SHA-256")' +
      '.digest(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)));'
  }],
  [/^(?:signature-separator|parts-swapped|one-part|one-hash)$/, {
    php: "$signature = $part1 . '///' . $part2;",
    python: "signature = part1 + '///' + part2",
    go: 'signature := part1 + "///" + part2',
    js: 'const signature = `${part1}///${part2}`', // eslint-disable-line no-template-curly-in-string
    java: 'String signature = part1 + "///" + part2;'
  }],
  [/^sid-case$/, {
    php: '$sid = strtolower($sid);',
    python: 'sid = sid.lower()',
    go: 'sid = strings.ToLower(sid)',
    js: 'const lower = sid.toLowerCase()',
    java: 'sid = sid.toLowerCase(java.util.Locale.ROOT);'
  }]
]

/** Returns the fix of a hypothesis as code, or undefined. */
export const snippetFor = (hypothesis: string, language: Language): string | undefined =>
  snippets.find(([hypotheses]) => hypotheses.test(hypothesis))?.[1][language]
