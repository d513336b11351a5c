import java.io.IOException;
import java.net.URI;
import java.net.http.*;
import java.time.Duration;
import java.util.List;

public class Call {
    static final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    static String sign(String json) throws IOException, InterruptedException {
        var builder = HttpRequest.newBuilder(URI.create(System.getenv("SIGNATURE_URL")))
            .header("Content-Type", "application/json").timeout(Duration.ofSeconds(5));
        var key = System.getenv("SIGNATURE_KEY");
        if (key != null && !key.isEmpty()) builder.header("Authorization", "Bearer " + key);
        var request = builder.POST(HttpRequest.BodyPublishers.ofString(json)).build();
        for (int attempt = 1; ; attempt++) {
            long wait = 200L * attempt;
            boolean isFinal = false;
            IOException failure;
            try {
                var response = client.send(request, HttpResponse.BodyHandlers.ofString());
                int status = response.statusCode();
                if (status == 200) return response.body().replaceFirst(".*\"signature\":\"([^\"]*)\".*", "$1");
                var headers = response.headers();
                failure = new IOException("status " + status + ", " + headers.firstValue("Error-Code").orElse("") + ": " + response.body());
                var seconds = headers.firstValue("Retry-After").filter(text -> text.matches("\\d{1,9}")); // a proxy may send a date
                wait = Math.max(wait, 1000 * seconds.map(Long::parseLong).orElse(0L));
                boolean isRefused = status == 429 && headers.firstValue("Retry-After").isEmpty();
                isFinal = isRefused || !List.of(408, 429, 502, 503, 504).contains(status);
            } catch (IOException error) {
                failure = error;
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
