import Backlot

/// A condition on the parts of a form with files (RFC 7578).
struct MultipartPattern: Sendable, CustomStringConvertible {
    private var isForAll = false
    private var headers: [(name: String, pattern: MultiValuePattern)] = []
    private var bodies: [ContentPattern] = []

    init(_ field: LocatedValue, _ reading: inout MockReader) throws(StubError) {
        isForAll = field.value["matchingType"]?.string == "ALL"
        // WireMock reads both names as parts of Content-Disposition.
        for (key, parameter) in [("name", "name"), ("fileName", "filename")] {
            guard let name = field.value[key]?.string else { continue }
            headers.append(("Content-Disposition", MultiValuePattern(.contains("\(parameter)=\"\(name)\""))))
        }
        for (name, member) in try field["headers"]?.members() ?? [] {
            headers.append((name, try MultiValuePattern(member, &reading)))
        }
        bodies = try field["bodyPatterns"]?.matchers(&reading) ?? []
    }

    /// Whether a request is such a form, and one of its parts, or each, matches.
    func matches(_ request: MockRequest, _ budget: inout MatchBudget) -> Bool {
        guard let parts = request.parts else { return false }
        return isForAll
            ? parts.allSatisfy { isMet(by: $0, &budget) } : parts.contains { isMet(by: $0, &budget) }
    }

    private func isMet(by part: FormPart, _ budget: inout MatchBudget) -> Bool {
        for (name, pattern) in headers {
            guard pattern.matches(part.values(name.lowercased()), &budget) else { return false }
        }
        return bodies.allSatisfy { $0.matches(.bytes(part.body), &budget) }
    }

    var description: String {
        let parts = headers.map { "\($0.name) is \($0.pattern)" } + bodies.map { "it is \($0)" }
        return "\(isForAll ? "parts that all fit" : "a part that fits"): \(parts.joined(separator: " and "))"
    }
}

/// A part of a form with files.
package struct FormPart: Sendable {
    /// The most parts to look at.
    private static let most = 1000
    /// The largest head of a part, in bytes.
    private static let largestHead = 64 * 1024

    let headers: [NamedValue]
    package private(set) var body: [UInt8] = []
    private let start: Int

    /// The range of its body in the message's body.
    package var range: Range<Int> { start..<(start + body.count) }

    /// The name of its input; empty without one.
    package var name: String { values("content-disposition").first.flatMap { Self.parameter("name", of: $0) } ?? "" }

    /// The value of its `Content-Type`; empty without one.
    package var type: String { values("content-type").first ?? "" }

    fileprivate func values(_ name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name }.map(\.value)
    }

    /// A parameter of a header field, in quotes or without (RFC 9110, section 5.6.6).
    private static func parameter(_ name: String, of value: String) -> String? {
        for parameter in value.split(separator: ";").dropFirst() {
            let pair = parameter.trimmed.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, pair[0].trimmed.lowercased() == name else { continue }
            return pair[1].trimmed.filter { $0 != "\"" }
        }
        return nil
    }

    /// The parts of a body; nil for a body that isn't a form with files, according to its `Content-Type` or its content.
    package static func parts(of body: [UInt8], type: String) -> [FormPart]? {
        guard type.lowercased().hasPrefix("multipart/"), let boundary = parameter("boundary", of: type),
            !boundary.isEmpty
        else { return nil }
        var parser = MultipartParser(boundary: boundary, largestHead: largestHead)
        guard let events = try? parser.read(body), parser.isWhole else { return nil }
        var parts: [FormPart] = []
        for event in events {
            switch event {
            case .head(let head, let offset): parts.append(FormPart(head, at: offset))
            case .bytes(let bytes): parts[parts.count - 1].body += bytes
            case .end: break
            }
        }
        return Array(parts.prefix(most))
    }

    private init(_ head: [UInt8], at start: Int) {
        self.start = start
        headers = String(decoding: head, as: UTF8.self).withFewMarks.split(separator: "\r\n").compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...]
            return NamedValue(name: String(line[..<colon].trimmed), value: String(value.trimmed))
        }
    }
}

extension MockRequest {
    /// The parts of a form with files; nil for a request with another body.
    var parts: [FormPart]? {
        headers[.contentType].flatMap { FormPart.parts(of: body, type: $0) }
    }

    /// The parameters of a form without files, decoded; empty for a request with another body.
    var formParameters: [NamedValue] {
        guard let type = headers[.contentType], type.lowercased().hasPrefix("application/x-www-form-urlencoded") else {
            return []
        }
        return NamedValue.decoded(text)
    }
}
