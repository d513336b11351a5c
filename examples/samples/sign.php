<?php
function optional(array $request, string $field): string {
    $text = (string) ($request[$field] ?? '');
    return $text === 'null' || $text === 'undefined' ? '' : $text;
}

function sign(string $variant, string $token, array $request): string {
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
    $given = fn ($value) => $value !== null && $value !== '' && $value !== false && $value !== 0;
    $account = $request['merchantAccountNumber'] ?? '';
    if (!$given($account)) $account = $request['accountNumber'];
    $own = $request['merchantToken'] ?? '';
    if ($given($own)) $token = (string) $own;
    $time = (string) $request['clientTimeStamp'];
    return hash('sha256', $time . $request['sid'] . $amount . $reference) . '///' .
        hash('sha256', $time . $order . $token . $account . $amount . $reference);
}

// The conformance protocol
$request = json_decode(stream_get_contents(STDIN), true, 512, JSON_THROW_ON_ERROR);
echo sign(getenv('VARIANT'), getenv('MERCHANT_TOKEN'), $request), "\n";
