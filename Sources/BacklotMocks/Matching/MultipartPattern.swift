import Backlot
import BacklotHTTP
import HTTPTypes

/// A condition on the parts of a form with files (RFC 7578).
struct MultipartPattern: Sendable, CustomStringConvertible {
    private var isForAll = false
    private var headers: [(name: String, pattern: MultiValuePattern)] = []
    private var bodies: [ContentPattern] = []

    init(_ field: LocatedValue, _ reading: inout MockReader) throws(StubProblem) {
        isForAll = try field["matchingType"]?.word(of: ["ALL", "ANY"]) == "ALL"
        // WireMock reads both names as parts of Content-Disposition.
        for (key, parameter) in [("name", "name"), ("fileName", "filename")] {
            guard let name = try field[key]?.string() else { continue }
            headers.append(("Content-Disposition", MultiValuePattern(.contains("\(parameter)=\"\(name)\""))))
        }
        for (name, member) in try field["headers"]?.members() ?? [] {
            headers.append((name, try MultiValuePattern(member, &reading)))
        }
        for element in try field["bodyPatterns"]?.elements() ?? [] {
            bodies.append(try ContentPattern(element, &reading))
        }
    }

    /// Whether a request is such a form, and one of its parts, or each, is as it should be.
    func matches(_ request: MockRequest, _ budget: inout MatchBudget) -> Bool {
        guard let parts = request.parts else { return false }
        return isForAll
            ? parts.allSatisfy { isMet(by: $0, &budget) } : parts.contains { isMet(by: $0, &budget) }
    }

    private func isMet(by part: FormPart, _ budget: inout MatchBudget) -> Bool {
        for (name, pattern) in headers {
            let wanted = name.lowercased()
            let values = part.headers.filter { $0.name.lowercased() == wanted }.map(\.value)
            guard pattern.matches(values, &budget) else { return false }
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
    /// How many parts, and how many header fields of a part, are looked at.
    private static let most = 1000

    private(set) var headers: [NamedValue] = []
    package private(set) var body: [UInt8] = []
    /// Where its body stands in that of the message.
    package private(set) var range = 0..<0

    /// The name of its input; empty without one.
    package var name: String { parameter("name", of: "Content-Disposition") ?? "" }

    /// The value of its `Content-Type`; empty without one.
    package var type: String { headers.first { $0.name.lowercased() == "content-type" }?.value ?? "" }

    private func parameter(_ name: String, of field: String) -> String? {
        headers.first { $0.name.lowercased() == field.lowercased() }.flatMap { Self.parameter(name, of: $0.value) }
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

    /// The parts of a body; nil for one that is no form with files, by its `Content-Type` or by what it holds.
    package static func parts(of body: [UInt8], type: String) -> [FormPart]? {
        guard type.lowercased().hasPrefix("multipart/"), let boundary = parameter("boundary", of: type),
            !boundary.isEmpty
        else { return nil }
        return parts(of: body, boundary: boundary)
    }

    /// The parts of a body (RFC 2046, section 5.1); nil for a body that isn't one.
    static func parts(of body: [UInt8], boundary: String) -> [FormPart]? {
        let delimiter = Array("\r\n--\(boundary)".utf8)
        // The first delimiter may begin the body.
        var rest = ([13, 10] + body)[...]
        var parts: [FormPart] = []
        guard let first = rest.firstRange(of: delimiter) else { return nil }
        rest = rest[first.upperBound...]
        while parts.count < most, !rest.starts(with: "--".utf8) {
            guard let lineEnd = rest.firstRange(of: [13, 10]), let next = rest.firstRange(of: delimiter) else {
                return nil
            }
            // The delimiter's own line may end in the next delimiter, where there is neither head nor body.
            guard lineEnd.upperBound <= next.lowerBound + 2 else { return nil }
            let content = rest[lineEnd.upperBound..<max(lineEnd.upperBound, next.lowerBound)]
            parts.append(FormPart(content))
            rest = rest[next.upperBound...]
        }
        return parts
    }

    private init(_ content: ArraySlice<UInt8>) {
        var rest = content
        while headers.count < Self.most {
            guard let end = rest.firstRange(of: [13, 10]) else { break }
            let line = rest[..<end.lowerBound]
            rest = rest[end.upperBound...]
            if line.isEmpty { break }
            let text = String(decoding: line, as: UTF8.self)
            guard let colon = text.firstIndex(of: ":") else { continue }
            headers.append(
                NamedValue(
                    name: String(text[..<colon].trimmed),
                    value: String(text[text.index(after: colon)...].trimmed)
                )
            )
        }
        body = Array(rest)
        // The body was read after a line break of its own.
        range = (rest.startIndex - 2)..<(rest.endIndex - 2)
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
