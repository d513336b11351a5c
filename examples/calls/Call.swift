// Not compiled by our tests. Needs iOS 15.
import Foundation

/// Setters of your payment library's request.
protocol PaymentRequest {
    func setSignature(_ signature: String)
    func setSid(_ sid: String)
    func setClientTimeStamp(_ clientTimeStamp: Int64)
}

/// Response without a signature. `errorCode` is the header, such as `refused; reason=ALREADY_PAID`.
struct SignatureError: Error {
    let status: Int
    let errorCode: String
    let retryAfter: UInt64? // seconds
    let requestId: String?
    let message: String

    var code: String { String(errorCode.prefix(while: { $0 != ";" })) }
    /// Of your backend.
    var reason: String { errorCode.components(separatedBy: "reason=").dropFirst().joined() }
}

/// Follows no redirect: the session of the user is for this URL only.
private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

private let urlSession: URLSession = {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForResource = 5 // seconds until the whole response
    return URLSession(configuration: configuration)
}()

private struct Answer: Decodable { let signature: String }

private func send(_ request: URLRequest) async throws -> String {
    let (data, response) = try await urlSession.data(for: request, delegate: RedirectRefusal())
    guard let http = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    if http.statusCode == 200,
       let signature = try? JSONDecoder().decode(Answer.self, from: data).signature,
       signature.range(of: "^[0-9a-f]{64}///[0-9a-f]{64}\\z", options: .regularExpression) != nil {
        return signature
    }
    throw SignatureError(
        status: http.statusCode,
        errorCode: http.value(forHTTPHeaderField: "Error-Code") ?? "",
        retryAfter: http.value(forHTTPHeaderField: "Retry-After").flatMap { UInt64($0) },
        requestId: http.value(forHTTPHeaderField: "X-Request-Id"),
        message: String(decoding: data, as: UTF8.self))
}

/// Seconds until the same request may succeed; nil if it cannot.
private func secondsUntilRetry(_ error: Error) -> UInt64? {
    guard let refusal = error as? SignatureError else { return error is URLError ? 1 : nil } // no response
    switch refusal.status {
    case 408, 502, 503, 504: return refusal.retryAfter ?? 1
    case 429: return refusal.retryAfter
    default: return nil
    }
}

/// Signs the fields and passes the signed values on.
func sign(url: URL, session: String, fields: [String: String], payment: PaymentRequest) async throws {
    let sid = UUID().uuidString
    let clientTimeStamp = Int64(Date().timeIntervalSince1970 * 1000)
    var body: [String: Any] = fields
    body["sid"] = sid
    body["clientTimeStamp"] = clientTimeStamp
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = try JSONSerialization.data(withJSONObject: body)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue("Bearer \(session)", forHTTPHeaderField: "Authorization")
    let signature: String
    do {
        signature = try await send(request)
    } catch {
        guard let seconds = secondsUntilRetry(error), seconds <= 10 else { throw error }
        try await Task.sleep(nanoseconds: seconds * 1_000_000_000)
        signature = try await send(request) // once, with the same sid and clientTimeStamp
    }
    payment.setSignature(signature)
    payment.setSid(sid)
    payment.setClientTimeStamp(clientTimeStamp)
}

/// Sentence for the person who pays. Log `errorCode` and `requestId`.
func noticeFor(_ error: Error) -> String {
    guard let refusal = error as? SignatureError else { return "No connection. Nothing was paid. Please try again." }
    if refusal.status == 401 && !refusal.code.hasPrefix("api-key") { return "Please log in. Nothing was paid." }
    if refusal.reason == "ALREADY_PAID" { return "This order is already paid." }
    if refusal.code == "refused" { return "Your shop refuses this payment. Nothing was paid." }
    if secondsUntilRetry(refusal) != nil { return "Busy. Nothing was paid. Please try again later." }
    return "Payment is not possible. Nothing was paid. Reference: \(refusal.requestId ?? String(refusal.status))"
}
