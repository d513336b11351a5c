<?php
const FIELDS = ['operationType', 'amount', 'merchantAccountNumber', 'accountNumber', 'orderId', 'sid',
    'clientTimeStamp', 'merchantToken', 'transactionFCRN', 'transactionId', 'idType'];
const SPACE = '[\t-\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}]*';
const NUMBER = '/^' . SPACE . '([+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|-Infinity)/u';
const BLANK = '/^' . SPACE . '$/Du';
const UUID = '/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/iD';

/** Returns the texts of all fields. Other values have texts, too, but not those of PHP. */
function texts(array $request): array {
    $texts = [];
    foreach (FIELDS as $field) {
        $value = $request[$field] ?? '';
        if ($field === 'clientTimeStamp' && $value !== '') {
            if (!is_int($value) || abs($value) >= 2 ** 53) refuse("400 $field must be an integer");
            $value = (string) $value;
        }
        if (!is_string($value)) refuse("400 $field must be a string");
        $texts[$field] = $value;
    }
    // strtoupper() leaves other letters as they are.
    if (preg_match('/[^\x00-\x7F]/', $texts['operationType'] . $texts['idType'])) {
        refuse('400 operationType and idType must be ASCII');
    }
    return $texts;
}

function refuse(string $reason): never {
    throw new InvalidArgumentException($reason);
}

function check(string $variant, array $texts): void {
    if (preg_match(NUMBER, $texts['amount'], $found) && ($found[1] === '-Infinity' || (float) $found[1] <= 0)) {
        refuse('400 Invalid amount: amount must be greater than 0');
    }
    if ($texts['merchantAccountNumber'] === '' && $texts['accountNumber'] === '') {
        refuse('400 merchantAccountNumber or accountNumber is required');
    }
    if ($texts['sid'] === '') refuse('400 sid is required (client-generated session ID)');
    if ($texts['clientTimeStamp'] === '') refuse('400 clientTimeStamp is required (client-generated timestamp)');
    if ($variant === 'A' && preg_match(BLANK, $texts['sid'])) refuse('500 sid must be a non-empty string');
    if ($variant === 'B' && !preg_match(UUID, $texts['sid'])) refuse('500 sid must be a valid GUID (UUID v4)');
}

function optional(string $text): string {
    return $text === 'null' || $text === 'undefined' ? '' : $text;
}

function sign(string $variant, string $token, array $request): string {
    $texts = texts($request);
    check($variant, $texts);
    if ($variant === 'B') {
        $amount = $texts['amount'] === 'undefined' ? '' : $texts['amount'];
        $reference = $texts['orderId'];
        $order = '';
    } else {
        $operation = strtolower(optional($texts['operationType']));
        $amount = optional($texts['amount']);
        $reference = '';
        $order = optional($texts['orderId']);
        if ($operation === 'refund' || $operation === 'void') {
            $reference = optional($texts['transactionFCRN']);
        }
        if ($operation === 'inquiry') {
            $reference = optional($texts['transactionId']);
            $order = strtoupper(optional($texts['idType'])) === 'ORDER_ID' ? $reference : '';
        }
        if ($operation === 'void' || $operation === 'inquiry') $amount = '';
        if ($order === '') $order = 'null'; // not empty(): "0" is an order id
    }
    $account = $texts['merchantAccountNumber'] === '' ? $texts['accountNumber'] : $texts['merchantAccountNumber'];
    if ($texts['merchantToken'] !== '') $token = $texts['merchantToken'];
    $time = $texts['clientTimeStamp'];
    return hash('sha256', $time . $texts['sid'] . $amount . $reference) . '///' .
        hash('sha256', $time . $order . $token . $account . $amount . $reference);
}

// The conformance protocol
try {
    $request = json_decode(stream_get_contents(STDIN), true, 512, JSON_THROW_ON_ERROR);
    echo sign(getenv('VARIANT'), getenv('MERCHANT_TOKEN'), $request), "\n";
} catch (InvalidArgumentException $refusal) {
    echo $refusal->getMessage(), "\n";
} catch (JsonException $error) {
    echo '400 ', $error->getMessage(), "\n";
}
