internal import BacklotHTTP
public import HTTPTypes

/// A request that a client sends.
public struct ClientRequest: Sendable, Equatable {
    /// The method.
    public var method: HTTPRequest.Method
    /// The address that is asked for.
    public var url: HTTPURL
    /// The header fields. `Host`, `Content-Length` and `Expect` are written by the transport.
    public var headers: HTTPFields
    /// The body.
    public var body: [UInt8]
    /// Whether the body is held back until the server asks for it, by `Expect: 100-continue`, so that the server can refuse
    /// it unseen (RFC 9110, section 10.1.1).
    public var waitsForContinue: Bool

    /// A request.
    public init(
        _ method: HTTPRequest.Method = .get,
        _ url: HTTPURL,
        headers: HTTPFields = [:],
        body: [UInt8] = [],
        waitsForContinue: Bool = false
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.waitsForContinue = waitsForContinue
    }
}

/// An answer that a client got, all of it.
public struct ClientResponse: Sendable, Equatable {
    /// The status.
    public var status: HTTPResponse.Status
    /// The header fields.
    public var headers: HTTPFields
    /// The body.
    public var body: [UInt8]
    /// The time from the beginning of the request to the first byte of the answer.
    public var firstByte: Duration
    /// The time from the beginning of the request to the last byte of the answer.
    public var total: Duration

    /// An answer.
    public init(
        status: HTTPResponse.Status,
        headers: HTTPFields = [:],
        body: [UInt8] = [],
        firstByte: Duration = .zero,
        total: Duration = .zero
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.firstByte = firstByte
        self.total = total
    }

    /// The body as text; bytes that are not UTF-8 become U+FFFD.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The media type without its parameters, in lower case; nil where the answer doesn't say one.
    public var mediaType: String? {
        guard let value = headers[.contentType] else { return nil }
        let type = value.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        return type.isEmpty ? nil : type
    }
}

extension ClientResponse {
    /// The answer with its body as it was before it was compressed. The header fields stay as they came.
    ///
    /// - Parameter limit: how many bytes the body may have then.
    /// - Throws: `ClientError.undecodable`, `ClientError.bodyTooLarge`.
    package func decoded(limit: Int) throws(ClientError) -> ClientResponse {
        let codings = headers[values: .contentEncoding].joined(separator: ", ")
        guard !codings.isEmpty, !body.isEmpty else { return self }
        let plain: [UInt8]?
        do throws(ContentCodingError) {
            plain = try ContentEncoding(codings).decode(body, limit: limit)
        } catch {
            throw .undecodable(error.reason)
        }
        guard let plain else { throw .bodyTooLarge(limit: limit) }
        var response = self
        response.body = plain
        return response
    }
}

/// A request and what came of it.
public struct ClientExchange: Sendable, Equatable {
    /// A redirect that was followed.
    public struct Redirect: Sendable, Equatable {
        /// The status of the answer that redirected.
        public let status: HTTPResponse.Status
        /// Where it led.
        public let url: HTTPURL
    }

    /// The request as it was sent, cookies included.
    public let request: ClientRequest
    /// The redirects that were followed, in their order.
    public let redirects: [Redirect]
    /// The last answer.
    public let response: ClientResponse

    /// The URL that answered in the end.
    public var url: HTTPURL { redirects.last?.url ?? request.url }
}
