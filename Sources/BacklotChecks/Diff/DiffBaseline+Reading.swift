internal import Backlot
internal import BacklotClients
internal import BacklotJSON
internal import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension DiffBaseline {
    /// The largest file that is read, in bytes.
    private static let mostBytes = 1024 * 1024 * 1024

    /// Reads a file.
    ///
    /// - Throws: ``DiffBaselineError`` for a file that can't be read, is no baseline, is one of another version or was cut short.
    public init(contentsOf path: String) throws(DiffBaselineError) {
        let advice = "write one with 'demo-server diff URL --baseline \(path) --record'"
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
            throw DiffBaselineError(description: "there is no file '\(path)': \(advice)")
        }
        let size = (attributes[.size] as? UInt64).map { Int(clamping: $0) } ?? attributes[.size] as? Int ?? 0
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw DiffBaselineError(description: "'\(path)' is no file: \(advice)")
        }
        guard size <= Self.mostBytes else {
            throw DiffBaselineError(description: "'\(path)' has \(size) bytes, more than a baseline: \(advice)")
        }
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw DiffBaselineError(description: "'\(path)' can't be read: give this user the right to read it")
        }
        do throws(DiffBaselineError) {
            try self.init(parsing: Array(data))
        } catch {
            throw DiffBaselineError(description: "'\(path)' \(error.description): \(advice)")
        }
    }

    /// Reads the bytes of a file.
    ///
    /// - Throws: ``DiffBaselineError``, whose text goes on from the file's name.
    init(parsing bytes: [UInt8]) throws(DiffBaselineError) {
        func error(_ text: String) -> DiffBaselineError { DiffBaselineError(description: text) }
        let beginning = Array("{\"format\":\"\(Self.format)\"".utf8)
        let document: JSONValue
        do {
            document = try JSONValue(parsing: bytes)
        } catch {
            throw bytes.starts(with: beginning)
                ? DiffBaselineError(description: "was cut short or damaged (\(error))")
                : DiffBaselineError(description: "is no baseline: it isn't JSON")
        }
        guard document["format"]?.string == Self.format else {
            throw error("is no baseline, but other JSON")
        }
        guard let version = document["version"]?.number?.int64 else { throw error("has no version") }
        guard version == Self.version else {
            throw error("is a baseline of version \(version), and this program reads version \(Self.version)")
        }
        guard let wire = document["protocol"]?.string.flatMap(CrawlWire.init(rawValue:)),
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
        self.init(wire: wire, url: url, steps: steps, isCutOff: document["cut_off"]?.bool ?? false)
    }
}

extension DiffBaseline.Step {
    fileprivate init?(_ value: JSONValue) {
        guard let path = value["path"]?.string,
            let method = value["method"]?.string.flatMap({ HTTPRequest.Method($0) }),
            let url = value["url"]?.string.flatMap({ try? HTTPURL($0) }),
            let headers = HTTPFields(value["headers"]), let answer = DiffAnswer(value["answer"])
        else { return nil }
        self.path = path
        request = ClientRequest(method, url, headers: headers, body: Array((value["body"]?.string ?? "").utf8))
        self.answer = answer
        if let again = value["again"] {
            guard let other = DiffAnswer(again) else { return nil }
            self.again = other
        } else {
            again = nil
        }
    }
}

extension DiffAnswer {
    fileprivate init?(_ value: JSONValue?) {
        let nesting = ClientLimits().nesting
        guard let value else { return nil }
        if let failure = value["failure"]?.string {
            self.init(response: nil, end: nil, failure: .malformed(failure), nesting: nesting)
            return
        }
        guard let status = value["status"]?.number?.int64, (100...999).contains(status),
            let headers = HTTPFields(value["headers"]), let body = value["body"]?.string
        else { return nil }
        let response = ClientResponse(
            status: HTTPResponse.Status(code: Int(status)),
            headers: headers,
            body: Array(body.utf8)
        )
        self.init(response: response, end: value["end"]?.string, failure: nil, nesting: nesting)
    }
}

extension HTTPFields {
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
