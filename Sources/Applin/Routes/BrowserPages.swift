public import Backlot

/// Gives browsers HTML at the path of an Applin page, by the request's `Accept` (RFC 9110, section 12.5.1).
///
/// ```swift
/// app.group(BrowserPages { _ in "<!doctype html><title>Travel</title><p>Get the app." }) { app in
///     app.page("/") { _ in navPage("Travel") { text("Where to?") } }
/// }
/// ```
/// A request gets HTML if it prefers that to `application/vnd.applin_response`. A request without `Accept`, as some clients send it,
/// gets the Applin page, and so does every POST.
public struct BrowserPages: Middleware {
    private let html: @Sendable (Request) async throws -> String

    /// - Parameter html: makes the HTML.
    public init(_ html: @escaping @Sendable (Request) async throws -> String) { self.html = html }

    /// Responds to browsers, and passes other requests on.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        guard request.method == .get || request.method == .head,
            request.weight(of: "text/html") > request.weight(of: "application/vnd.applin_response")
        else { return try next.respond(to: request) }
        return .pending {
            let headers: HTTPFields = [.contentType: "text/html; charset=utf-8", .vary: "Accept, Cookie"]
            return Response(headers: headers, body: .bytes(Array(try await html(request).utf8)))
        }
    }
}
