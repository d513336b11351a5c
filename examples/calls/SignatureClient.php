<?php

// Client of the payment signature service, for PHP 8.1 or newer. Copy this file into your project.

declare(strict_types=1);

/** A request that got no signature. */
final class SignatureError extends RuntimeException
{
    private const OTHER = 'probably not the service: a CDN, a firewall, a proxy or the app around it';

    /** @var string Error code of the service, such as "policy"; empty if another server responded, or none. */
    public $code; // PHP's own member, which cannot have a type
    /** Field at fault, such as "amount". */
    public readonly ?string $field;
    /** Rule of the policy, or code of your backend, such as "ALREADY_PAID". */
    public readonly ?string $reason;
    /** ID of the request in the service's log. */
    public readonly ?string $requestId;
    /** Seconds to wait before a retry. */
    public readonly ?int $retryAfter;

    /**
     * @param int $status HTTP status; 0 without a complete response
     * @param string $head lines of the response's head
     */
    public function __construct(public readonly int $status, string $head, string $text)
    {
        $find = static fn (string $pattern, string $in): ?string => preg_match($pattern, $in, $found) ? $found[1] : null;
        $errorCode = $find('/^Error-Code: *(.*)$/mi', $head) ?? '';
        $seconds = $find('/^Retry-After: *([0-9]{1,9})$/mi', $head); // a proxy may send a date
        $this->field = $find('/field=([\w.-]+)/', $errorCode);
        $this->reason = $find('/reason=([\w.-]+)/', $errorCode);
        $this->requestId = $find('/^X-Request-Id: *(.*)$/mi', $head);
        $this->retryAfter = $seconds === null ? null : (int) $seconds;
        $isOther = $status !== 0 && $errorCode === '' && !preg_match('/^\s*\{.*"error"\s*:/s', $text);
        $source = $isOther ? self::OTHER : $errorCode;
        parent::__construct("$status $source (request $this->requestId): " . substr($text, 0, 200));
        $this->code = explode(';', $errorCode)[0];
    }
}

/** Requests signatures at a URL. */
final class SignatureClient
{
    /** @var string[] */
    private array $headers = [
        'Content-Type: application/json',
        'User-Agent: payment-signature-client', // firewalls refuse requests without one
    ];

    /**
     * @param string $url the whole URL of the endpoint
     * @param ?string $key API key of the policy
     * @param int $timeout milliseconds for connecting and for each read
     * @param int $attempts number of attempts; 1: no retry
     */
    public function __construct(
        private string $url,
        #[SensitiveParameter] ?string $key = null,
        private int $timeout = 5000,
        private int $attempts = 4
    ) {
        if (!preg_match('~^https?://~i', $url)) throw new InvalidArgumentException('url must begin with http:// or https://');
        $key = trim($key ?? '');
        if (!preg_match('/^[!-~]*$/D', $key)) throw new InvalidArgumentException('key must be one line of ASCII characters without spaces');
        if ($key !== '') $this->headers[] = "Authorization: Bearer $key";
    }

    /**
     * Returns the signature of the fields. May sleep up to 10 seconds before a retry.
     *
     * @param array<string, mixed> $fields
     * @throws SignatureError
     */
    public function sign(array $fields): string
    {
        $body = json_encode($fields, JSON_THROW_ON_ERROR);
        for ($attempt = 1; ; $attempt++) {
            try {
                return $this->post($body);
            } catch (SignatureError $error) {
                $wait = max(0.2 * $attempt, $error->retryAfter ?? 0);
                $isTemporary = in_array($error->status, [0, 408, 502, 503, 504, ...range(520, 524)], true)
                    || $error->status === 429 && $error->retryAfter !== null;
                if (!$isTemporary || $attempt >= $this->attempts || $wait > 10) throw $error;
            }
            usleep((int) (1e6 * $wait));
        }
    }

    private function post(string $body): string
    {
        $stream = @fopen($this->url, 'r', false, stream_context_create(['http' => [
            'method' => 'POST',
            'header' => $this->headers,
            'content' => $body,
            'timeout' => $this->timeout / 1000,
            'follow_location' => 0, // fields and key are for one URL
            'ignore_errors' => true, // a response with another status than 200 has a body, too
        ]]));
        if ($stream === false) throw new SignatureError(0, '', error_get_last()['message'] ?? 'no response');
        $text = (string) stream_get_contents($stream);
        $meta = stream_get_meta_data($stream);
        $head = implode("\n", $meta['wrapper_data']);
        $status = preg_match('/^HTTP\S+ ([0-9]+)/', $head, $found) ? (int) $found[1] : 0;
        $length = preg_match('/^Content-Length: *([0-9]+)/mi', $head, $found) ? (int) $found[1] : 0;
        if ($meta['timed_out'] || strlen($text) < $length) throw new SignatureError(0, '', 'the response is not complete');
        if ($status === 200 && preg_match('~"signature"\s*:\s*"([0-9a-f]{64}///[0-9a-f]{64})"~', $text, $found)) {
            return $found[1]; // a log-in page has status 200, too
        }
        throw new SignatureError($status, $head, $text);
    }
}
