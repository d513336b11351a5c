<?php
// A client of the conformance protocol with --batch, written from the specification.
// PHP's JSON decoder refuses a lone surrogate and a key that begins with U+0000: these requests get an empty answer.
ini_set('serialize_precision', '-1'); // the shortest digits

const SPACE = '\x{9}-\x{d}\x{20}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}';
const NUMBER = '/^[' . SPACE . ']*([+-]?(?:Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?))/u';
const UUID = '/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/iD';

class Refusal extends Exception {}

// Specification 10.1
function numberText(float $number): string {
    if ($number == 0) return '0';
    if (is_infinite($number)) return $number > 0 ? 'Infinity' : '-Infinity';
    preg_match('/^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/i', json_encode($number), $part);
    [, $sign, $whole] = $part;
    $all = $whole . ($part[3] ?? '');
    $point = strlen($whole) + (int) ($part[4] ?? 0) - strspn($all, '0');
    $digits = trim($all, '0');
    $count = strlen($digits);
    if ($count <= $point && $point <= 21) return $sign . str_pad($digits, $point, '0');
    if (0 < $point && $point <= 21) return $sign . substr($digits, 0, $point) . '.' . substr($digits, $point);
    if (-6 < $point && $point <= 0) return $sign . '0.' . str_repeat('0', -$point) . $digits;
    return $sign . $digits[0] . ($count > 1 ? '.' . substr($digits, 1) : '') . 'e' . sprintf('%+d', $point - 1);
}

function depth(mixed $value): int {
    return is_array($value) ? 1 + max([0, ...array_map(depth(...), $value)]) : 0;
}

function textOf(mixed $value): string {
    if (depth($value) > 8) throw new Refusal('500 a value is nested more than 8 levels deep');
    return textOfAny($value);
}

function textOfAny(mixed $value): string {
    if (is_string($value)) return $value;
    if (is_bool($value)) return $value ? 'true' : 'false';
    if (is_int($value) || is_float($value)) return numberText((float) $value);
    if (is_array($value)) return implode(',', array_map(fn ($item) => $item === null ? '' : textOfAny($item), $value));
    if ($value === null) return 'null';
    if (property_exists($value, 'toString')) throw new Refusal('500 Cannot convert object to primitive value');
    return '[object Object]';
}

// Specification 10.3
function isTruthy(mixed $value): bool {
    return !($value === null || $value === false || $value === '' || ((is_int($value) || is_float($value)) && $value == 0));
}

function optional(object $request, string $field): string {
    $text = textOf($request->$field ?? '');
    return $text === 'null' || $text === 'undefined' ? '' : $text;
}

// Specification 4.3
function termsOfA(object $request): array {
    $names = ['operationType', 'amount', 'orderId', 'transactionFCRN', 'transactionId', 'idType'];
    [$operation, $amount, $order, $fcrn, $id, $idType] = array_map(fn ($name) => optional($request, $name), $names);
    $isOrderId = strtoupper(str_replace("\u{131}", 'I', $idType)) === 'ORDER_ID'; // 10.5: dotless i uppercases to I
    [$amount, $reference, $order] = match (strtolower($operation)) {
        'refund' => [$amount, $fcrn, $order],
        'void' => ['', $fcrn, $order],
        'inquiry' => ['', $id, $isOrderId ? $id : ''],
        default => [$amount, '', $order],
    };
    return [$amount, $reference, $order === '' ? 'null' : $order];
}

// Specification 4.4
function termsOfB(object $request): array {
    $amount = textOf($request->amount ?? '');
    return [$amount === 'undefined' ? '' : $amount, textOf($request->orderId ?? ''), ''];
}

// Specification 4.1
function sign(string $variant, string $token, mixed $request): string {
    if (!is_object($request)) throw new Refusal('400 not an object');
    $amount = property_exists($request, 'amount') ? textOf($request->amount) : 'undefined';
    if (preg_match(NUMBER, $amount, $match) === 1) {
        $number = str_ends_with($match[1], 'Infinity') ? ($match[1][0] === '-' ? -1 : 1) : (float) $match[1];
        if ($number <= 0) throw new Refusal('400 Invalid amount: amount must be greater than 0');
    }
    $account = $request->merchantAccountNumber ?? null;
    if (!isTruthy($account)) $account = $request->accountNumber ?? null;
    if (!isTruthy($account)) throw new Refusal('400 merchantAccountNumber or accountNumber is required');
    $sid = $request->sid ?? '';
    if ($sid === '') throw new Refusal('400 sid is required (client-generated session ID)');
    if (!isset($request->clientTimeStamp)) throw new Refusal('400 clientTimeStamp is required (client-generated timestamp)');

    [$amount, $reference, $order] = $variant === 'A' ? termsOfA($request) : termsOfB($request);
    if ($variant === 'A' && (!is_string($sid) || preg_match('/[^' . SPACE . ']/u', $sid) !== 1)) {
        throw new Refusal('500 sid must be a non-empty string');
    }
    if ($variant === 'B' && (!is_string($sid) || preg_match(UUID, $sid) !== 1)) {
        throw new Refusal('500 sid must be a valid GUID (UUID v4)');
    }
    $time = textOf($request->clientTimeStamp);
    $own = $request->merchantToken ?? null;
    if (isTruthy($own)) $token = textOf($own);
    $account = textOf($account);
    return hash('sha256', $time . $sid . $amount . $reference) . '///' .
        hash('sha256', $time . $order . $token . $account . $amount . $reference);
}

while (($line = fgets(STDIN)) !== false) {
    try {
        $message = json_decode($line, false, 512, JSON_THROW_ON_ERROR);
        echo sign($message->variant, $message->token, $message->request), "\n";
    } catch (Refusal $refusal) {
        echo $refusal->getMessage(), "\n";
    } catch (JsonException) {
        echo "\n";
    }
}
