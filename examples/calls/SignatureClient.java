import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Client of the payment signature service, for Java 11 or newer. Copy this file into your project, and add its package. */
public final class SignatureClient {
    /** A request that got no signature. */
    public static final class SignatureError extends IOException {
        /** HTTP status; 0 without a complete response. */
        public final int status;
        /** Error code of the service, such as "policy"; empty if another server responded, or none. */
        public final String code;
        /** Field at fault, such as "amount"; or null. */
        public final String field;
        /** Rule of the policy, or code of your backend, such as "ALREADY_PAID"; or null. */
        public final String reason;
        /** ID of the request in the service's log; or null. */
        public final String requestId;
        /** Seconds to wait before a retry; or null. */
        public final Integer retryAfter;

        private SignatureError(int status, HttpHeaders headers, String text, Throwable cause) {
            super(status + " " + header(headers, "Error-Code", "") + " (request " + header(headers, "X-Request-Id", null) + "): "
                + text.substring(0, Math.min(200, text.length())), cause);
            var errorCode = header(headers, "Error-Code", "");
            var seconds = find("^([0-9]{1,9})$", header(headers, "Retry-After", "")); // a proxy may send a date
            this.status = status;
            this.code = errorCode.split(";", 2)[0];
            this.field = find("field=([\\w.-]+)", errorCode);
            this.reason = find("reason=([\\w.-]+)", errorCode);
            this.requestId = header(headers, "X-Request-Id", null);
            this.retryAfter = seconds == null ? null : Integer.valueOf(seconds);
        }

        private static String header(HttpHeaders headers, String name, String otherwise) {
            return headers.firstValue(name).orElse(otherwise);
        }
    }

    private static final HttpHeaders noHeaders = HttpHeaders.of(Map.of(), (name, value) -> true);

    private final HttpClient client;
    private final HttpRequest.Builder request;
    private final Duration timeout;
    private final int attempts;

    /** Makes a client with a time-out of 5 seconds and 4 attempts. */
    public SignatureClient(String url, String key) {
        this(url, key, Duration.ofSeconds(5), 4);
    }

    /**
     * @param url the whole URL of the endpoint
     * @param key API key of the policy; or null
     * @param timeout time until the whole response of an attempt must be there
     * @param attempts number of attempts; 1: no retry
     */
    public SignatureClient(String url, String key, Duration timeout, int attempts) {
        this.client = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER).build(); // fields and key are for one URL
        this.request = HttpRequest.newBuilder(URI.create(url)).header("Content-Type", "application/json");
        var word = key == null ? "" : key.strip();
        if (!word.matches("[!-~]*")) throw new IllegalArgumentException("key must be one line of ASCII characters without spaces");
        if (!word.isEmpty()) request.header("Authorization", "Bearer " + word);
        this.timeout = timeout;
        this.attempts = attempts;
    }

    /** Returns the signature of the fields. May sleep up to 10 seconds before a retry. */
    public String sign(Map<String, ?> fields) throws SignatureError, InterruptedException {
        var body = json(fields);
        for (int attempt = 1; ; attempt++) {
            long wait = 200L * attempt;
            try {
                return post(body);
            } catch (SignatureError error) {
                if (error.retryAfter != null) wait = Math.max(wait, 1000L * error.retryAfter);
                boolean isTemporary = List.of(0, 408, 502, 503, 504).contains(error.status)
                    || error.status == 429 && error.retryAfter != null;
                if (!isTemporary || attempt >= attempts || wait > 10_000) throw error;
            }
            Thread.sleep(wait);
        }
    }

    private String post(String body) throws SignatureError, InterruptedException {
        var post = request.copy().POST(HttpRequest.BodyPublishers.ofString(body)).build();
        var sending = client.sendAsync(post, HttpResponse.BodyHandlers.ofString());
        try {
            var response = sending.get(timeout.toMillis(), TimeUnit.MILLISECONDS); // HttpRequest's timeout ends with the headers
            var signature = find("\"signature\"\\s*:\\s*\"([0-9a-f]{64}///[0-9a-f]{64})\"", response.body());
            if (response.statusCode() == 200 && signature != null) return signature; // a log-in page has status 200, too
            throw new SignatureError(response.statusCode(), response.headers(), response.body(), null);
        } catch (ExecutionException error) {
            throw new SignatureError(0, noHeaders, String.valueOf(error.getCause()), error.getCause());
        } catch (TimeoutException error) {
            throw new SignatureError(0, noHeaders, "no complete response within " + timeout, error);
        } finally {
            sending.cancel(true); // closes the connection if there is no response
        }
    }

    /** Returns the first group of a pattern; or null. */
    private static String find(String pattern, String text) {
        var found = Pattern.compile(pattern).matcher(text);
        return found.find() ? found.group(1) : null;
    }

    /** Returns the JSON of texts and numbers. */
    private static String json(Map<String, ?> fields) {
        return fields.entrySet().stream()
            .map(field -> quoted(field.getKey()) + ":" + valueOf(field.getValue()))
            .collect(Collectors.joining(",", "{", "}"));
    }

    private static String valueOf(Object value) {
        return value == null || value instanceof Number ? String.valueOf(value) : quoted(value.toString());
    }

    private static String quoted(String text) {
        var escaped = Pattern.compile("[\"\\\\\\x00-\\x1f]").matcher(text)
            .replaceAll(found -> String.format("\\\\u%04x", (int) found.group().charAt(0)));
        return '"' + escaped + '"';
    }
}
