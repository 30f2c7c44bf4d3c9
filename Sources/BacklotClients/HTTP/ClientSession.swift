internal import BacklotHTTP
package import HTTPTypes

/// Sends requests the way a browser does: with cookies and redirects, and with compressed responses.
public struct ClientSession: Sendable {
    /// The transport to the server.
    public let transport: any ClientTransport
    /// The limits of size and time for responses.
    public var limits: ClientLimits
    /// Whether the session follows redirects. If false, it returns the redirect itself as the response.
    public var followsRedirects = true
    /// The cookies from responses.
    public var cookies = CookieJar()

    /// Creates a session without cookies.
    public init(_ transport: any ClientTransport, limits: ClientLimits = ClientLimits()) {
        self.transport = transport
        self.limits = limits
    }

    /// Sends a request and follows redirects, unless `followsRedirects` is false.
    ///
    /// - Parameters:
    ///   - request: the request to send. The session adds its cookies, and `Accept-Encoding` if it is missing.
    ///   - now: the time in seconds since 1970, used to expire cookies.
    /// - Throws: `ClientError`. Cookies from earlier responses are kept.
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

    /// Opens a stream, without following redirects. Cookies of its response are kept.
    package mutating func open(_ request: ClientRequest, now: Double) async throws(ClientError) -> ClientStream {
        var request = request
        addCookies(to: &request, now)
        let stream = try await transport.open(request, limits: limits)
        cookies.take(stream.response.headers[values: .setCookie], from: request.url, now: now)
        return stream
    }

    private func addCookies(to request: inout ClientRequest, _ now: Double) {
        request.headers[.cookie] = cookies.header(for: request.url, now: now)
    }
}

extension ClientRequest {
    /// The request that follows a redirect; nil if the response isn't a redirect (RFC 9110, section 15.4).
    ///
    /// At another origin, it has no credentials.
    func redirected(by response: ClientResponse) throws(ClientError) -> ClientRequest? {
        guard [301, 302, 303, 307, 308].contains(response.status.code) else { return nil }
        guard let place = response.headers[.location] else { throw .badRedirect(nil) }
        var next = self
        do throws(ClientError) {
            next.url = try url.resolving(place)
        } catch {
            throw .badRedirect(place)
        }
        if !next.url.hasSameOrigin(as: url) {
            next.headers[.authorization] = nil
            next.headers[.proxyAuthorization] = nil
        }
        if method.becomesGet(after: response.status.code) {
            next.method = .get
            next.body = []
            next.waitsForContinue = false
            next.headers[.contentType] = nil
        }
        return next
    }
}

extension HTTPRequest.Method {
    /// Whether the request after a redirect is a GET without a body, as in browsers: after 303, and after 301 or 302 for a POST.
    ///
    /// Source: RFC 9110, sections 15.4.2 to 15.4.4.
    ///
    /// - Parameter code: the status of the redirect.
    package func becomesGet(after code: Int) -> Bool { code == 303 && self != .head || self == .post && code <= 302 }
}
