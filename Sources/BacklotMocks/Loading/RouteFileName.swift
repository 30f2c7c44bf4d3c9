package import Backlot

/// The route that the name of a file below `Routes/` describes: its path, and the kind of response.
///
/// `users/[id].get.json` responds to GET of `/users/{id}`; `index` stands for its folder.
package struct RouteFileName: Sendable, Equatable {
    /// The part before the ending.
    package enum Kind: String, Sendable, CaseIterable {
        /// An Applin page: GET and POST.
        case page
        /// An Applin rpc: POST, with an empty response.
        case rpc
        case get, post, put, patch, delete
        /// Server-sent events: GET, with a stream of the file's steps.
        case sse
        /// A WebSocket, which GET opens.
        case ws

        /// Whether clients read the response as a page.
        package var holdsPages: Bool { self == .page || self == .rpc }

        /// The kind of stream that the steps of such a file make; nil for files without steps.
        var stream: StreamScript.Form? { self == .sse ? .events : self == .ws ? .webSocket : nil }

        package var methods: [HTTPRequest.Method] {
            switch self {
            case .page: [.get, .head, .post]
            case .sse: [.get, .head]
            case .ws: [.get]
            case .rpc, .post: [.post]
            case .get: [.get, .head]
            case .put: [.put]
            case .patch: [.patch]
            case .delete: [.delete]
            }
        }
    }

    /// The format of the file.
    package enum Format: Sendable, Equatable {
        case json
        case yaml
        /// The unchanged body, with the ending of the file's name.
        case other(String)
    }

    /// The path below the folder.
    package let file: String
    package let path: PathPattern
    package let kind: Kind
    package let format: Format

    /// Reads a name.
    ///
    /// - Parameters:
    ///   - file: the path below the folder, with slashes.
    ///   - apps: the kinds of files that make up apps, for advice.
    /// - Returns: nil for other files, such as `README.md`.
    package init?(_ file: String, besides apps: [String] = []) throws(MessageError) {
        let names = file.split(separator: "/").map(String.init)
        guard let last = names.last else { return nil }
        let parts = last.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 2, let ending = parts.last?.lowercased() else { return nil }
        switch ending {
        case "json": format = .json
        case "yaml", "yml": format = .yaml
        default: format = .other(ending)
        }
        guard parts.count >= 3, let kind = Kind(rawValue: parts[parts.count - 2]) else {
            if case .other = format { return nil }
            throw Self.withoutKind(parts, ending: ending, besides: apps)
        }
        if case .other = format, kind.holdsPages {
            throw MessageError(
                "a \(kind.rawValue) is written in JSON or YAML; let the name end in .\(kind.rawValue).json or .\(kind.rawValue).yaml"
            )
        }
        if format != .yaml, kind.stream != nil {
            throw MessageError("steps are written in YAML; let the name end in .\(kind.rawValue).yaml")
        }
        self.file = file
        self.kind = kind
        let name = parts.dropLast(2).joined(separator: ".")
        path = try Self.path(names.dropLast() + (name == "index" ? [] : [name]))
    }

    private static func withoutKind(_ parts: [String], ending: String, besides apps: [String]) -> MessageError {
        let kinds = Kind.allCases.map(\.rawValue) + [DataFileReader.crudWord] + apps
        let stem = parts.dropLast().joined(separator: ".")
        let known = "the kind stands before the ending: \(kinds.alternatives)"
        guard parts.count >= 3 else {
            return MessageError("the name says no kind; \(known), as in \(stem).page.\(ending)")
        }
        let word = parts[parts.count - 2]
        return MessageError("'\(word)' isn't a kind of route\(Suggestion.hint(for: word, among: kinds)); \(known)")
    }

    package static func path(_ names: [String]) throws(MessageError) -> PathPattern {
        var segments: [PathPattern.Segment] = []
        for name in names {
            if case .rest = segments.last {
                throw MessageError(
                    "'\(name)' stands behind the rest of the path; let the name with [...] be the last one"
                )
            }
            guard name.contains(where: { $0 == "[" || $0 == "]" }) else {
                if let character = name.first(where: { "?#%{}\\".contains($0) }) {
                    throw MessageError("'\(name)' can't be part of a path here: leave out \(character)")
                }
                segments.append(.literal(name))
                continue
            }
            let isRest = name.hasPrefix("[...")
            let inner = name.dropFirst(isRest ? 4 : 1).dropLast()
            guard name.hasPrefix("["), name.hasSuffix("]"), !inner.isEmpty,
                inner.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
            else {
                throw MessageError(
                    "'\(name)' isn't a parameter; a parameter takes up a whole name, as in [id], or [...rest] for the rest"
                )
            }
            guard !segments.contains(where: { $0.name == String(inner) }) else {
                throw MessageError("two parameters are named \(inner); give one another name")
            }
            segments.append(isRest ? .rest(String(inner)) : .parameter(String(inner)))
        }
        return PathPattern(segments)
    }

    /// The path with `[]` for each parameter: equal for paths that differ only in their parameters' names.
    package var shape: String { path.shape }

    /// The routes that no other file may have, such as `GET /users/[]`. A WebSocket may have the path of a page.
    package var routes: [String] {
        kind == .ws ? ["the WebSocket \(shape)"] : kind.methods.map { "\($0.rawValue) \(shape)" }
    }
}

/// The name of an app's file: `bank/log_in.method.yaml` is the method `log_in` of the app at `/bank`.
struct AppFileName: Sendable, Hashable {
    /// The files that make up one app.
    struct Group: Sendable, Hashable, Comparable {
        /// The folder's path below the routes' folder; empty for the routes' folder itself.
        let folder: String
        let kind: String

        /// The files, for messages and as the owner of routes: `bank/*.method`.
        var name: String { (folder.isEmpty ? "" : "\(folder)/") + "*.\(kind)" }

        static func < (left: Group, right: Group) -> Bool { left.name < right.name }
    }

    /// The path below the routes' folder.
    let file: String
    /// The part before the kind.
    let name: String
    let group: Group
    let isLines: Bool

    /// Reads a name.
    ///
    /// - Returns: nil for a file that doesn't belong to an app of these formats.
    /// - Throws: `MessageError`.
    init?(_ file: String, among formats: [AppFormat]) throws(MessageError) {
        let names = file.split(separator: "/").map(String.init)
        let parts = (names.last ?? "").split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 3, let ending = parts.last?.lowercased(), let kind = parts.dropLast().last,
            let format = formats.first(where: { $0.kind == kind })
        else { return nil }
        let endings = ["json", "yaml"] + (format.lines == nil ? [] : ["jsonl"])
        guard (endings + ["yml"]).contains(ending) else {
            let names = endings.map { ".\(kind).\($0)" }.alternatives
            throw MessageError("a \(kind) is written in JSON or YAML; let the name end in \(names)")
        }
        func isPath(_ folder: String) -> Bool {
            folder.utf8.allSatisfy { 0x21...0x7E ~= $0 } && !folder.contains { "[]?#%{};\\".contains($0) }
        }
        // The path is a cookie's, too (RFC 6265, section 4.1.1).
        if let folder = names.dropLast().first(where: { !isPath($0) }) {
            throw MessageError(
                "the folder '\(folder)' can't be part of an app's path, which has no parameters, blanks or letters beyond ASCII; rename it"
            )
        }
        guard file.utf8.count <= 900 else { throw MessageError("the path of an app may have 900 bytes; shorten it") }
        self.file = file
        name = parts.dropLast(2).joined(separator: ".")
        group = Group(folder: names.dropLast().joined(separator: "/"), kind: kind)
        isLines = ending == "jsonl"
    }
}
