import HTTPTypes

/// A stub that a request nearly matched.
public struct NearMiss: Sendable {
    /// The stub.
    public let stub: Stub
    /// Which conditions failed.
    public let match: Match
}

extension NearMiss: CustomStringConvertible {
    /// `GET /users/{id} (users/[id].get.json:1)`, and below it the conditions that failed.
    public var description: String {
        let failures = match.failures.map { "\n    \($0)" }.joined()
        return "\(stub.title) (\(stub.source))\(failures)"
    }
}

extension Stub {
    /// The method and path, for messages.
    public var title: String {
        let methods =
            request.methods.isEmpty
            ? "ANY" : request.methods.filter { $0 != .head }.map(\.rawValue).joined(separator: ", ")
        let title = "\(methods) \(request.url.key?.value ?? "any path")"
        return name.map { "\(title) \"\($0)\"" } ?? title
    }
}
