import BacklotHTTP
import HTTPTypes

/// A command: its method and path, and what it does.
struct AdminRoute: Sendable {
    let method: HTTPRequest.Method
    /// Below `/__admin`; a segment in braces stands for any.
    let path: String
    let answer: @Sendable (MockAdmin, AdminCall) throws -> Response
    private let segments: [String]

    init(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ answer: @escaping @Sendable (MockAdmin, AdminCall) throws -> Response
    ) {
        self.method = method
        self.path = path
        self.answer = answer
        segments = PathSegments.of(path)
    }

    /// The values of the parameters; nil when the path is another.
    func parameters(in path: [String]) -> [String]? {
        guard path.count == segments.count else { return nil }
        var parameters: [String] = []
        for (own, sent) in zip(segments, path) {
            if own.hasPrefix("{") { parameters.append(sent) } else if own != sent { return nil }
        }
        return parameters
    }
}
