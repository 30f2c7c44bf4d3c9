public import BacklotHTTP
public import HTTPTypes

/// A method and a path, and what answers there.
public struct Route: Sendable {
    /// The method. A route for GET also answers HEAD, unless HEAD has a route of its own.
    public var method: HTTPRequest.Method
    /// The path: literal segments, `{name}` for one segment, and `{name...}` at the end for all that is left.
    public var path: String
    /// What answers.
    public var handler: any Handler
    /// Where the route was registered, for messages.
    public var source: SourceLocation

    /// A route.
    public init(_ method: HTTPRequest.Method, _ path: String, handler: any Handler, source: SourceLocation) {
        self.method = method
        self.path = path
        self.handler = handler
        self.source = source
    }
}
