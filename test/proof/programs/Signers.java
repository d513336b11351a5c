// Signers with mistakes, as Java programmers make them. Usage: java Signers.java requests.json
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

public class Signers {
    /** The members of a request and its surroundings, and the terms as the specification derives them. */
    static class F {
        static final Pattern MEMBER = Pattern.compile("\"(\\w+)\": (?:\"((?:[^\"\\\\]|\\\\.)*)\"|(\\d+))");
        final Map<String, String> r = new HashMap<>();
        final boolean a;
        String ts, sid, amount, ref = "", order, token, account;

        F(String line) {
            var matcher = MEMBER.matcher(line);
            while (matcher.find()) {
                String text = matcher.group(2);
                r.put(matcher.group(1), text == null ? matcher.group(3) : text.replaceAll("\\\\(.)", "$1"));
            }
            a = r.get("id").startsWith("A");
            ts = r.get("clientTimeStamp");
            sid = r.get("sid");
            amount = r.getOrDefault("amount", "");
            order = r.getOrDefault("orderId", "");
            token = r.get("token");
            account = r.getOrDefault("merchantAccountNumber", r.get("accountNumber"));
            switch (a ? r.getOrDefault("operationType", "purchase").toLowerCase(Locale.ROOT) : "B") {
                case "B" -> ref = order;
                case "refund" -> ref = r.getOrDefault("transactionFCRN", "");
                case "void" -> {
                    ref = r.getOrDefault("transactionFCRN", "");
                    amount = "";
                }
                case "inquiry" -> {
                    ref = r.getOrDefault("transactionId", "");
                    order = r.get("idType").equalsIgnoreCase("ORDER_ID") ? ref : "";
                    amount = "";
                }
                default -> { }
            }
        }
    }

    static String first(F f) {
        return f.ts + f.sid + f.amount + f.ref;
    }

    static String second(F f) {
        String order = f.a ? (f.order.isEmpty() ? "null" : f.order) : "";
        return f.ts + order + f.token + f.account + f.amount + f.ref;
    }

    static byte[] digest(String algorithm, byte[] bytes) throws Exception {
        return MessageDigest.getInstance(algorithm).digest(bytes);
    }

    static String hex(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte b : bytes) {
            text.append(String.format("%02x", b));
        }
        return text.toString();
    }

    static String sha(String text) throws Exception {
        return hex(digest("SHA-256", text.getBytes(StandardCharsets.UTF_8)));
    }

    static String sign(F f) throws Exception {
        return sha(first(f)) + "///" + sha(second(f));
    }

    // ja00 correct
    static String ja00(F f) throws Exception {
        return sign(f);
    }

    // ja01 A one purchase/refund,round | amount
    // The amount is a double joined as text, so "100.00" becomes "100.0".
    static String ja01(F f) throws Exception {
        f.amount = "" + Double.parseDouble(f.amount);
        return sign(f);
    }

    // ja02 B one huge | amount
    // The amount is a double joined as text, which is in scientific notation from ten millions ("1.25000005E7").
    static String ja02(F f) throws Exception {
        f.amount = Double.toString(Double.parseDouble(f.amount));
        return sign(f);
    }

    // ja03 A one purchase | referenceNumber
    // A purchase has a null reference, which Java joins as the text "null" instead of an empty text.
    static String ja03(F f) throws Exception {
        String ref = f.r.get("transactionFCRN");
        return sha(f.ts + f.sid + f.amount + ref) + "///" + sha(second(f) + ref);
    }

    // ja04 A one purchase/refund | amount
    // The amount is formatted with String.format("%.2f") in a German locale, so it has a decimal comma.
    static String ja04(F f) throws Exception {
        f.amount = String.format(Locale.GERMANY, "%.2f", new BigDecimal(f.amount));
        return sign(f);
    }

    // ja05 A one purchase/refund,hundreds | amount
    // The amount is BigDecimal.stripTrailingZeros().toString(), so "100.00" becomes "1E+2".
    static String ja05(F f) throws Exception {
        f.amount = new BigDecimal(f.amount).stripTrailingZeros().toString();
        return sign(f);
    }

    // ja06 B one | digest
    // Integer.toHexString() writes the bytes of the digests without leading zeros, so the parts are too short.
    static String ja06(F f) throws Exception {
        StringBuilder text = new StringBuilder();
        for (String part : new String[] {first(f), second(f)}) {
            for (byte b : digest("SHA-256", part.getBytes(StandardCharsets.UTF_8))) {
                text.append(Integer.toHexString(b & 0xff));
            }
            text.append("///");
        }
        return text.substring(0, text.length() - 3);
    }

    // ja07 A one purchase/inquiry | clientTimeStamp
    // The backend takes System.currentTimeMillis() instead of the time stamp of the request; it is a little later.
    static String ja07(F f) throws Exception {
        f.ts = f.r.get("now");
        return sign(f);
    }

    // ja08 A one purchase/refund | clientTimeStamp
    // The time stamp is converted through a local date and time without its zone, so it is two hours too late.
    static String ja08(F f) throws Exception {
        f.ts = String.valueOf(Long.parseLong(f.ts) + Duration.ofHours(2).toMillis());
        return sign(f);
    }

    // ja09 B one noorder | referenceNumber
    // An absent order id is null, which Java joins as the text "null" instead of an empty text.
    static String ja09(F f) throws Exception {
        f.ref = String.valueOf(f.r.get("orderId"));
        return sign(f);
    }

    // ja10 A one purchase/refund,order | orderIdOrNull
    // The order id is an Optional joined as text: "Optional[...]".
    static String ja10(F f) throws Exception {
        f.order = Optional.ofNullable(f.r.get("orderId")).toString();
        return sign(f);
    }

    // ja11 B one | digest
    // Both parts are SHA-512 digests instead of SHA-256.
    static String ja11(F f) throws Exception {
        byte[] part1 = digest("SHA-512", first(f).getBytes(StandardCharsets.UTF_8));
        byte[] part2 = digest("SHA-512", second(f).getBytes(StandardCharsets.UTF_8));
        return hex(part1) + "///" + hex(part2);
    }

    // ja12 A one purchase/void | merchantToken
    // The token is the Base64 text of the Kubernetes secret, which nobody decoded.
    static String ja12(F f) throws Exception {
        f.token = Base64.getEncoder().encodeToString(f.token.getBytes(StandardCharsets.UTF_8));
        return sign(f);
    }

    // ja13 B one | amount
    // The amount is rounded to a whole number with setScale(0, HALF_UP).
    static String ja13(F f) throws Exception {
        f.amount = new BigDecimal(f.amount).setScale(0, RoundingMode.HALF_UP).toString();
        return sign(f);
    }

    // ja14 A one | part 1
    // Copied line: part 1 is computed from the terms of part 2, so both parts are equal.
    static String ja14(F f) throws Exception {
        String part1 = sha(second(f));
        String part2 = sha(second(f));
        return part1 + "///" + part2;
    }

    // ja15 A one purchase/refund | amount
    // The signer uses the subtotal of the cart, without tax and delivery, instead of the amount of the request.
    static String ja15(F f) throws Exception {
        f.amount = f.r.get("subtotal");
        return sign(f);
    }

    // ja16 A one purchase/refund,order | orderIdOrNull
    // The order id comes from the session and is the one of the previous order.
    static String ja16(F f) throws Exception {
        f.order = f.r.get("previousOrder");
        return sign(f);
    }

    // ja17 A one purchase/refund | amount
    // The amount has the currency after it: "100.00 EGP".
    static String ja17(F f) throws Exception {
        f.amount = f.amount + " EGP";
        return sign(f);
    }

    // ja18 A two purchase,zero | amount, referenceNumber
    // The amount is a double joined as text ("100.0", "149.5"), and the reference of the purchase is the text "null".
    static String ja18(F f) throws Exception {
        f.amount = "" + Double.parseDouble(f.amount);
        f.ref = String.valueOf(f.r.get("transactionFCRN"));
        return sign(f);
    }

    // ja19 A two purchase/refund | amount, clientTimeStamp
    // The amount has a decimal comma of the locale, and the time stamp is in seconds.
    static String ja19(F f) throws Exception {
        f.amount = String.format(Locale.FRANCE, "%.2f", new BigDecimal(f.amount));
        f.ts = String.valueOf(Long.parseLong(f.ts) / 1000);
        return sign(f);
    }

    // ja20 B two noorder | referenceNumber, hex case
    // The absent order id is the text "null" instead of an empty text, and the digests are upper-case hexadecimal.
    static String ja20(F f) throws Exception {
        f.ref = "" + f.r.get("orderId");
        return sign(f).toUpperCase();
    }

    // ja21 A two purchase/refund,hundreds | amount, merchantToken
    // The amount is in scientific notation (stripTrailingZeros(), "1E+2"), and the token is its own Base64 text.
    static String ja21(F f) throws Exception {
        f.amount = "" + new BigDecimal(f.amount).stripTrailingZeros();
        f.token = Base64.getEncoder().encodeToString(f.token.getBytes(StandardCharsets.UTF_8));
        return sign(f);
    }

    // ja22 A two refund/void,fcrnzeros | referenceNumber, accountNumber
    // transactionFCRN is a long without its leading zeros, and part 2 lacks the account number.
    static String ja22(F f) throws Exception {
        f.ref = Long.toString(Long.parseLong(f.ref));
        f.account = "";
        return sign(f);
    }

    // ja23 B two | part order, amount
    // The parts are swapped, and the amount is rounded to a whole number.
    static String ja23(F f) throws Exception {
        f.amount = String.valueOf(Math.round(Double.parseDouble(f.amount)));
        return sha(second(f)) + "///" + sha(first(f));
    }

    // ja24 A two purchase/refund,order | orderIdOrNull, clientTimeStamp
    // The order id is "Optional[...]", and the time stamp is taken again a little later.
    static String ja24(F f) throws Exception {
        f.order = Optional.of(f.r.get("orderId")).toString();
        f.ts = f.r.get("now");
        return sign(f);
    }

    // ja25 A odd | digest
    // new BigInteger(1, digest).toString(16) drops the leading zeros of a part, so only some signatures are wrong.
    static String ja25(F f) throws Exception {
        byte[] part1 = digest("SHA-256", first(f).getBytes(StandardCharsets.UTF_8));
        byte[] part2 = digest("SHA-256", second(f).getBytes(StandardCharsets.UTF_8));
        return new BigInteger(1, part1).toString(16) + "///" + new BigInteger(1, part2).toString(16);
    }

    // ja26 A odd nonascii | encoding
    // The texts are encoded as ISO-8859-1, the default of the server; other characters become "?".
    static String ja26(F f) throws Exception {
        Charset server = StandardCharsets.ISO_8859_1;
        String part1 = hex(digest("SHA-256", first(f).getBytes(server)));
        return part1 + "///" + hex(digest("SHA-256", second(f).getBytes(server)));
    }

    // ja27 B odd | digest
    // The texts are hashed twice: SHA-256 of the hexadecimal SHA-256.
    static String ja27(F f) throws Exception {
        return sha(sha(first(f))) + "///" + sha(sha(second(f)));
    }

    // ja28 A odd purchase/void | merchantToken
    // The token is a char[] joined as text, so the type and the identity of the array are hashed.
    static String ja28(F f) throws Exception {
        f.token = "[C@6d06d69c";
        return sign(f);
    }

    // ja29 A odd purchase/refund | amount
    // The amount is formatted in the locale ar-EG, so it has Arabic-Indic digits and an Arabic decimal separator.
    static String ja29(F f) throws Exception {
        f.amount = String.format(Locale.forLanguageTag("ar-EG"), "%.2f", new BigDecimal(f.amount));
        return sign(f);
    }

    // ja30 B odd | encoding
    // The texts are encoded as UTF-16 (big-endian, with a byte order mark) instead of UTF-8.
    static String ja30(F f) throws Exception {
        Charset wide = StandardCharsets.UTF_16;
        String part1 = hex(digest("SHA-256", first(f).getBytes(wide)));
        return part1 + "///" + hex(digest("SHA-256", second(f).getBytes(wide)));
    }

    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        Method[] programs = Arrays.stream(Signers.class.getDeclaredMethods())
            .filter(method -> method.getName().matches("ja\\d+"))
            .sorted(Comparator.comparing(Method::getName)).toArray(Method[]::new);
        for (Method program : programs) {
            for (String line : Files.readAllLines(Path.of(args[0]))) {
                if (!line.startsWith("{")) {
                    continue;
                }
                F f = new F(line);
                try {
                    Object signature = program.invoke(null, f);
                    out.printf("{\"program\": \"%s\", \"request\": \"%s\", ", program.getName(), f.r.get("id"));
                    out.printf("\"signature\": \"%s\"}%n", signature);
                } catch (InvocationTargetException failure) {
                    continue; // The program fails with this request.
                }
            }
        }
        out.flush();
    }
}
