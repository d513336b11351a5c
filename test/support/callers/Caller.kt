fun main() {
    for (line in generateSequence { readLine() }) {
        val parts = line.split("\t")
        val request = parts.drop(4).associate { field ->
            val (name, value) = field.split("=")
            name to if (name == "clientTimeStamp") value.toLong() else value
        }
        try {
            println(SignatureClient(parts[0], parts[1], parts[2].toDouble(), parts[3].toInt()).sign(request))
        } catch (error: SignatureError) {
            println(listOf(error.status, error.code, error.field, error.reason, error.requestId, error.retryAfter, error.message)
                .joinToString("|") { it?.toString() ?: "" })
        } catch (error: IllegalArgumentException) {
            println("argument: " + error.message)
        }
    }
}
