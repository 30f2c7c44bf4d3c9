/// A backend that is asked instead.
public struct AnswerProxy: Sendable, Equatable {
    /// The host's name or address.
    public var host: String
    /// The port.
    public var port: UInt16
    /// What stands before the path of each request; empty or without a slash at its end.
    public var basePath: String

    /// - Parameter url: such as `http://127.0.0.1:9000/v1`. Nil for anything else: there is no TLS here.
    init?(_ url: String) {
        guard url.hasPrefix("http://") else { return nil }
        let rest = url.dropFirst(7)
        let authority = rest.prefix { $0 != "/" }
        var path = String(rest[authority.endIndex...])
        while path.hasSuffix("/") { path.removeLast() }
        guard !authority.isEmpty, !authority.contains("@"),
            !path.contains(where: { $0 == "?" || $0 == "#" || $0 == " " })
        else { return nil }
        basePath = path
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            host = String(authority[authority.index(after: authority.startIndex)..<end])
            let after = authority[authority.index(after: end)...]
            guard after.isEmpty || after.first == ":", let port = after.isEmpty ? 80 : UInt16(after.dropFirst()) else {
                return nil
            }
            self.port = port
        } else {
            let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count <= 2, !parts[0].isEmpty, let port = parts.count == 2 ? UInt16(parts[1]) : 80 else {
                return nil
            }
            host = String(parts[0])
            self.port = port
        }
    }

    /// The value of `Host`.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == 80 ? name : "\(name):\(port)"
    }
}
