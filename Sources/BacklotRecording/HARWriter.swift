import Backlot
import BacklotMocks

/// Writes a journal as a HAR, which browsers and proxies can show: HTTP Archive 1.2.
enum HARWriter {
    /// The document, with pseudonyms in place of secrets.
    ///
    /// - Parameters:
    ///   - entries: the entries, the oldest first.
    ///   - prefix: the base path of the mocks, without a trailing slash.
    static func document(_ entries: [JournalEntry], below prefix: String) -> JSONValue {
        var redaction = Redaction()
        let exchanges = redaction.redacted(entries.map { RecordedExchange(whole: $0) })
        return [
            "log": [
                "version": "1.2",
                "creator": ["name": "Backlot", "version": .string(BacklotVersion.current)],
                "pages": [],
                "entries": .array(zip(entries, exchanges).map { entry($0, $1, below: prefix) }),
            ]
        ]
    }

    private static func entry(_ entry: JournalEntry, _ exchange: RecordedExchange, below prefix: String) -> JSONValue {
        let milliseconds = entry.duration / .milliseconds(1)
        let time = JSONNumber(milliseconds).map(JSONValue.number) ?? 0
        let start = entry.time - Int64(milliseconds)
        let second = HTTPDate(secondsSince1970: Int(start / 1000)).rfc3339.dropLast()
        let request = entry.request
        let host = request.headerValues("Host").first ?? "localhost"
        var requestPart: JSONObject = [
            "method": .string(request.method.rawValue),
            "url": .string("\(request.scheme)://\(host)\(prefix)\(exchange.url)"),
            "httpVersion": "HTTP/1.1",
            "cookies": .array(request.cookies.map { pair($0.name, JournalRedaction.mark) }),
            "headers": fields(exchange.requestHeaders),
            "queryString": .array(
                (exchange.query.map { NamedValue.decoded(String($0)) } ?? []).map { pair($0.name, $0.value) }
            ),
            "headersSize": -1,
            "bodySize": JSONValue(entry.bodySize),
        ]
        if !exchange.requestBody.isEmpty {
            requestPart["postData"] = content(exchange.requestBody, type: request.headerValues("Content-Type").first)
        }
        let response = entry.response
        var body = content(exchange.responseBody, type: response.headers[.contentType]).object ?? JSONObject()
        body["size"] = JSONValue(exchange.responseBody.count)
        return [
            "startedDateTime": .string("\(second).\("\(1000 + start % 1000)".dropFirst())Z"),
            "time": time,
            "request": .object(requestPart),
            "response": [
                "status": JSONValue(response.status.code),
                "statusText": .string(response.status.reasonPhrase),
                "httpVersion": "HTTP/1.1",
                "cookies": [],
                "headers": fields(exchange.responseHeaders),
                "content": .object(body),
                "redirectURL": .string(exchange.responseHeaders[.location] ?? ""),
                "headersSize": -1,
                "bodySize": JSONValue(entry.responseBody.count),
            ],
            "cache": [:],
            "timings": ["send": 0, "wait": time, "receive": 0],
        ]
    }

    private static func fields(_ fields: HTTPFields) -> JSONValue {
        .array(fields.map { pair($0.name.rawName, JournalRedaction.shown($0.value, of: $0.name.rawName)) })
    }

    private static func pair(_ name: String, _ value: String) -> JSONValue {
        ["name": .string(name), "value": .string(value)]
    }

    /// A body as text, or as base64 if it isn't text.
    private static func content(_ bytes: [UInt8], type: String?) -> JSONValue {
        let type = type ?? (bytes.isEmpty ? "x-unknown" : "application/octet-stream")
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return ["mimeType": .string(type), "text": .string(Base64.encode(bytes: bytes)), "encoding": "base64"]
        }
        return ["mimeType": .string(type), "text": .string(text)]
    }
}
