import java.time.Duration;
import java.util.*;

class Caller {
    public static void main(String[] arguments) throws Exception {
        var lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            var parts = lines.nextLine().split("\t", -1);
            Map<String, Object> request = new LinkedHashMap<>();
            for (var field : List.of(parts).subList(4, parts.length)) {
                var pair = field.split("=", 2);
                request.put(pair[0], pair[0].equals("clientTimeStamp") ? (Object) Long.valueOf(pair[1]) : pair[1]);
            }
            try {
                var timeout = Duration.ofMillis(Long.parseLong(parts[2]));
                System.out.println(new SignatureClient(parts[0], parts[1], timeout, Integer.parseInt(parts[3])).sign(request));
            } catch (SignatureClient.SignatureError error) {
                var members = new Object[] {
                    error.status, error.code, error.field, error.reason, error.requestId, error.retryAfter, error.getMessage()
                };
                var texts = new StringJoiner("|");
                for (var member : members) texts.add(member == null ? "" : member.toString());
                System.out.println(texts);
            } catch (IllegalArgumentException error) {
                System.out.println("argument: " + error.getMessage());
            }
        }
    }
}
