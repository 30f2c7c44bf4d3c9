/// The base URL of an app: what the paths on its pages mean. No path leaves it.
struct BaseURL: Sendable {
    /// The longest path that is followed, in bytes; servers refuse longer ones.
    static let longestPath = 8000

    /// A path that can't be followed.
    struct Problem: Error, Equatable {
        /// What is wrong, to follow the words "which".
        let reason: String
    }

    let url: HTTPURL

    /// - Throws: `ClientFailure.invalidURL` for a path that doesn't end in a slash.
    init(_ url: HTTPURL) throws(ClientFailure) {
        guard url.path.hasSuffix("/"), url.query == nil else {
            throw .invalidURL("\(url)", problem: "a base URL ends in a slash, as in http://127.0.0.1:8080/travel/")
        }
        self.url = url
    }

    /// What clients ask for where a page names `target`: page `/x` under `/travel/` is `/travel/x`.
    func resolve(_ target: String) throws(Problem) -> HTTPURL {
        guard target.utf8.count <= Self.longestPath else {
            throw Problem(reason: "has more than \(Self.longestPath) bytes")
        }
        // A reference that begins with two slashes names another host (RFC 3986, section 4.2).
        guard !target.hasPrefix("//") else { throw Problem(reason: "is outside the app's base URL") }
        let relative = target.hasPrefix("/") ? String(target.dropFirst()) : target
        let resolved: HTTPURL
        do throws(ClientFailure) {
            // A path may have a colon, which would be a scheme at the beginning of a reference (RFC 3986, section 4.2).
            resolved = try relative.isEmpty ? url : url.resolving(target.hasPrefix("/") ? "./\(relative)" : relative)
        } catch {
            throw Problem(reason: "is no URL that clients can ask for")
        }
        guard resolved.hasSameOrigin(as: url), resolved.path.hasPrefix(url.path) else {
            throw Problem(reason: "is outside the app's base URL")
        }
        return resolved
    }
}
