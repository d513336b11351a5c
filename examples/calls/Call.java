import java.io.IOException;
import java.net.URI;
import java.net.http.*;
import java.util.List;
import java.util.concurrent.*;
import java.util.regex.Pattern;

public class Call {
    static final HttpClient client = HttpClient.newHttpClient();
    static final Pattern signatureIn = Pattern.compile("\"signature\"\\s*:\\s*\"([0-9a-f]{64}///[0-9a-f]{64})\"");

    static String sign(String json) throws IOException, InterruptedException {
        var builder = HttpRequest.newBuilder(URI.create(System.getenv("SIGNATURE_URL")))
            .header("Content-Type", "application/json");
        var key = System.getenv("SIGNATURE_KEY");
        if (key != null && !key.isEmpty()) builder.header("Authorization", "Bearer " + key);
        var request = builder.POST(HttpRequest.BodyPublishers.ofString(json)).build();
        for (int attempt = 1; ; attempt++) {
            long wait = 200L * attempt;
            boolean isFinal = false;
            IOException failure;
            var sending = client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
            try {
                var response = sending.get(5, TimeUnit.SECONDS); // HttpRequest's timeout ends with the headers
                int status = response.statusCode();
                var found = signatureIn.matcher(response.body());
                if (status == 200 && found.find()) return found.group(1); // a log-in page has status 200, too
                var headers = response.headers();
                failure = new IOException("status " + status + ", " + headers.firstValue("Error-Code").orElse("") + ", "
                    + headers.firstValue("X-Request-Id").orElse("") + ": " + response.body());
                var seconds = headers.firstValue("Retry-After").filter(text -> text.matches("\\d{1,9}")); // a proxy may send a date
                wait = Math.max(wait, 1000 * seconds.map(Long::parseLong).orElse(0L));
                boolean isRefused = status == 429 && headers.firstValue("Retry-After").isEmpty();
                isFinal = isRefused || !List.of(408, 429, 502, 503, 504).contains(status);
            } catch (ExecutionException error) {
                failure = new IOException(error.getCause());
            } catch (TimeoutException error) {
                failure = new IOException("no response within 5 seconds", error);
            } finally {
                sending.cancel(true); // closes the connection if there is no response
            }
            if (isFinal || attempt == 4 || wait > 10_000) throw failure;
            Thread.sleep(wait);
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println(sign("""
            {"amount": "100.00", "merchantAccountNumber": "102551", "orderId": "ORDER-12345",
             "sid": "client-generated-session-id", "clientTimeStamp": 1709912345678}"""));
    }
}
