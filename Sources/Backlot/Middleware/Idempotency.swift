internal import Logging

/// Applies a request once, even if its client sends it several times: `router.use(Idempotency())`.
///
/// A client gives each POST or PATCH a unique key, such as a UUID, and repeats it in each retry
/// (draft-ietf-httpapi-idempotency-key-header): `Idempotency-Key: "8e03978e-40d5-43dd-bc93-6894a57f9324"`. The handler runs for the
/// first request. Retries get the same response, with these exceptions:
///
/// * While the first request is being handled: 409 and `Retry-After`.
/// * With the same key, but another method, target, `Content-Type` or body: 422.
/// * With several keys, or one that isn't 1 to 255 ASCII characters in quotation marks: 400.
///
/// Responses with a 5xx, and unexpected errors, aren't kept: a retry calls the handler again, so the handler must undo its work. A
/// handler continues when its client disconnects, so that the retry gets its response. The store doesn't keep files, streams and
/// bodies larger than `maximumBodyBytes`: retries of these get 409.
///
/// A key belongs to a client, identified by its `session` cookie and its `Authorization`, so other clients can't get the response. A
/// retry with another cookie or a new token counts as another client's, and is applied again. Clients without either share their
/// keys: identify them with `client`. Put this middleware before the sessions, so that it keeps cookies, and
/// behind a `BodyLimit`, because it reads the body. Requests without a key cost nothing.
///
/// ```swift
/// router.use(Idempotency())
/// ```
public struct Idempotency: Middleware {
    private static let name = HTTPField.Name("Idempotency-Key")

    private let store: any IdempotencyStore
    private let lifetime: Duration
    private let maximumBodyBytes: Int
    private let isRequired: Bool
    private let client: @Sendable (Request) -> String

    /// Creates a middleware that keeps responses.
    ///
    /// - Parameters:
    ///   - store: the store of responses; by default the memory of this process. Replicas must share a store.
    ///   - lifetime: the time that a response is kept.
    ///   - maximumBodyBytes: the maximum size of a kept body, in bytes.
    ///   - isRequired: whether a POST or PATCH without a key gets 400.
    ///   - client: identifies the client of a request; nil to use its session's cookie and its `Authorization`.
    public init(
        store: any IdempotencyStore = MemoryIdempotencyStore(),
        lifetime: Duration = .seconds(24 * 3600),
        maximumBodyBytes: Int = 256 * 1024,
        isRequired: Bool = false,
        client: (@Sendable (Request) -> String)? = nil
    ) {
        precondition(lifetime >= .seconds(1), "lifetime must be at least 1 second, but is \(lifetime)")
        precondition(maximumBodyBytes >= 0, "maximumBodyBytes must not be negative, but is \(maximumBodyBytes)")
        self.store = store
        self.lifetime = lifetime
        self.maximumBodyBytes = maximumBodyBytes
        self.isRequired = isRequired
        self.client =
            client ?? { request in
                let parts = request.headers[values: .authorization] + request.cookies(named: SessionPlace.cookieName)
                return parts.joined(separator: "\n")
            }
    }

    /// Passes on a request that is new or has no key, and responds to a retry.
    ///
    /// - Throws: `StatusError` with 400, 409 or 422; the errors of `next` and of the store.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        guard request.method == .post || request.method == .patch else { return try next.respond(to: request) }
        guard request.hasField("idempotency-key") else {
            guard isRequired else { return try next.respond(to: request) }
            throw StatusError(.badRequest, "send an Idempotency-Key, such as a UUID, and the same one with each retry")
        }
        let key = try Self.key(of: request)
        return .pending { try await respond(to: request, key, next) }
    }

    private static func key(of request: Request) throws(StatusError) -> String {
        let values = name.map { request.headers[values: $0] } ?? []
        var text = values.first.map { $0[...].trimmed } ?? ""
        // A string in structured fields has quotation marks (RFC 9651, section 3.3.3), but some common clients leave them out.
        if text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") { text = text.dropFirst().dropLast() }
        guard values.count == 1, (1...255).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
        else {
            throw StatusError(
                .badRequest,
                "an Idempotency-Key is one text of 1 to 255 ASCII characters, such as a UUID"
            )
        }
        return String(text)
    }

    private func respond(to request: Request, _ key: String, _ next: any Handler) async throws -> Response {
        let body = try await request.body.collect()
        let fingerprint = Self.fingerprint(of: request, body)
        let id = ContentHash.text(of: Array("\(client(request))\n\(key)".utf8))
        let state = try await store.begin(id, fingerprint: fingerprint, lifetime: lifetime)
        if let other = state.fingerprint, other != fingerprint {
            throw StatusError(
                .unprocessableContent,
                "this Idempotency-Key was sent with another request: a new request needs a new key"
            )
        }
        switch state {
        case .done(_, let response?): return response.response
        case .done(_, nil):
            throw StatusError(.conflict, "this request was carried out, and its response can't be repeated")
        case .underWay:
            throw StatusError(
                .conflict,
                "this request is still under way: try again soon",
                headers: [.retryAfter: "1"]
            )
        case .begun:
            var request = request
            request.body = RequestBody(body, limit: request.body.limit)
            return try await carryOut(request, id, next)
        }
    }

    /// Calls the handler in a separate task, which continues when the client disconnects.
    private func carryOut(_ request: Request, _ id: String, _ next: any Handler) async throws -> Response {
        let outcome = Locked<Result<Response, any Error>>(.failure(CancellationError()))
        await LoopTask.start {
            let result: Result<Response, any Error>
            do { result = .success(try await finish(try await next(request), id)) } catch {
                result = .failure(await finish(error, request, id))
            }
            outcome.withLock { $0 = result }
        }.value
        return try outcome.withLock { $0 }.get()
    }

    /// Whether the response asks for the same request again: then it isn't kept.
    private static func isToBeSentAgain(_ status: HTTPResponse.Status) -> Bool {
        status.code >= 500 || [408, 425, 429].contains(status.code)
    }

    /// Keeps a response.
    private func finish(_ response: Response, _ id: String) async throws -> Response {
        if Self.isToBeSentAgain(response.status) {
            try await store.abandon(id)
            return response
        }
        do {
            try await store.finish(id, with: KeptResponse(response, upTo: maximumBodyBytes), lifetime: lifetime)
        } catch {
            // The request was applied: the client gets its response, and the key stays taken while the store holds it.
            Logger(label: "backlot.idempotency").error("a response couldn't be kept: \(error)")
        }
        return response
    }

    /// Keeps the response to an error.
    private func finish(_ error: any Error, _ request: Request, _ id: String) async -> any Error {
        do {
            if let error = error as? any HTTPError {
                _ = try await finish(request.response(to: error), id)
            } else {
                try await store.abandon(id)
            }
            return error
        } catch let storeError {
            return storeError
        }
    }

    private static func fingerprint(of request: Request, _ body: [UInt8]) -> String {
        let head = "\(request.method) \(request.target)\n\(request.headers[.contentType] ?? "")\n"
        return ContentHash.text(of: Array(head.utf8) + body)
    }
}
