<?php
function optional(array $request, string $field): string {
    $text = (string) ($request[$field] ?? '');
    return $text === 'null' || $text === 'undefined' ? '' : $text;
}

function check(string $variant, array $request): void {
    $amount = $request['amount'] ?? '';
    $sid = $request['sid'] ?? '';
    $uuid = '/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/iD';
    // A leading number, as in "-5 EGP", which (float) reads. A text without one is accepted.
    $hasNumber = preg_match('/^\s*[+-]?(\d|\.\d)/', (string) $amount) === 1;
    $refusal = match (true) {
        $hasNumber && (float) $amount <= 0 => '400 Invalid amount: amount must be greater than 0',
        !given($request['merchantAccountNumber'] ?? null) && !given($request['accountNumber'] ?? null) =>
            '400 merchantAccountNumber or accountNumber is required',
        $sid === '' => '400 sid is required (client-generated session ID)',
        !isset($request['clientTimeStamp']) => '400 clientTimeStamp is required (client-generated timestamp)',
        $variant === 'A' && (!is_string($sid) || trim($sid) === '') => '500 sid must be a non-empty string',
        $variant === 'B' && (!is_string($sid) || preg_match($uuid, $sid) !== 1) => '500 sid must be a valid GUID (UUID v4)',
        default => null,
    };
    if ($refusal !== null) throw new InvalidArgumentException($refusal);
}

function given(mixed $value): bool {
    return $value !== null && $value !== '' && $value !== false && $value !== 0;
}

function sign(string $variant, string $token, array $request): string {
    check($variant, $request);
    if ($variant === 'B') {
        $amount = (string) ($request['amount'] ?? '');
        if ($amount === 'undefined') $amount = '';
        $reference = (string) ($request['orderId'] ?? '');
        $order = '';
    } else {
        $operation = strtolower(optional($request, 'operationType'));
        $amount = optional($request, 'amount');
        $reference = '';
        $order = optional($request, 'orderId');
        if ($operation === 'refund' || $operation === 'void') {
            $reference = optional($request, 'transactionFCRN');
        }
        if ($operation === 'inquiry') {
            $reference = optional($request, 'transactionId');
            $order = strtoupper(optional($request, 'idType')) === 'ORDER_ID' ? $reference : '';
        }
        if ($operation === 'void' || $operation === 'inquiry') $amount = '';
        if ($order === '') $order = 'null'; // not empty(): "0" is an order id
    }
    $account = $request['merchantAccountNumber'] ?? '';
    if (!given($account)) $account = $request['accountNumber'];
    $own = $request['merchantToken'] ?? '';
    if (given($own)) $token = (string) $own;
    $time = (string) $request['clientTimeStamp'];
    return hash('sha256', $time . $request['sid'] . $amount . $reference) . '///' .
        hash('sha256', $time . $order . $token . $account . $amount . $reference);
}

// The conformance protocol
$request = json_decode(stream_get_contents(STDIN), true, 512, JSON_THROW_ON_ERROR);
try {
    echo sign(getenv('VARIANT'), getenv('MERCHANT_TOKEN'), $request), "\n";
} catch (InvalidArgumentException $refusal) {
    echo $refusal->getMessage(), "\n";
}
