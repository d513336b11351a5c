import java.io.IOException
import java.net.HttpURLConnection
import java.net.MalformedURLException
import java.net.URL
import java.util.UUID
import java.util.concurrent.ExecutionException
import java.util.concurrent.FutureTask
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import org.json.JSONObject

/** Setters of your payment library's request. */
interface PaymentRequest {
    fun setSignature(signature: String)
    fun setSid(sid: String)
    fun setClientTimeStamp(clientTimeStamp: Long)
}

/** Response without a signature. `errorCode` is the header, such as `refused; reason=ALREADY_PAID`. */
class SignatureError(
    val status: Int, val errorCode: String, val retryAfter: Long?, val requestId: String?, message: String
) : IOException("status $status, $errorCode: $message") {
    val code = errorCode.substringBefore(';')
    val reason = errorCode.substringAfter("reason=", "") // of your backend
}

private fun exchange(connection: HttpURLConnection, session: String, body: String): String {
    connection.requestMethod = "POST"
    connection.connectTimeout = 5000 // milliseconds
    connection.readTimeout = 5000
    connection.instanceFollowRedirects = false
    connection.setRequestProperty("Content-Type", "application/json")
    connection.setRequestProperty("Authorization", "Bearer $session")
    connection.doOutput = true
    connection.outputStream.use { it.write(body.toByteArray()) }
    val status = connection.responseCode
    val stream = if (status < 400) connection.inputStream else connection.errorStream
    val text = stream?.use { it.readBytes().toString(Charsets.UTF_8) } ?: ""
    val signature = Regex("\"signature\"\\s*:\\s*\"([0-9a-f]{64}///[0-9a-f]{64})\"").find(text)
    if (status == 200 && signature != null) return signature.groupValues[1]
    val errorCode = connection.getHeaderField("Error-Code") ?: ""
    val retryAfter = connection.getHeaderField("Retry-After")?.toLongOrNull()
    throw SignatureError(status, errorCode, retryAfter, connection.getHeaderField("X-Request-Id"), text)
}

private fun post(url: String, session: String, body: String): String {
    val connection = URL(url).openConnection() as HttpURLConnection
    val response = FutureTask<String> { exchange(connection, session, body) }
    Thread(response).start()
    try {
        return response.get(5, TimeUnit.SECONDS) // readTimeout begins again with each byte
    } catch (error: TimeoutException) {
        throw IOException("no response within 5 seconds", error)
    } catch (error: ExecutionException) {
        throw error.cause ?: error
    } finally {
        connection.disconnect()
    }
}

/** Seconds until the same request may succeed; null if it cannot. */
private fun secondsUntilRetry(error: IOException): Long? = when {
    error is MalformedURLException -> null
    error !is SignatureError -> 1 // no response
    error.status in listOf(408, 502, 503, 504) -> error.retryAfter ?: 1
    error.status == 429 -> error.retryAfter
    else -> null
}

/** Signs the fields and passes the signed values on. Call it outside the main thread. */
fun sign(url: String, session: String, fields: Map<String, String>, payment: PaymentRequest) {
    val sid = UUID.randomUUID().toString()
    val clientTimeStamp = System.currentTimeMillis()
    val body = JSONObject(fields).put("sid", sid).put("clientTimeStamp", clientTimeStamp).toString()
    val signature = try {
        post(url, session, body)
    } catch (error: IOException) {
        val seconds = secondsUntilRetry(error)
        if (seconds == null || seconds > 10) throw error
        Thread.sleep(1000 * seconds)
        post(url, session, body) // once, with the same sid and clientTimeStamp
    }
    payment.setSignature(signature)
    payment.setSid(sid)
    payment.setClientTimeStamp(clientTimeStamp)
}

/** Sentence for the person who pays. Log `errorCode` and `requestId`. */
fun noticeFor(error: IOException): String = when {
    error is MalformedURLException -> "Payment is not possible. Nothing was paid. Reference: URL"
    error !is SignatureError -> "No connection. Nothing was paid. Please try again."
    error.status == 401 && !error.code.startsWith("api-key") -> "Please log in. Nothing was paid."
    error.reason == "ALREADY_PAID" -> "This order is already paid."
    error.code == "refused" -> "Your shop refuses this payment. Nothing was paid."
    secondsUntilRetry(error) != null -> "Busy. Nothing was paid. Please try again later."
    else -> "Payment is not possible. Nothing was paid. Reference: ${error.requestId ?: error.status}"
}

fun main() {
    val fields = mapOf("amount" to "100.00", "merchantAccountNumber" to "102551", "orderId" to "ORDER-12345")
    try {
        sign(System.getenv("SIGNATURE_URL"), "session-of-your-user", fields, object : PaymentRequest {
            override fun setSignature(signature: String) = println("setSignature $signature")
            override fun setSid(sid: String) = println("setSid $sid")
            override fun setClientTimeStamp(clientTimeStamp: Long) = println("setClientTimeStamp $clientTimeStamp")
        })
    } catch (error: IOException) {
        println(noticeFor(error))
    }
}
