internal import BacklotHTTP
internal import HTTPTypes

/// Sends requests as a browser does: with cookies, along redirects, and with answers that may be compressed.
public struct ClientSession: Sendable {
    /// The way to the server.
    public let transport: any ClientTransport
    /// How much is taken of the server.
    public var limits: ClientLimits
    /// Whether redirects lead on to their target; otherwise they are the response.
    public var followsRedirects = true
    /// The cookies that were received.
    public var cookies = CookieJar()

    /// A session without cookies.
    public init(_ transport: any ClientTransport, limits: ClientLimits = ClientLimits()) {
        self.transport = transport
        self.limits = limits
    }

    /// Sends a request and follows redirects, unless `followsRedirects` is false.
    ///
    /// - Parameters:
    ///   - request: what to send; its cookies are added, and `Accept-Encoding` where it has none.
    ///   - now: the time, in seconds since 1970, by which cookies end.
    /// - Throws: `ClientError`. Cookies that came before it are kept.
    public mutating func send(_ request: ClientRequest, now: Double) async throws(ClientError) -> ClientExchange {
        var request = request
        if request.headers[.acceptEncoding] == nil { request.headers[.acceptEncoding] = ContentCoding.list }
        addCookies(to: &request, now)
        let first = request
        var redirects: [ClientExchange.Redirect] = []
        while true {
            let response = try await transport.response(to: request, limits: limits)
            cookies.take(response.headers[values: .setCookie], from: request.url, now: now)
            guard followsRedirects, let next = try request.redirected(by: response) else {
                return ClientExchange(
                    request: first,
                    redirects: redirects,
                    response: try response.decoded(limit: limits.body)
                )
            }
            guard redirects.count < limits.redirects else {
                throw .tooManyRedirects(limit: limits.redirects, last: next.url)
            }
            redirects.append(ClientExchange.Redirect(status: response.status, url: next.url))
            request = next
            addCookies(to: &request, now)
        }
    }

    private func addCookies(to request: inout ClientRequest, _ now: Double) {
        request.headers[.cookie] = cookies.header(for: request.url, now: now)
    }
}

extension ClientRequest {
    /// The request that follows a redirect; nil where the answer is none (RFC 9110, section 15.4).
    ///
    /// After 303, and after 301 or 302 for a POST, it is a GET without a body, as browsers have always made it.
    func redirected(by response: ClientResponse) throws(ClientError) -> ClientRequest? {
        guard [301, 302, 303, 307, 308].contains(response.status.code) else { return nil }
        guard let place = response.headers[.location] else { throw .badRedirect(nil) }
        var next = self
        do throws(ClientError) {
            next.url = try url.resolving(place)
        } catch {
            throw .badRedirect(place)
        }
        let code = response.status.code
        if code == 303 && method != .head || method == .post && code <= 302 {
            next.method = .get
            next.body = []
            next.waitsForContinue = false
            next.headers[.contentType] = nil
        }
        return next
    }
}
