internal import BacklotHTTP
internal import BacklotJSON
internal import HTTPTypes

/// The outcome of a request to a collector.
enum OTLPOutcome: Equatable {
    /// Records that the collector rejects although it accepts the request, with the reason.
    struct Rejected: Equatable {
        let count: Int
        let message: String
    }

    case accepted(Rejected?)
    /// The collector would not accept it later either.
    case refused(String)
    /// The collector may accept the records later. `after` is the time that it asks to wait; nil for none.
    case later(String, after: Duration?)

    /// The maximum length of a collector's message in the log, in characters.
    private static let longestMessage = 300

    /// The outcome for a response.
    init(_ status: HTTPResponse.Status, _ headers: HTTPFields, _ body: [UInt8], now: HTTPDate = .now) {
        let isJSON = headers[.contentType]?.lowercased().hasPrefix("application/json") ?? false
        guard status.kind != .successful else {
            self = .accepted(Self.rejected(body, isJSON: isJSON))
            return
        }
        let message = Self.message(body, isJSON: isJSON).map { ": \($0)" } ?? ""
        let reason = "the collector answers \(status.code)\(message)"
        switch status.code {
        case 429, 502, 503, 504:
            self = .later(reason, after: headers[.retryAfter].flatMap { Self.pause($0, now: now) })
        case 401, 403: self = .refused("\(reason). Set OTEL_EXPORTER_OTLP_HEADERS, such as authorization=Bearer%20…")
        case 404, 405: self = .refused("\(reason). Check the path in OTEL_EXPORTER_OTLP_ENDPOINT")
        case 413:
            self = .refused(
                "\(reason). Set a smaller OTEL_BSP_MAX_EXPORT_BATCH_SIZE or OTEL_BLRP_MAX_EXPORT_BATCH_SIZE"
            )
        case 415:
            self = .refused("\(reason). Set OTEL_EXPORTER_OTLP_PROTOCOL to the other of http/protobuf and http/json")
        case 300..<400:
            let place = headers[.location].map { ": \($0.prefix(Self.longestMessage))" } ?? ""
            self = .refused(
                "\(reason)\(place). Redirects aren't followed: set OTEL_EXPORTER_OTLP_ENDPOINT to the new place"
            )
        default: self = .refused(reason)
        }
    }

    /// The time in `Retry-After` (RFC 9110, section 10.2.3); nil for none, and for a text that can't be read.
    private static func pause(_ text: String, now: HTTPDate) -> Duration? {
        let seconds =
            Int32(text).map { Int($0) }
            ?? HTTPDate(text, now: now).map { $0.secondsSince1970 - now.secondsSince1970 }
        return seconds.flatMap { $0 > 0 ? .seconds($0) : nil }
    }

    /// The `partial_success` of a response; nil if all records were accepted.
    private static func rejected(_ body: [UInt8], isJSON: Bool) -> Rejected? {
        let count: Int
        let message: String
        if isJSON {
            guard let partial = (try? JSONValue(parsing: body))?["partialSuccess"] else { return nil }
            let number = ["rejectedSpans", "rejectedDataPoints", "rejectedLogRecords"].compactMap { partial[$0] }.first
            // Integers of 64 bits are strings in this JSON, but some collectors write numbers.
            count = number?.number?.int64.map { Int($0) } ?? number?.string.flatMap { Int($0) } ?? 0
            message = partial["errorMessage"]?.string ?? ""
        } else {
            guard let partial = ProtobufReader(body).contents[1].map(ProtobufReader.init) else { return nil }
            count = Int(clamping: partial.numbers[1] ?? 0)
            message = partial.text(2) ?? ""
        }
        guard count > 0 || !message.isEmpty else { return nil }
        return Rejected(
            count: max(0, count),
            message: message.isEmpty ? "without a reason" : message.excerpt(upTo: longestMessage)
        )
    }

    /// The text of an error, which is a `google.rpc.Status`.
    private static func message(_ body: [UInt8], isJSON: Bool) -> String? {
        let message = isJSON ? (try? JSONValue(parsing: body))?["message"]?.string : ProtobufReader(body).text(2)
        guard let message, !message.isEmpty else { return nil }
        return message.excerpt(upTo: longestMessage)
    }
}
