public import Backlot
public import BacklotClients

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One side of a comparison: a server's two responses to each step of its crawl.
///
/// It contains texts of pages, and tokens of the recorded sessions, but no values of cookies.
public struct ComparisonBaseline: Sendable {
    /// A request, with the server's responses.
    struct Step: Sendable {
        let path: String
        let request: ClientRequest
        let response: ComparedResponse
        /// The second response; nil if it was the same.
        var again: ComparedResponse?
    }

    /// The protocol of the server.
    public let appProtocol: AppProtocol
    /// The server's URL.
    public let url: HTTPURL
    let steps: [Step]
    /// Whether the crawl ended early.
    let isCutOff: Bool
}

/// A file that can't be used as a baseline.
public struct ComparisonBaselineError: Error, Equatable, CustomStringConvertible {
    /// The problem, and how to solve it: a sentence without a full stop.
    public let description: String
}

// MARK: - Writing

extension ComparisonBaseline {
    private static let format = "backlot-diff-baseline"
    private static let version: Int64 = 1

    /// The baseline as the bytes of a file: JSON.
    public var bytes: [UInt8] {
        let head: JSONValue = [
            "format": .string(Self.format),
            "version": .number(JSONNumber(Self.version)),
            "protocol": .string(appProtocol.name),
            "url": .string("\(url)"),
            "cut_off": .bool(isCutOff),
            "step_count": .count(steps.count),
        ]
        // Each step has a separate line, so that changes show in version control.
        var lines = Array("\(head)".dropLast().utf8) + Array(",\"steps\":[\n".utf8)
        for (index, step) in steps.enumerated() {
            lines += step.json.bytes + Array(index == steps.count - 1 ? "\n".utf8 : ",\n".utf8)
        }
        return lines + Array("]}\n".utf8)
    }

    /// Writes a file, in place of a file or a link. Readers see either the old or the new content, never a part.
    ///
    /// - Throws: `FileError`.
    public func write(to path: String) throws {
        try PartialFile.write(bytes, to: path)
    }
}

extension ComparisonBaseline.Step {
    var json: JSONValue {
        var object: JSONObject = [
            "path": .string(path),
            "method": .string(request.method.rawValue),
            "url": .string("\(request.url)"),
            "headers": request.headers.json,
            "answer": response.json,
        ]
        if !request.body.isEmpty { object["body"] = .string(String(decoding: request.body, as: UTF8.self)) }
        if let again, !again.isSame(as: response) { object["again"] = again.json }
        return .object(object)
    }

    fileprivate init?(_ value: JSONValue) {
        guard let path = value["path"]?.string,
            let method = value["method"]?.string.flatMap({ HTTPRequest.Method($0) }),
            let url = value["url"]?.string.flatMap({ try? HTTPURL($0) }),
            let headers = HTTPFields(value["headers"]), let response = ComparedResponse(value["answer"])
        else { return nil }
        let again = value["again"].map { ComparedResponse($0) }
        if let again, again == nil { return nil }
        self.path = path
        request = ClientRequest(method, url, headers: headers, body: Array((value["body"]?.string ?? "").utf8))
        self.response = response
        self.again = again ?? nil
    }
}

extension ComparedResponse {
    fileprivate var json: JSONValue {
        guard let response else { return ["failure": .string(failure.map { "\($0)" } ?? "")] }
        var headers = response.headers
        headers[.contentEncoding] = nil
        headers[values: .setCookie] = headers[values: .setCookie].map { field in
            let end = field.firstIndex(of: ";") ?? field.endIndex
            return field[..<end].prefix { $0 != "=" } + "=x" + field[end...]
        }
        var object: JSONObject = [
            "status": .count(response.status.code),
            "headers": headers.json,
            "body": .string(response.text),
        ]
        if let end { object["end"] = .string(end) }
        return .object(object)
    }

    fileprivate init?(_ value: JSONValue?) {
        if let failure = value?["failure"]?.string {
            self.init(.malformed(failure))
            return
        }
        guard let status = value?["status"]?.number?.int64, (100...999).contains(status),
            let headers = HTTPFields(value?["headers"]), let body = value?["body"]?.string
        else { return nil }
        let code = HTTPResponse.Status(code: Int(status))
        let response = ClientResponse(status: code, headers: headers, body: Array(body.utf8))
        self.init(response, end: value?["end"]?.string, nesting: ClientLimits().nesting)
    }
}

extension HTTPFields {
    fileprivate var json: JSONValue { .array(map { [.string($0.name.rawName), .string($0.value)] }) }

    fileprivate init?(_ value: JSONValue?) {
        guard let list = value?.array else { return nil }
        self.init()
        for pair in list {
            guard let name = pair[0]?.string.flatMap({ HTTPField.Name($0) }), let value = pair[1]?.string,
                HTTPField.isValidValue(value)
            else { return nil }
            append(HTTPField(name: name, value: value))
        }
    }
}

// MARK: - Reading

extension ComparisonBaseline {
    /// The maximum size of the file, in bytes.
    private static let mostBytes = 1024 * 1024 * 1024

    /// Reads a file.
    ///
    /// - Throws: ``ComparisonBaselineError`` for a file that can't be read, isn't a baseline, has another version or is incomplete.
    public init(contentsOf path: String) throws(ComparisonBaselineError) {
        let advice = "write one with 'demo-server diff URL --baseline \(path) --record'"
        func error(_ text: String) -> ComparisonBaselineError { ComparisonBaselineError(description: text) }
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
            throw error("'\(path)' doesn't exist: \(advice)")
        }
        let size = (attributes[.size] as? UInt64).map { Int(clamping: $0) } ?? attributes[.size] as? Int ?? 0
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw error("'\(path)' isn't a file: \(advice)")
        }
        guard size <= Self.mostBytes else {
            throw error("'\(path)' has \(size) bytes, more than a baseline: \(advice)")
        }
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw error("'\(path)' can't be read: give this user the right to read it")
        }
        do throws(ComparisonBaselineError) {
            try self.init(parsing: Array(data))
        } catch let problem {
            throw error("'\(path)' \(problem.description): \(advice)")
        }
    }

    /// Reads the bytes of a file.
    ///
    /// - Throws: ``ComparisonBaselineError`` with a text that continues after the file's name.
    private init(parsing bytes: [UInt8]) throws(ComparisonBaselineError) {
        func error(_ text: String) -> ComparisonBaselineError { ComparisonBaselineError(description: text) }
        let document: JSONValue
        do {
            document = try JSONValue(parsing: bytes)
        } catch let problem {
            let isCut = bytes.starts(with: Array("{\"format\":\"\(Self.format)\"".utf8))
            throw error(isCut ? "was cut short or damaged (\(problem))" : "isn't a baseline: it isn't JSON")
        }
        guard document["format"]?.string == Self.format else { throw error("isn't a baseline but other JSON") }
        guard let version = document["version"]?.number?.int64 else { throw error("has no version") }
        guard version == Self.version else {
            throw error("is a baseline of version \(version), and this program reads version \(Self.version)")
        }
        guard let appProtocol = document["protocol"]?.string.flatMap(AppProtocol.known.named),
            let url = document["url"]?.string.flatMap({ try? HTTPURL($0) })
        else { throw error("doesn't say which server it is of") }
        guard let list = document["steps"]?.array, document["step_count"]?.number?.int64 == Int64(list.count) else {
            throw error("was cut short: steps are missing")
        }
        var steps: [Step] = []
        for (index, value) in list.enumerated() {
            guard let step = Step(value) else { throw error("is damaged: its step \(index + 1) can't be read") }
            steps.append(step)
        }
        self.init(appProtocol: appProtocol, url: url, steps: steps, isCutOff: document["cut_off"]?.bool ?? false)
    }
}
