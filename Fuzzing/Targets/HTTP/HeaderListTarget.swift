@testable import BacklotHTTP

extension FuzzTarget {
    /// The header lists of HTTP/2: what a handler sees of one is what it would see of the same request over HTTP/1.
    static let headerList = FuzzTarget(name: "headerList") { input async throws(Violation) in
        guard let fields = FieldLines.read(input), fields.count < 50, input.count < 4096 else { return false }
        var list = HeaderList(limits: .init())
        for (name, value) in fields { list.add(Array(name.utf8).span, value.span) }
        let head: RequestHead
        do throws(HeaderList.ListError) {
            head = try list.head(hasBody: true)
        } catch {
            // With a host beside another authority there is nothing to compare with.
            guard case .refused(let error) = error else { return false }
            guard case .refused = HeadReading(FieldLines.asHTTP1(fields)) else {
                throw Violation(description: "accepted over HTTP/1, but \(error)")
            }
            return false
        }
        guard case .accepted(let same) = HeadReading(FieldLines.asHTTP1(fields)) else {
            throw Violation(description: "accepted, but not over HTTP/1")
        }
        let own = HeadReading.Head(head)
        for (left, right) in [(own.line.method, same.line.method), (own.line.path, same.line.path)] {
            try require(own.text(left) == same.text(right), "\(own.text(left)), and over HTTP/1 \(same.text(right))")
        }
        try require(own.line.query.map(own.text) == same.line.query.map(same.text), "another query over HTTP/1")
        try require(own.framing == same.framing, "\(own.framing), and over HTTP/1 \(same.framing)")
        let names = Set(fields.map(\.name)).subtracting([":method", ":path", ":scheme", ":authority"])
        for name in names.union(["host"]) {
            let texts = [own, same].map { head in
                head.fields.filter { head.text($0.name) == name }.map { head.text($0.value) }
            }
            let isEqual = name == "cookie" ? parts(texts[0]) == parts(texts[1]) : texts[0] == texts[1]
            try require(isEqual, "\(name) is \(texts[0]), and over HTTP/1 \(texts[1])")
        }
        return true
    }

    /// The parts of a cookie that are in fields, each once: a long list leaves out those that repeat others.
    private static func parts(_ fields: [String]) -> [String] {
        var parts: [String] = []
        for part in fields.joined(separator: "; ").split(separator: "; ") where !parts.contains(String(part)) {
            parts.append(String(part))
        }
        return parts
    }
}

/// Fields in lines, as the HTTP/2 library hands them on: it refuses all others (RFC 9113, sections 8.2 and 8.3).
private enum FieldLines {
    typealias Field = (name: String, value: [UInt8])

    private static let ofConnections = [
        "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade",
    ]

    /// nil for what the library refuses.
    static func read(_ input: [UInt8]) -> [Field]? {
        var fields: [Field] = []
        for line in input.split(separator: 10) {
            guard let colon = line.dropFirst().firstIndex(of: UInt8(ascii: ":")) else { return nil }
            let value = line[(colon + 1)...]
            guard Lines.isText(value), Lines.trimmed(value).count == value.count else { return nil }
            let name = spelled(line[..<colon])
            guard name == Lines.lowercased(name.utf8), Lines.isToken(name.utf8.drop { $0 == UInt8(ascii: ":") }) else {
                return nil
            }
            fields.append((name, Array(value)))
        }
        let pseudo = fields.prefix { $0.name.hasPrefix(":") }.map(\.name)
        let allowed: Set = [":method", ":path", ":scheme", ":authority"]
        guard allowed.isSuperset(of: pseudo), Set(pseudo).count == pseudo.count,
            allowed.subtracting(pseudo).isSubset(of: [":authority"]),
            !fields.dropFirst(pseudo.count).contains(where: {
                $0.name.hasPrefix(":") || ofConnections.contains($0.name)
            }),
            fields.contains(where: { [":authority", "host"].contains($0.name) }),
            !fields.contains(where: { [":method", ":path"].contains($0.name) && $0.value.contains(32) })
        else { return nil }
        // The library looks at lengths itself.
        let lengths = fields.filter { $0.name == "content-length" }.map(\.value)
        guard lengths.count < 2, lengths.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Lines.decimal.contains) }) else {
            return nil
        }
        return fields
    }

    /// The same request over HTTP/1.
    static func asHTTP1(_ fields: [Field]) -> [UInt8] {
        func value(_ name: String) -> [UInt8] { fields.first { $0.name == name }?.value ?? [] }
        var head = value(":method") + [32] + value(":path") + Array(" HTTP/1.1\r\n".utf8)
        let hasAuthority = fields.contains { $0.name == ":authority" }
        for field in fields where !field.name.hasPrefix(":") || field.name == ":authority" {
            // The two say the same, or the list is refused.
            if field.name == "host", hasAuthority { continue }
            let name = field.name == ":authority" ? "host" : field.name
            head += Array("\(name): ".utf8) + field.value + [13, 10]
        }
        return head + [13, 10]
    }
}
