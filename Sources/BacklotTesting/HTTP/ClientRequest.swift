public import HTTPTypes

/// A request that a client sends.
public struct ClientRequest: Sendable, Equatable {
    /// The method.
    public var method: HTTPRequest.Method
    /// What is asked for.
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
