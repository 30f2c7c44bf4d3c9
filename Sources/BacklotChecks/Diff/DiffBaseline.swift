internal import Backlot
public import BacklotClients
internal import BacklotJSON
internal import HTTPTypes

/// One side of a comparison: what a server has answered to each step of its crawl, twice.
///
/// It holds texts of pages, and tokens of the sessions in which they were asked for, but no values of cookies.
public struct DiffBaseline: Sendable {
    /// A request, and what the server has answered.
    struct Step: Sendable {
        let path: String
        let request: ClientRequest
        let answer: DiffAnswer
        /// The second answer; nil where it was the same.
        let again: DiffAnswer?
    }

    /// The protocol that the server speaks.
    public let wire: CrawlWire
    /// The server's URL.
    public let url: HTTPURL
    let steps: [Step]
    /// Whether there was more to ask for.
    let isCutOff: Bool
}

/// A file that can't be used as a baseline.
public struct DiffBaselineError: Error, Equatable, CustomStringConvertible {
    /// What is wrong, and what to do: a sentence without a full stop.
    public let description: String
}

// MARK: - Writing

extension DiffBaseline {
    static let format = "backlot-diff-baseline"
    static let version: Int64 = 1

    /// The baseline as the bytes of a file: JSON.
    public var bytes: [UInt8] {
        let head: JSONValue = [
            "format": .string(Self.format),
            "version": .number(JSONNumber(Self.version)),
            "protocol": .string(wire.rawValue),
            "url": .string("\(url)"),
            "cut_off": .bool(isCutOff),
            "step_count": .count(steps.count),
        ]
        // Each step has a line, so that changes show in version control.
        var lines = Array("\(head)".dropLast().utf8) + Array(",\"steps\":[\n".utf8)
        for (index, step) in steps.enumerated() {
            lines += step.json.bytes + Array(index == steps.count - 1 ? "\n".utf8 : ",\n".utf8)
        }
        return lines + Array("]}\n".utf8)
    }

    /// Writes a file. Whoever reads it sees the old one or the new one, whole.
    ///
    /// - Throws: `FileError`.
    public func write(to path: String) throws {
        let file = try PartialFile(for: path)
        do {
            try file.write(bytes)
            try file.finish()
        } catch {
            file.discard()
            throw error
        }
    }
}

extension DiffBaseline.Step {
    fileprivate var json: JSONValue {
        var object: JSONObject = [
            "path": .string(path),
            "method": .string(request.method.rawValue),
            "url": .string("\(request.url)"),
            "headers": Self.json(request.headers),
            "answer": answer.json,
        ]
        if !request.body.isEmpty { object["body"] = .string(String(decoding: request.body, as: UTF8.self)) }
        if let again, !again.isSame(as: answer) { object["again"] = again.json }
        return .object(object)
    }

    fileprivate static func json(_ headers: HTTPFields) -> JSONValue {
        .array(headers.map { [.string($0.name.rawName), .string($0.value)] })
    }
}

extension DiffAnswer {
    fileprivate var json: JSONValue {
        guard let response else { return ["failure": .string(failure.map { "\($0)" } ?? "")] }
        var headers = response.headers
        headers[.contentEncoding] = nil
        let cookies = headers[values: .setCookie].map { field in
            let end = field.firstIndex(of: ";") ?? field.endIndex
            return field[..<end].prefix { $0 != "=" } + "=x" + field[end...]
        }
        headers[values: .setCookie] = cookies.map(String.init)
        var object: JSONObject = [
            "status": .count(response.status.code),
            "headers": DiffBaseline.Step.json(headers),
            "body": .string(response.text),
        ]
        if let end { object["end"] = .string(end) }
        return .object(object)
    }
}
