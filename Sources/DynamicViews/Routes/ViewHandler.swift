import Backlot

/// Answers requests for one view's document, with an entity tag: clients that have it hear 304.
struct ViewHandler: Handler {
    private static let headers: HTTPFields = {
        var headers: HTTPFields = [.contentType: "application/json", .cacheControl: "no-cache"]
        headers[.vary] = DialectChoice.field?.rawName
        return headers
    }()

    let maker: DocumentMaker
    let choice: DialectChoice
    let judge: DocumentJudge

    func answer(_ request: Request) -> Answer { .pending { try await response(to: request) } }

    private func response(to request: Request) async throws -> Response {
        var request = request
        request.dialect = try choice.dialect(for: request)
        let body = try await maker.document(for: request).bytes(for: request.dialect)
        if let refusal = judge.judge(body, request.dialect, for: request) { return refusal }
        let tag = ETag("\(request.dialect.platform.rawValue)-\(body.fingerprint)")
        return Response(headers: Self.headers, body: .bytes(body)).validated(by: Validators(eTag: tag), for: request)
    }
}

extension [UInt8] {
    /// A text that two different documents hardly ever share: their length, and a hash (FNV-1a, 64 bits).
    fileprivate var fingerprint: String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in self { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return "\(String(count, radix: 16))-\(String(hash, radix: 16))"
    }
}
