<?php
// Signers with mistakes, as PHP programmers make them. Usage: php signers.php requests.json
// fields() returns: r request, s surroundings, and the terms as the specification derives them.
function fields(array $line): array
{
    $r = $line['request'];
    $variant = $line['id'][0];
    $op = $variant === 'B' ? 'purchase' : strtolower($r['operationType'] ?? 'purchase');
    $order = $r['orderId'] ?? '';
    $ref = $variant === 'B' ? $order : '';
    if ($op === 'refund' || $op === 'void') {
        $ref = $r['transactionFCRN'] ?? '';
    } elseif ($op === 'inquiry') {
        $ref = $r['transactionId'] ?? '';
        $order = strtoupper($r['idType'] ?? '') === 'ORDER_ID' ? $ref : '';
    }
    return [
        'r' => $r, 's' => $line['around'], 'variant' => $variant, 'op' => $op,
        'ts' => (string) $r['clientTimeStamp'], 'sid' => $r['sid'],
        'amount' => $op === 'void' || $op === 'inquiry' ? '' : $r['amount'] ?? '',
        'ref' => $ref, 'order' => $order, 'token' => $line['around']['token'],
        'account' => $r['merchantAccountNumber'] ?? $r['accountNumber'],
    ];
}

function first(array $f): string
{
    return $f['ts'] . $f['sid'] . $f['amount'] . $f['ref'];
}

function second(array $f): string
{
    $order = $f['variant'] === 'B' ? '' : ($f['order'] === '' ? 'null' : $f['order']);
    return $f['ts'] . $order . $f['token'] . $f['account'] . $f['amount'] . $f['ref'];
}

function sha(string $text): string
{
    return hash('sha256', $text);
}

function sign(array $f): string
{
    return sha(first($f)) . '///' . sha(second($f));
}

// ph00 correct
function ph00($f)
{
    return sign($f);
}

// ph01 A one purchase/refund,big | amount
// The amount is formatted with number_format($amount, 2), which adds thousands separators.
function ph01($f)
{
    $f['amount'] = number_format((float) $f['amount'], 2);
    return sign($f);
}

// ph02 A one void/refund,noorder | orderIdOrNull
// An absent order id is null, which PHP joins as an empty text instead of "null".
function ph02($f)
{
    $order = $f['r']['orderId'] ?? null;
    return sha(first($f)) . '///' . sha($f['ts'] . $order . $f['token'] . $f['account'] . $f['amount'] . $f['ref']);
}

// ph03 A one refund,zero | amount
// The amount is cast to float, so trailing zeros are missing.
function ph03($f)
{
    $f['amount'] = (float) $f['amount'];
    return sign($f);
}

// ph04 A one purchase/refund | clientTimeStamp
// The time stamp is time() * 1000: the milliseconds are always 000 and differ from those of the request.
function ph04($f)
{
    $f['ts'] = intdiv($f['r']['clientTimeStamp'], 1000) * 1000;
    return sign($f);
}

// ph05 A one purchase/inquiry | merchantToken
// The token in the .env file has quotation marks, and the reader of the file keeps them.
function ph05($f)
{
    $f['token'] = '"' . $f['token'] . '"';
    return sign($f);
}

// ph06 B one | digest
// Both parts are MD5 digests instead of SHA-256.
function ph06($f)
{
    return md5(first($f)) . '///' . md5(second($f));
}

// ph07 B one plus | merchantToken
// The token passes through urldecode(), so each "+" becomes a space.
function ph07($f)
{
    $f['token'] = urldecode($f['token']);
    return sign($f);
}

// ph08 A one | digest
// Both parts are HMAC-SHA256 of the correct texts with the token as key.
function ph08($f)
{
    $key = $f['token'];
    return hash_hmac('sha256', first($f), $key) . '///' . hash_hmac('sha256', second($f), $key);
}

// ph09 A one purchase,orderzeros | orderIdOrNull
// The order id is cast to int and loses its leading zeros.
function ph09($f)
{
    $f['order'] = (int) $f['order'];
    return sign($f);
}

// ph10 A one purchase/void,noorder | orderIdOrNull
// An absent order id is the upper-case text "NULL" instead of "null".
function ph10($f)
{
    $f['order'] = $f['r']['orderId'] ?? 'NULL';
    return sign($f);
}

// ph11 A one void | amount
// A void signs the amount "0.00" instead of an empty text.
function ph11($f)
{
    $f['amount'] = number_format((float) $f['amount'], 2);
    return sign($f);
}

// ph12 B one | amount
// The amount has a decimal comma: number_format($amount, 2, ',', '').
function ph12($f)
{
    $f['amount'] = number_format((float) $f['amount'], 2, ',', '');
    return sign($f);
}

// ph13 A one refund,order | referenceNumber
// A refund uses the order id as referenceNumber instead of transactionFCRN.
function ph13($f)
{
    $f['ref'] = $f['r']['orderId'];
    return sign($f);
}

// ph14 A one refund/void | referenceNumber
// The reference is missing in part 1 and present in part 2.
function ph14($f)
{
    return sha($f['ts'] . $f['sid'] . $f['amount']) . '///' . sha(second($f));
}

// ph15 B one | sid
// Part 1 lacks the sid.
function ph15($f)
{
    return sha($f['ts'] . $f['amount'] . $f['ref']) . '///' . sha(second($f));
}

// ph16 A one purchase/refund | merchantToken
// The signer uses the old token, which was replaced.
function ph16($f)
{
    $f['token'] = $f['s']['oldToken'];
    return sign($f);
}

// ph17 A one purchase/void | accountNumber
// The signer takes the account number of another branch from its configuration.
function ph17($f)
{
    $f['account'] = $f['s']['otherAccount'];
    return sign($f);
}

// ph18 B one | merchantToken
// The variable is in single quotes, so the text '$merchantToken' is hashed instead of the token.
function ph18($f)
{
    $f['token'] = '$merchantToken';
    return sign($f);
}

// ph19 A two purchase/refund,noorder,big | orderIdOrNull, amount
// The absent order id is an empty text instead of "null", and the amount has thousands separators.
function ph19($f)
{
    $amount = number_format((float) $f['amount'], 2);
    $order = $f['r']['orderId'] ?? '';
    $part2 = $f['ts'] . $order . $f['token'] . $f['account'] . $amount . $f['ref'];
    return sha($f['ts'] . $f['sid'] . $amount . $f['ref']) . '///' . sha($part2);
}

// ph20 A two purchase/refund | merchantToken, clientTimeStamp
// The token keeps the quotation marks of the .env file, and the time stamp is microtime(true), in seconds with a fraction.
function ph20($f)
{
    $f['token'] = '"' . $f['token'] . '"';
    $f['ts'] = $f['r']['clientTimeStamp'] / 1000;
    return sign($f);
}

// ph21 B two big | amount, hex case
// The amount has a decimal comma and dots between thousands, and the digests are upper-case hexadecimal.
function ph21($f)
{
    $f['amount'] = number_format((float) $f['amount'], 2, ',', '.');
    return strtoupper(sign($f));
}

// ph22 A two | digest, separator
// Part 2 is an HMAC-SHA256 with the token as key and without the token as term, and all terms are joined with "|".
function ph22($f)
{
    $order = $f['order'] ?: 'null';
    $part1 = implode('|', [$f['ts'], $f['sid'], $f['amount'], $f['ref']]);
    $part2 = implode('|', [$f['ts'], $order, $f['account'], $f['amount'], $f['ref']]);
    return sha($part1) . '///' . hash_hmac('sha256', $part2, $f['token']);
}

// ph23 A two void,noorder | amount, orderIdOrNull
// A void signs the amount "0", and the absent order id is "NULL" instead of "null".
function ph23($f)
{
    $f['amount'] = (float) $f['amount'];
    $f['order'] = $f['r']['orderId'] ?? 'NULL';
    return sign($f);
}

// ph24 B two | digest, joiner
// Both parts are MD5 digests, and they are joined with "//".
function ph24($f)
{
    return implode('//', [md5(first($f)), md5(second($f))]);
}

// ph25 A two inquiry,lower | orderIdOrNull, joiner
// idType is compared without converting it to upper case, so the order id is "null", and the parts are joined with "/".
function ph25($f)
{
    $f['order'] = $f['r']['idType'] === 'ORDER_ID' ? $f['r']['transactionId'] : '';
    return sha(first($f)) . '/' . sha(second($f));
}

// ph26 A two refund,order | referenceNumber, accountNumber
// A refund uses the order id as referenceNumber, and the account number is that of another branch.
function ph26($f)
{
    $f['ref'] = $f['r']['orderId'];
    $f['account'] = $f['s']['otherAccount'];
    return sign($f);
}

// ph27 A odd | joiner
// The signature passes through json_encode(), which escapes its slashes: "\/\/\/".
function ph27($f)
{
    return trim(json_encode(sign($f)), '"');
}

// ph28 A odd purchase/refund,ampersand | orderIdOrNull
// The order id passes through htmlspecialchars(), so "&" becomes "&amp;".
function ph28($f)
{
    $f['order'] = htmlspecialchars($f['order']);
    return sign($f);
}

// ph29 A odd purchase/refund,nonascii | encoding
// The texts are encoded as UTF-8 twice (utf8_encode() of text that is UTF-8).
function ph29($f)
{
    $twice = fn ($text) => iconv('ISO-8859-1', 'UTF-8', $text);
    return sha($twice(first($f))) . '///' . sha($twice(second($f)));
}

// ph30 A odd purchase/refund | separator
// The signer hashes query strings from http_build_query() instead of the joined values.
function ph30($f)
{
    $part1 = ['clientTimeStamp' => $f['ts'], 'sid' => $f['sid'],
        'amount' => $f['amount'], 'referenceNumber' => $f['ref']];
    $part2 = ['clientTimeStamp' => $f['ts'], 'orderId' => $f['order'] ?: 'null', 'merchantToken' => $f['token'],
        'accountNumber' => $f['account'], 'amount' => $f['amount'], 'referenceNumber' => $f['ref']];
    return sha(http_build_query($part1)) . '///' . sha(http_build_query($part2));
}

// ph31 B odd | merchantToken
// The file of the token starts with a UTF-8 byte order mark, which becomes part of the token.
function ph31($f)
{
    $f['token'] = "\u{FEFF}" . $f['token'];
    return sign($f);
}

// ph32 B odd order | referenceNumber
// The order id is an array, so the text "Array" is hashed as reference.
function ph32($f)
{
    $f['ref'] = @strval([$f['ref']]);
    return sign($f);
}

$lines = json_decode(file_get_contents($argv[1]), true);
foreach (preg_grep('/^ph\d+$/', get_defined_functions()['user']) as $program) {
    foreach ($lines as $line) {
        $result = ['program' => $program, 'request' => $line['id'], 'signature' => @$program(fields($line))];
        echo json_encode($result, JSON_UNESCAPED_SLASHES), "\n";
    }
}
