/// Something that may answer where no route does, such as a folder of files.
public protocol Fallback: Sendable {
    /// Answers a request, or leaves it to the next fallback, or to 404.
    ///
    /// - Throws: as `Handler.answer`.
    func answer(_ request: Request) throws -> FallbackAnswer
}

/// What a fallback makes of a request.
public enum FallbackAnswer: Sendable {
    /// The response is there.
    case ready(Response)
    /// Leaves the request to the next fallback.
    case nothing
    /// It takes work that may suspend to know the response. nil leaves the request to the next fallback.
    case pending(@Sendable () async throws -> Response?)
}

/// A body that one fallback has read, for those that are asked after it: a body can be read once only.
final class SharedBody: Sendable {
    let bytes = Locked<[UInt8]?>(nil)
}

enum SharedBodyAttribute: RequestAttribute {
    typealias Value = SharedBody
}

extension Request {
    /// Reads the body to its end, or takes what another fallback has read of this request.
    ///
    /// - Parameter limit: the most bytes to take.
    /// - Throws: `RequestError`, as `RequestBody.collect`.
    package func collectSharedBody(upTo limit: Int) async throws -> [UInt8] {
        guard let shared = attributes[SharedBodyAttribute.self] else { return try await body.collect(upTo: limit) }
        if let bytes = shared.bytes.withLock({ $0 }) { return bytes }
        let bytes = try await body.collect(upTo: limit)
        shared.bytes.withLock { $0 = bytes }
        return bytes
    }
}
