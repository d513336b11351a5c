<?php
function sign(array $fields): string {
    $header = ['Content-Type: application/json'];
    if (getenv('SIGNATURE_KEY')) $header[] = 'Authorization: Bearer ' . getenv('SIGNATURE_KEY');
    for ($attempt = 1; ; $attempt++) {
        $wait = 0.2 * $attempt;
        $status = 0;
        $isRefused = false;
        $stream = @fopen(getenv('SIGNATURE_URL'), 'r', false, stream_context_create(['http' => [
            'method' => 'POST',
            'header' => $header,
            'content' => json_encode($fields, JSON_THROW_ON_ERROR),
            'timeout' => 5, // seconds for each read, not in total
            'follow_location' => 0, // the length below is of one response
            'ignore_errors' => true, // a response with another status than 200 has a body, too
        ]]));
        $failure = error_get_last()['message'] ?? 'no response';
        if ($stream !== false) {
            $text = stream_get_contents($stream);
            $meta = stream_get_meta_data($stream);
            $head = implode("\n", $meta['wrapper_data']);
            $status = preg_match('/^HTTP\S+ (\d+)/', $head, $found) ? (int) $found[1] : 0;
            $signature = json_decode($text)->signature ?? null;
            $isSignature = is_string($signature) && preg_match('~^[0-9a-f]{64}///[0-9a-f]{64}\z~', $signature);
            if ($status === 200 && $isSignature) return $signature; // a log-in page has status 200, too
            $code = preg_match('/^Error-Code: (.*)/mi', $head, $found) ? $found[1] : '';
            $id = preg_match('/^X-Request-Id: (.*)/mi', $head, $found) ? $found[1] : '';
            $failure = "status $status, $code, $id: $text";
            $length = preg_match('/^Content-Length: (\d+)/mi', $head, $found) ? (int) $found[1] : 0;
            if ($meta['timed_out'] || strlen($text) < $length) $status = 0; // part of a response
            if (preg_match('/^Retry-After: (\d+)/mi', $head, $found)) $wait = max($wait, (int) $found[1]);
            else $isRefused = $status === 429;
        }
        $isFinal = $isRefused || !in_array($status, [0, 408, 429, 502, 503, 504], true);
        if ($isFinal || $attempt === 4 || $wait > 10) throw new RuntimeException($failure);
        usleep((int) (1e6 * $wait));
    }
}

echo sign([
    'amount' => '100.00',
    'merchantAccountNumber' => '102551',
    'orderId' => 'ORDER-12345',
    'sid' => 'client-generated-session-id',
    'clientTimeStamp' => 1709912345678,
]), "\n";
