import Backlot
package import BacklotMocks

/// The exchanges in a file from a browser or a proxy: HTTP Archive 1.2, as written by Chrome, Firefox, Charles and mitmproxy. The
/// messages of WebSockets are in `_webSocketMessages`, as Chrome and mitmproxy write them.
package struct HARRecording: Sendable {
    /// The exchanges with one backend, by beginning.
    package private(set) var exchanges: [RecordedExchange] = []
    /// The base URL of that backend.
    package private(set) var base = ""
    /// The omitted entries, with the reasons.
    package private(set) var skipped: [String] = []

    /// Reads a file.
    ///
    /// - Parameter base: the base URL of the backend, such as `https://example.com/v1`; nil for the host with the most requests.
    /// - Throws: `MessageError`.
    package init(_ bytes: [UInt8], base: String? = nil) throws(MessageError) {
        let document: JSONValue
        do throws(JSONParseError) {
            document = try JSONValue(parsing: SourceText.withoutMark(bytes))
        } catch {
            throw MessageError("\(error.line):\(error.column): the file isn't JSON, or is incomplete: \(error)")
        }
        guard let list = document["log"]?["entries"]?.array else {
            if document["info"] != nil, document["item"]?.array != nil {
                throw MessageError(
                    "the file is a collection of Postman, which has requests without responses: send them through 'demo-server record', and use what that writes"
                )
            }
            throw MessageError("the file isn't a HAR: it has no list log.entries; export it as HAR again")
        }
        var entries: [HAREntry] = []
        for entry in list {
            do throws(MessageError) {
                entries.append(try HAREntry(entry))
            } catch {
                skipped.append(error.description)
            }
        }
        if let base {
            guard let url = HARURL(base) else {
                throw MessageError("'\(base)' isn't a base URL; write one such as https://example.com/v1")
            }
            self.base = base
            var path = url.target.prefix { $0 != "?" }
            while path.hasSuffix("/") { path.removeLast() }
            keep(entries, of: url.host, below: String(path))
            return
        }
        var hosts = Tally<String>()
        for entry in entries { hosts.add(entry.url.host) }
        guard let host = hosts.mostFrequent, let url = entries.first(where: { $0.url.host == host })?.url else {
            if skipped.isEmpty { throw MessageError("the HAR has no entries: record some traffic first") }
            throw MessageError("the HAR has no entry that can be used; of the first: \(skipped[0])")
        }
        self.base = "\(url.scheme)://\(host)/"
        keep(entries, of: host, below: "")
    }

    /// The host counts as one backend over both http and https.
    private mutating func keep(_ entries: [HAREntry], of host: String, below path: String) {
        var others = Tally<String>()
        var own: [(exchange: RecordedExchange, date: Double, index: Int)] = []
        // An entry without a date stays after the one before it.
        var date = 0.0
        for (index, entry) in entries.enumerated() {
            date = entry.date ?? date
            guard entry.url.host == host, let target = entry.url.target(below: path) else {
                others.add(entry.url.host == host ? "\(host), but not below \(path)" : entry.url.host)
                continue
            }
            var exchange = entry.exchange
            exchange.url = target
            exchange.moveToMocks(from: (entry.url.scheme, host), below: path)
            own.append((exchange, date, index))
        }
        own.sort { ($0.date, $0.index) < ($1.date, $1.index) }
        exchanges = own.map { item in
            var exchange = item.exchange
            exchange.began = .milliseconds((item.date - own[0].date) * 1000)
            return exchange
        }
        for (name, count) in others.counts {
            let entries = count == 1 ? "1 entry" : "\(count) entries"
            skipped.append("\(entries) of \(name): name another backend with --base-url")
        }
    }
}

/// A HAR entry.
struct HAREntry {
    let url: HARURL
    /// The beginning, in seconds since 1970; nil without a readable date.
    let date: Double?
    /// The exchange, with an absolute URL and without a beginning.
    let exchange: RecordedExchange

    /// - Throws: `MessageError`.
    init(_ entry: JSONValue) throws(MessageError) {
        guard let request = entry["request"], let response = entry["response"] else {
            throw MessageError("an entry without a request or a response")
        }
        let text = request["url"]?.string ?? ""
        let word = request["method"]?.string ?? ""
        let title = "\(word) \(Self.shown(text))"
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard scheme != "data" else { throw MessageError("a data: URL, which no server answers") }
        let status = response["status"]?.number?.int64 ?? 0
        let messages = entry["_webSocketMessages"]?.array
        guard status != 101 || messages != nil else {
            throw MessageError("\(title): a WebSocket without its messages; Chrome and mitmproxy export them")
        }
        guard let url = HARURL(text) else { throw MessageError("\(title): no URL of http or https") }
        guard let method = HTTPRequest.Method(word) else { throw MessageError("\(title): no method") }
        guard (200...599).contains(status) || status == 101 else {
            throw MessageError("\(title): it has no response\(status == 0 ? "" : ", but for status \(status)")")
        }
        self.url = url
        date = (entry["startedDateTime"]?.string).flatMap { CivilTime($0)?.utc }
        var exchange = RecordedExchange(method, text, status: Int(status))
        exchange.requestHeaders = try Self.fields(request["headers"], title)
        exchange.responseHeaders = try Self.fields(response["headers"], title)
        exchange.requestBody = try Self.body(request["postData"], &exchange.requestHeaders, title)
        if ["ws", "wss"].contains(scheme) || status == 101 { exchange.requestHeaders[.upgrade] = "websocket" }
        let hasNoBody = method == .head || status == 204 || status == 304 || status == 101
        exchange.responseBody = hasNoBody ? [] : try Self.body(response["content"], &exchange.responseHeaders, title)
        let milliseconds = entry["time"]?.number?.double ?? 0
        if milliseconds > 0, milliseconds < 1e9 { exchange.duration = .milliseconds(milliseconds) }
        if status == 101, let messages {
            exchange.responseBody = RecordedMessages.body(try Self.messages(messages, since: date ?? 0, title))
        }
        self.exchange = exchange
    }

    /// The messages of a WebSocket. Only the client may end it, since the file doesn't have its end.
    private static func messages(
        _ list: [JSONValue],
        since start: Double,
        _ title: String
    ) throws(MessageError) -> [ProxiedMessage] {
        guard list.count <= RecordedEvents.limit else {
            throw MessageError("\(title): a WebSocket with more than \(RecordedEvents.limit) messages")
        }
        var messages: [ProxiedMessage] = []
        for (index, element) in list.enumerated() {
            let (type, code) = (element["type"]?.string, element["opcode"]?.number?.int64)
            let text = element["data"]?.string ?? ""
            let time = Duration.seconds(min(max((element["time"]?.number?.double ?? start) - start, 0), 1e7))
            let event: ProxiedMessage.Event
            switch (type, code) {
            case ("error", _): event = .end(nil)
            case ("send", 1), ("receive", 1): event = .message(.text(text))
            case ("send", 2), ("receive", 2):
                guard let bytes = Base64.decode(text) else {
                    throw MessageError("\(title): its message \(index + 1) isn't base64")
                }
                event = .message(.binary(bytes))
            case ("send", 8), ("receive", 8): event = .end(WebSocketClose(.noStatus))
            case ("send", 9?), ("send", 10?), ("receive", 9?), ("receive", 10?): continue
            default:
                throw MessageError(
                    "\(title): its message \(index + 1) has no type (send, receive or error) with an opcode (1, or 2 for base64)"
                )
            }
            messages.append(ProxiedMessage(isClients: type == "send", event, at: time))
        }
        return messages + [ProxiedMessage(isClients: true, .end(nil), at: messages.last?.time ?? .zero)]
    }

    /// The part of a URL to show in reports: its scheme, its host, and the first segment of its path unless that looks like a secret.
    static func shown(_ url: String) -> String {
        guard let (scheme, rest) = url.atScheme else { return "…" }
        let parts = rest.prefix { $0 != "?" && $0 != "#" }
            .split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        let host = parts.first?.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        var shown = "\(scheme)://\(host)"
        guard parts.count > 1 else { return shown }
        let segment = PercentDecoding.repair(parts[1].utf8.span)
        let isSecret = segment.utf8.count > 40 || segment.contains("@") || !SecretShapes.found(in: segment).isEmpty
        shown += "/\(isSecret ? "…" : parts[1])"
        return parts.count > 2 ? "\(shown)/…" : shown
    }

    /// The header fields, without the HTTP/2 pseudo-header fields, which begin with a colon.
    private static func fields(_ list: JSONValue?, _ title: String) throws(MessageError) -> HTTPFields {
        var fields = HTTPFields()
        for field in list?.array ?? [] {
            guard let name = HTTPField.Name(field["name"]?.string ?? ""), let value = field["value"]?.string else {
                continue
            }
            // Chrome joins fields with the same name by line breaks.
            for line in value.split(whereSeparator: \.isNewline) where HTTPField.isValidValue(String(line)) {
                guard fields.count < 1000 else { throw MessageError("\(title): more than 1000 header fields") }
                fields.append(HTTPField(name: name, value: String(line)))
            }
        }
        return fields
    }

    /// The body of a request (`postData`) or a response (`content`).
    private static func body(
        _ part: JSONValue?,
        _ headers: inout HTTPFields,
        _ title: String
    ) throws(MessageError) -> [UInt8] {
        guard let part else { return [] }
        if headers[.contentType] == nil, let type = part["mimeType"]?.string, !type.isEmpty, type != "x-unknown",
            HTTPField.isValidValue(type)
        {
            headers[.contentType] = type
        }
        // The HAR contains the decoded body.
        headers[.contentEncoding] = nil
        let text = part["text"]?.string ?? ""
        if part["encoding"]?.string == "base64" {
            guard let bytes = Base64.decode(text) else { throw MessageError("\(title): its body isn't base64") }
            return bytes
        }
        guard text.isEmpty else {
            // The text was decoded, regardless of its original charset.
            headers[.contentType] = headers[.contentType].map(utf8)
            return Array(text.utf8)
        }
        if let parameters = part["params"]?.array, !parameters.isEmpty { return form(parameters, headers) }
        guard part["text"] != nil || (part["size"]?.number?.double ?? 0) <= 0 else {
            throw MessageError("\(title): the body of the response isn't in the file; save the HAR with content")
        }
        return []
    }

    /// The media type with UTF-8 in place of any other charset.
    private static func utf8(_ type: String) -> String {
        let parts = type.split(separator: ";").map { String($0.trimmed) }
        guard parts.contains(where: { $0.lowercased().hasPrefix("charset=") && $0.lowercased() != "charset=utf-8" })
        else { return type }
        return parts.map { $0.lowercased().hasPrefix("charset=") ? "charset=utf-8" : $0 }.joined(separator: "; ")
    }

    /// The body of a form.
    private static func form(_ parameters: [JSONValue], _ headers: HTTPFields) -> [UInt8] {
        let type = headers[.contentType] ?? ""
        guard type.lowercased().hasPrefix("multipart/"), let start = type.firstRange(of: "boundary=") else {
            let pairs = parameters.map { parameter in
                let (name, value) = (parameter["name"]?.string ?? "", parameter["value"]?.string ?? "")
                return "\(FormText.encode(FormText.decode(name[...])))=\(FormText.encode(FormText.decode(value[...])))"
            }
            return Array(pairs.joined(separator: "&").utf8)
        }
        let boundary = type[start.upperBound...].prefix { $0 != ";" }.filter { $0 != "\"" }
        var text = ""
        for parameter in parameters {
            text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(parameter["name"]?.string ?? "")\""
            if let file = parameter["fileName"]?.string { text += "; filename=\"\(file)\"" }
            text += "\r\n"
            if let type = parameter["contentType"]?.string { text += "Content-Type: \(type)\r\n" }
            text += "\r\n\(parameter["value"]?.string ?? "")\r\n"
        }
        return Array((text + "--\(boundary)--\r\n").utf8)
    }
}

/// An absolute URL in a HAR.
struct HARURL {
    /// `http`, also for `ws`; or `https`.
    let scheme: String
    /// The host in lower case, with its port unless that is the scheme's default.
    let host: String
    /// The path and the query, which begin with a slash.
    let target: String

    init?(_ text: String) {
        guard let end = text.firstRange(of: "://") else { return nil }
        // A WebSocket is opened with HTTP.
        switch text[..<end.lowerBound].lowercased() {
        case "http", "ws": scheme = "http"
        case "https", "wss": scheme = "https"
        default: return nil
        }
        let rest = text[end.upperBound...].prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let name = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let usual = scheme == "http" ? ":80" : ":443"
        host = (name.hasSuffix(usual) ? name.dropLast(usual.count) : name).lowercased()
        guard !host.isEmpty else { return nil }
        let target = rest[authority.endIndex...]
        self.target = target.hasPrefix("/") ? String(target) : "/\(target)"
    }

    /// The path and the query below a base path without a trailing slash; nil for a URL outside of it.
    func target(below basePath: String) -> String? { target.path(below: basePath) }
}
