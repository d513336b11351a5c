import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** Client of the payment signature service, for Java 11 or newer, and Android. Copy this file, and add your package. */
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

        private SignatureError(
            int status, String errorCode, String requestId, String retryAfter, String text, Throwable cause
        ) {
            super(status + " " + source(status, errorCode, text) + " (request " + requestId + "): "
                + text.substring(0, Math.min(200, text.length())), cause);
            var seconds = find("^([0-9]{1,9})$", retryAfter); // a proxy may send a date
            this.status = status;
            this.code = errorCode.split(";", 2)[0];
            this.field = find("field=([\\w.-]+)", errorCode);
            this.reason = find("reason=([\\w.-]+)", errorCode);
            this.requestId = requestId;
            this.retryAfter = seconds == null ? null : Integer.valueOf(seconds);
        }

        private static String source(int status, String errorCode, String text) {
            var isKnown = status == 0 || !errorCode.isEmpty() || find("(?s)^\\s*(\\{).*\"error\"\\s*:", text) != null;
            return isKnown ? errorCode : "probably not the service: a CDN, a firewall, a proxy or the app around it";
        }
    }

    private static final List<Integer> temporary = List.of(0, 408, 502, 503, 504, 520, 521, 522, 523, 524);

    private final URL url;
    private final String key;
    private final int timeout;
    private final int attempts;

    /** Makes a client with a time-out of 5 seconds and 4 attempts. */
    public SignatureClient(String url, String key) {
        this(url, key, Duration.ofSeconds(5), 4);
    }

    /**
     * @param url the whole URL of the endpoint
     * @param key API key of the policy, or in an app the session of your user; or null
     * @param timeout time until the whole response of an attempt must be there
     * @param attempts number of attempts; 1: no retry
     */
    public SignatureClient(String url, String key, Duration timeout, int attempts) {
        try {
            this.url = new URL(url);
        } catch (MalformedURLException error) {
            throw new IllegalArgumentException(error);
        }
        this.key = key == null ? "" : key.trim();
        if (!this.key.matches("[!-~]*")) {
            throw new IllegalArgumentException("key must be one line of ASCII characters without spaces");
        }
        this.timeout = (int) timeout.toMillis();
        this.attempts = attempts;
    }

    /** Returns the signature of the fields. May sleep up to 10 seconds before a retry. Not for a thread of a user interface. */
    public String sign(Map<String, ?> fields) throws SignatureError, InterruptedException {
        var body = json(fields).getBytes(StandardCharsets.UTF_8);
        for (int attempt = 1; ; attempt++) {
            var wait = 200L * attempt;
            try {
                return post(body);
            } catch (SignatureError error) {
                if (error.retryAfter != null) wait = Math.max(wait, 1000L * error.retryAfter);
                var isTemporary = temporary.contains(error.status) || error.status == 429 && error.retryAfter != null;
                if (!isTemporary || attempt >= attempts || wait > 10_000) throw error;
            }
            Thread.sleep(wait);
        }
    }

    private String post(byte[] body) throws SignatureError, InterruptedException {
        HttpURLConnection connection;
        try {
            connection = (HttpURLConnection) url.openConnection(); // connects later
        } catch (IOException error) {
            throw new SignatureError(0, "", null, "", error.toString(), error);
        }
        var response = new FutureTask<String>(() -> exchange(connection, body));
        var thread = new Thread(response);
        thread.setDaemon(true);
        thread.start();
        try {
            return response.get(timeout, TimeUnit.MILLISECONDS); // setReadTimeout begins again with each byte
        } catch (ExecutionException error) {
            if (error.getCause() instanceof SignatureError) throw (SignatureError) error.getCause();
            throw new SignatureError(0, "", null, "", String.valueOf(error.getCause()), error.getCause());
        } catch (TimeoutException error) {
            throw new SignatureError(0, "", null, "", "no complete response within " + timeout + " ms", error);
        } finally {
            connection.disconnect();
        }
    }

    private String exchange(HttpURLConnection connection, byte[] body) throws IOException {
        connection.setRequestMethod("POST");
        connection.setConnectTimeout(timeout);
        connection.setReadTimeout(timeout);
        connection.setInstanceFollowRedirects(false); // fields and key are for one URL
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setRequestProperty("User-Agent", "payment-signature-client"); // firewalls refuse Java's own
        if (!key.isEmpty()) connection.setRequestProperty("Authorization", "Bearer " + key);
        connection.setDoOutput(true);
        try (var stream = connection.getOutputStream()) {
            stream.write(body);
        }
        var status = connection.getResponseCode();
        var text = read(connection, status);
        var signature = find("\"signature\"\\s*:\\s*\"([0-9a-f]{64}///[0-9a-f]{64})\"", text);
        if (status == 200 && signature != null) return signature; // a log-in page has status 200, too
        throw new SignatureError(status, header(connection, "Error-Code"), connection.getHeaderField("X-Request-Id"),
            header(connection, "Retry-After"), text, null);
    }

    private static String header(HttpURLConnection connection, String name) {
        var value = connection.getHeaderField(name);
        return value == null ? "" : value;
    }

    private static String read(HttpURLConnection connection, int status) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var stream = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            var buffer = new byte[8192];
            for (int length; stream != null && (length = stream.read(buffer)) >= 0; ) bytes.write(buffer, 0, length);
        }
        if (bytes.size() < connection.getContentLength()) throw new IOException("the response is not complete");
        return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
    }

    /** Returns the first group of a pattern; or null. */
    private static String find(String pattern, String text) {
        var found = Pattern.compile(pattern).matcher(text);
        return found.find() ? found.group(1) : null;
    }

    /** Returns the JSON of texts and numbers. */
    private static String json(Map<String, ?> fields) {
        var json = new StringBuilder("{");
        for (var field : fields.entrySet()) {
            if (json.length() > 1) json.append(',');
            var value = field.getValue();
            json.append(quoted(field.getKey())).append(':');
            json.append(value == null || value instanceof Number ? String.valueOf(value) : quoted(value.toString()));
        }
        return json.append('}').toString();
    }

    private static String quoted(String text) {
        var quoted = new StringBuilder("\"");
        for (char unit : text.toCharArray()) {
            if (unit < ' ' || unit == '"' || unit == '\\') quoted.append(String.format("\\u%04x", (int) unit));
            else quoted.append(unit);
        }
        return quoted.append('"').toString();
    }
}
