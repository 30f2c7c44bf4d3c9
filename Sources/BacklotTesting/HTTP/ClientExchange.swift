public import HTTPTypes

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
