// Client of the payment signature service, for Android and other JVMs. Copy this file into your project.

import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.util.concurrent.ExecutionException
import java.util.concurrent.FutureTask
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import org.json.JSONObject

/** A request that got no signature. [status] is the HTTP status; 0 without a complete response. */
class SignatureError(
    val status: Int, headers: Map<String, String>, text: String, cause: Throwable? = null
) : IOException("$status ${headers["error-code"] ?: ""} (request ${headers["x-request-id"]}): ${text.take(200)}", cause) {
    private val errorCode = headers["error-code"] ?: ""
    /** Error code of the service, such as `policy`; empty if another server responded, or none. */
    val code = errorCode.substringBefore(';')
    /** Field at fault, such as `amount`. */
    val field = find("field=([\\w.-]+)", errorCode)
    /** Rule of the policy, or code of your backend, such as `ALREADY_PAID`. */
    val reason = find("reason=([\\w.-]+)", errorCode)
    /** ID of the request in the service's log. */
    val requestId = headers["x-request-id"]
    /** Seconds to wait before a retry. */
    val retryAfter = find("^([0-9]{1,9})$", headers["retry-after"] ?: "")?.toInt() // a proxy may send a date
}

/**
 * Requests signatures at a URL.
 *
 * @param url the whole URL of the endpoint
 * @param key API key of the policy; in an app, the session of your user
 * @param timeout seconds until the whole response of an attempt must be there
 * @param attempts number of attempts; 1: no retry
 */
class SignatureClient(url: String, key: String? = null, private val timeout: Double = 5.0, private val attempts: Int = 4) {
    private val url = URL(url)
    private val key = (key ?: "").trim()

    init {
        require(this.key.matches(Regex("[!-~]*"))) { "key must be one line of ASCII characters without spaces" }
    }

    /** Returns the signature of the fields. May sleep up to 10 seconds before a retry: call it outside the main thread. */
    @Throws(SignatureError::class)
    fun sign(fields: Map<String, Any>): String {
        val body = JSONObject(fields).toString().toByteArray()
        var attempt = 1
        while (true) {
            val seconds = try {
                return post(body)
            } catch (error: SignatureError) {
                val isTemporary = error.status in listOf(0, 408, 502, 503, 504) || error.status == 429 && error.retryAfter != null
                val seconds = maxOf(0.2 * attempt, (error.retryAfter ?: 0).toDouble())
                if (!isTemporary || attempt >= attempts || seconds > 10) throw error
                seconds
            }
            Thread.sleep((1000 * seconds).toLong())
            attempt++
        }
    }

    private fun post(body: ByteArray): String {
        val connection = url.openConnection() as HttpURLConnection
        val response = FutureTask<String> { exchange(connection, body) }
        Thread(response).apply { isDaemon = true }.start()
        try {
            return response.get((1000 * timeout).toLong(), TimeUnit.MILLISECONDS) // readTimeout begins again with each byte
        } catch (error: TimeoutException) {
            throw SignatureError(0, emptyMap(), "no complete response within $timeout seconds", error)
        } catch (error: ExecutionException) {
            throw error.cause as? SignatureError ?: SignatureError(0, emptyMap(), error.cause.toString(), error.cause)
        } finally {
            connection.disconnect()
        }
    }

    private fun exchange(connection: HttpURLConnection, body: ByteArray): String {
        connection.requestMethod = "POST"
        connection.connectTimeout = (1000 * timeout).toInt()
        connection.readTimeout = (1000 * timeout).toInt()
        connection.instanceFollowRedirects = false // fields and key are for one URL
        connection.setRequestProperty("Content-Type", "application/json")
        if (key != "") connection.setRequestProperty("Authorization", "Bearer $key")
        connection.doOutput = true
        connection.outputStream.use { it.write(body) }
        val status = connection.responseCode
        val stream = if (status < 400) connection.inputStream else connection.errorStream
        val bytes = stream?.use { it.readBytes() } ?: ByteArray(0)
        if (bytes.size < connection.contentLength) throw IOException("the response is not complete")
        val text = bytes.toString(Charsets.UTF_8)
        val signature = find("\"signature\"\\s*:\\s*\"([0-9a-f]{64}///[0-9a-f]{64})\"", text)
        if (status == 200 && signature != null) return signature // a log-in page has status 200, too
        val headers = listOf("error-code", "retry-after", "x-request-id")
            .mapNotNull { name -> connection.getHeaderField(name)?.let { name to it } }.toMap()
        throw SignatureError(status, headers, text)
    }
}

private fun find(pattern: String, text: String): String? = Regex(pattern).find(text)?.groupValues?.get(1)
