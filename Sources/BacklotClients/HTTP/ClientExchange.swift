internal import Backlot
internal import BacklotHTTP
public import HTTPTypes

/// A request that a client sends.
public struct ClientRequest: Sendable, Equatable {
    /// The method.
    public var method: HTTPRequest.Method
    /// The requested address.
    public var url: HTTPURL
    /// The header fields. The transport adds `Host`, `Content-Length` and `Expect`.
    public var headers: HTTPFields
    /// The body.
    public var body: [UInt8]
    /// Whether the client sends the body only after the server's go-ahead, with `Expect: 100-continue`. The server can then
    /// reject the request before it gets the body (RFC 9110, section 10.1.1).
    public var waitsForContinue: Bool

    /// Creates a request.
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

/// A complete response to a client.
public struct ClientResponse: Sendable, Equatable {
    /// The status, with the standard reason phrase if the server sent none.
    public var status: HTTPResponse.Status
    /// The header fields.
    public var headers: HTTPFields
    /// The body.
    public var body: [UInt8]
    /// The time from the beginning of the request to the first byte of the response.
    public var firstByte: Duration
    /// The time from the beginning of the request to the last byte of the response.
    public var total: Duration

    /// Creates a response.
    public init(
        status: HTTPResponse.Status,
        headers: HTTPFields = [:],
        body: [UInt8] = [],
        firstByte: Duration = .zero,
        total: Duration = .zero
    ) {
        self.status = status.reasonPhrase.isEmpty ? .standard(status.code) : status
        self.headers = headers
        self.body = body
        self.firstByte = firstByte
        self.total = total
    }

    /// The body as text; invalid UTF-8 becomes U+FFFD.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The media type in lower case, without its parameters; nil without a Content-Type.
    public var mediaType: String? {
        guard let value = headers[.contentType] else { return nil }
        let type = value.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        return type.isEmpty ? nil : type
    }
}

extension ClientResponse {
    /// The response with its body decompressed. The header fields stay unchanged.
    ///
    /// - Parameter limit: the maximum size of the decompressed body, in bytes.
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

/// A request with its response.
public struct ClientExchange: Sendable, Equatable {
    /// A redirect that the client followed.
    public struct Redirect: Sendable, Equatable {
        /// The status of the redirecting response.
        public let status: HTTPResponse.Status
        /// The target of the redirect.
        public let url: HTTPURL
    }

    /// The request as sent, including cookies.
    public let request: ClientRequest
    /// The redirects that the client followed, in order.
    public let redirects: [Redirect]
    /// The final response.
    public let response: ClientResponse

    /// The URL of the final response.
    public var url: HTTPURL { redirects.last?.url ?? request.url }
}
