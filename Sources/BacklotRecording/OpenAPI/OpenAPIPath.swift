import Backlot
import BacklotJSON
import BacklotMocks

/// A path of an OpenAPI document, as the names of folders and files have it.
struct OpenAPIPath {
    /// How many bytes of a name are left for `.delete.yaml`.
    private static let longestName = 240
    private static let mostFolders = 30

    /// The file without kind and ending: `users/[id]`.
    let stem: String
    /// The same for all files that answer the same paths.
    let shape: String
    /// The names of parameters in the file's name, by those in the document.
    let parameters: [(name: String, segment: String)]
    /// The regular expressions of parameters that share their segment with a text.
    let patterns: [(segment: String, pattern: String)]

    /// - Throws: `RouteFileName.Mistake` for a path that no file's name can say.
    init(_ path: String) throws(RouteFileName.Mistake) {
        guard path.hasPrefix("/") else { throw .init(text: "a path begins with /") }
        guard !path.contains(where: { $0 == "?" || $0 == "#" }) else {
            throw .init(text: "a path has no query; describe it under parameters")
        }
        var names: [String] = []
        var parameters: [(String, String)] = []
        var patterns: [(String, String)] = []
        for segment in PathSegments.ofMock(path) {
            guard segment.contains("{") else {
                names.append(try Self.literal(segment))
                continue
            }
            let parts = try Self.parts(segment)
            let inside = parts.filter(\.isParameter)
            var name = Self.parameter(inside.map(\.text).joined(separator: "_"))
            let taken = names.filter { $0.hasPrefix("[") }
            if taken.contains("[\(name)]") {
                name += "_\((2...).first { !taken.contains("[\(name)_\($0)]") } ?? 2)"
            }
            names.append("[\(name)]")
            if parts.count == 1 {
                parameters.append((inside[0].text, name))
            } else {
                let pattern = parts.map { $0.isParameter ? ".+" : Self.escaped($0.text) }.joined()
                patterns.append((name, pattern))
            }
        }
        if let last = names.last, last == "index" { names.append("index") }
        if names.isEmpty { names = ["index"] }
        if let first = names.first, names.count > 1, first == "mappings" || first == "__files" {
            throw .init(text: "the folder '\(first)' has a meaning of its own here; write a mapping for this path")
        }
        guard names.count <= Self.mostFolders else {
            throw .init(text: "the path has more than \(Self.mostFolders) segments; write a mapping for it")
        }
        stem = names.joined(separator: "/")
        self.parameters = parameters.map { (name: $0.0, segment: $0.1) }
        self.patterns = patterns.map { (segment: $0.0, pattern: $0.1) }
        // The names' own rules have the last word.
        shape = try RouteFileName("\(stem).get.yaml")?.shape ?? ""
    }

    private static func literal(_ segment: String) throws(RouteFileName.Mistake) -> String {
        guard !segment.isEmpty else { throw .init(text: "no file's name can say // in a path; write a mapping for it") }
        guard !segment.hasPrefix(".") else {
            throw .init(text: "files whose names begin with a dot aren't read; write a mapping for this path")
        }
        guard segment.utf8.count <= longestName else {
            throw .init(text: "'\(segment.prefix(20))…' is too long for a file's name; write a mapping for this path")
        }
        let isBad = segment.unicodeScalars.contains { $0 == "/" || $0.value < 0x20 || $0.value == 0x7F }
        guard !isBad, !segment.contains("["), !segment.contains("]") else {
            throw .init(text: "'\(segment)' can't be the name of a file; write a mapping for this path")
        }
        return segment
    }

    /// The parameters of a segment, and the texts between them.
    private static func parts(_ segment: String) throws(RouteFileName.Mistake) -> [(text: String, isParameter: Bool)] {
        var parts: [(text: String, isParameter: Bool)] = []
        var rest = segment[...]
        while !rest.isEmpty {
            let text = rest.prefix { $0 != "{" }
            if !text.isEmpty { parts.append((String(text), false)) }
            rest = rest[text.endIndex...].dropFirst()
            guard text.endIndex != segment.endIndex else { break }
            let name = rest.prefix { $0 != "}" }
            guard !name.isEmpty, name.endIndex != rest.endIndex else {
                throw .init(text: "'\(segment)' has a brace without its like; write a parameter as {id}")
            }
            parts.append((String(name), true))
            rest = rest[name.endIndex...].dropFirst()
        }
        return parts
    }

    private static func parameter(_ name: String) -> String {
        let plain = name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" }
        return String(plain.prefix(60))
    }

    /// A text as a regular expression that matches it alone.
    static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            if "\\.^$|?*+()[]{}".contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
    }
}
