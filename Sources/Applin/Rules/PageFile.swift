package import Backlot

/// Pages to check, from one file: one page, or one on each line.
package struct PageFile: Sendable {
    /// A page and its name.
    package struct Entry: Sendable {
        fileprivate enum Content: Sendable {
            case document(JSONValue)
            case body([UInt8])
        }

        /// The page's name in the file; without one, the file's name, or the line.
        package let id: String
        fileprivate let content: Content

        /// The verdicts of released clients.
        package func verdicts(baseURL: String?) -> ClientFindings {
            switch content {
            case .document(let document): ReleasedClients.verdicts(on: document, baseURL: baseURL)
            case .body(let body): ReleasedClients.verdicts(onBody: body, baseURL: baseURL)
            }
        }
    }

    /// The pages, in their order.
    package let entries: [Entry]

    /// The maximum number of bytes of a file after decompression.
    private static let largest = 1 << 30

    /// The content of a file, which may be compressed with gzip.
    ///
    /// - Throws: `ContentCodingError` for a damaged gzip file, or one that is larger than 1 GiB.
    package static func decompressed(_ bytes: [UInt8]) throws -> [UInt8] {
        guard bytes.starts(with: [0x1F, 0x8B]) else { return bytes }
        guard let plain = try ContentEncoding("gzip").decode(bytes, limit: largest) else {
            throw ContentCodingError.malformed(.gzip, "it holds more than 1 GiB")
        }
        return plain
    }

    /// Reads the content of a file: a page (`{"typ":…}`), the body of a response (`{"page":{"typ":…}}`), or lines of
    /// `{"id":…,"page":BODY}`. A BODY that is a string is the exact text of a body.
    ///
    /// Any other text counts as one page, which no client loads.
    ///
    /// - Parameter name: the name of a page without an id.
    package init(_ bytes: [UInt8], name: String) {
        if let document = Self.document(bytes) {
            entries = [Self.entry(document, bytes, name)]
            return
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n")).filter { !$0.allSatisfy { $0 <= 0x20 } }.map(Array.init)
        guard lines.count > 1, let first = Self.document(lines[0]), Self.isLine(first) else {
            entries = [Entry(id: name, content: .body(bytes))]
            return
        }
        entries = lines.enumerated().map { index, line in
            let name = "\(name), line \(index + 1)"
            return Self.document(line).map { Self.entry($0, line, name) } ?? Entry(id: name, content: .body(line))
        }
    }

    private static func document(_ bytes: [UInt8]) -> JSONValue? {
        try? JSONValue(parsing: bytes, depthLimit: ApplinInspector.deepestJSON)
    }

    /// Whether an object isn't a page, but contains one.
    private static func isLine(_ document: JSONValue) -> Bool {
        guard let page = document["page"] else { return false }
        return document["id"] != nil || page["page"] != nil || page.string != nil
    }

    private static func entry(_ document: JSONValue, _ bytes: [UInt8], _ name: String) -> Entry {
        guard isLine(document), let page = document["page"] else {
            let isPage = document["page"] == nil && document["typ"] != nil
            return Entry(id: name, content: isPage ? .document(["page": document]) : .body(bytes))
        }
        let id = document["id"].map { $0.string ?? $0.description } ?? name
        return Entry(id: id, content: page.string.map { .body(Array($0.utf8)) } ?? .document(page))
    }
}

extension ClientFindings {
    /// The verdicts for programs: `{"id":…,"accepts":["0.31.0",…],"rejects":{"0.30.0":"…"}}`, and `post_refused` for clients that
    /// load the page but can't send a POST from it.
    package func json(id: String) -> JSONValue {
        var object: JSONObject = [
            "id": .string(id),
            "accepts": .array(accepts.map { .string($0.fullDescription) }),
            "rejects": Self.reasons(rejects),
        ]
        if !failsToPost.isEmpty { object["post_refused"] = Self.reasons(failsToPost) }
        return .object(object)
    }

    private static func reasons(_ verdicts: [(release: ClientVersion, reason: Finding)]) -> JSONValue {
        var object = JSONObject()
        for verdict in verdicts { object[verdict.release.fullDescription] = .string(verdict.reason.shortText) }
        return .object(object)
    }

    /// The verdicts for people: the releases that load the page, and the others with their reasons.
    package func text(id: String) -> String {
        var lines = [id]
        let ranges = Self.ranges(of: accepts.map { ($0, "") }).map(\.range)
        lines.append("  loads: \(ranges.isEmpty ? "no release" : ranges.joined(separator: ", "))")
        lines += Self.ranges(of: failsToPost.map { ($0.release, $0.reason.shortText) })
            .map { "  \($0.range) can send nothing from it: \($0.reason)" }
        lines += Self.ranges(of: rejects.map { ($0.release, $0.reason.shortText) })
            .map { "  \($0.range): \($0.reason)" }
        return lines.joined(separator: "\n")
    }

    /// Neighbouring releases with the same reason, as `0.31 to 0.40`.
    private static func ranges(of verdicts: [(ClientVersion, String)]) -> [(range: String, reason: String)] {
        var ranges: [(first: ClientVersion, last: ClientVersion, reason: String)] = []
        for (release, reason) in verdicts {
            let next = ranges.last.flatMap { range in ReleasedClients.releases.first { $0 > range.last } }
            if let range = ranges.last, next == release, range.reason == reason {
                ranges[ranges.count - 1].last = release
            } else {
                ranges.append((release, release, reason))
            }
        }
        return ranges.map { ($0.first == $0.last ? "\($0.first)" : "\($0.first) to \($0.last)", $0.reason) }
    }
}

extension Finding {
    /// The place, the message, and the rule, in one line.
    fileprivate var shortText: String { "\(path.pointer.isEmpty ? "/" : path.pointer): \(message) [\(rule)]" }
}
