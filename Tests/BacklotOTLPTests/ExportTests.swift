import Backlot
import CoreMetrics
import Foundation
import Logging
import TestSupport
import Testing
import Tracing

@testable import BacklotOTLP

extension ExportQueue {
    /// A queue of a test.
    static func make(_ bounds: BatchBounds = BatchBounds(delay: .seconds(60))) -> ExportQueue {
        ExportQueue(bounds, dropped: Counter(label: "dropped", factory: PrometheusMetrics()))
    }
}

/// What is kept, how it is written, and what a collector's answer means.
@Suite(.timeLimit(.minutes(5))) struct ExportTests {
    private static let message = [
        OTLPField(1, "text", .string("é\"")), OTLPField(2, "integer", .int64(-1)), OTLPField(3, "small", .small(300)),
        OTLPField(16, "fixed32", .fixed32(1)), OTLPField(4, "fixed64", .fixed64(.max)),
        OTLPField(5, "id", .identity([0x0102_0304_0506_0708])), OTLPField(6, "double", .double(.infinity)),
        OTLPField(7, "doubles", .doubles([1.5])), OTLPField(8, "counts", .counts([1, 2])),
        OTLPField(9, "message", .message([OTLPField(1, "flag", .bool(false))])),
        OTLPField(10, "messages", .messages(["a", "b"].map { [OTLPField(1, "text", .string($0))] })),
    ]

    @Test func `JSON is as the protocol maps it`() {
        let text = String(decoding: OTLPFormat.json.encode(Self.message), as: UTF8.self)
        #expect(
            text == #"{"text":"é\"","integer":"-1","small":300,"fixed32":1,"fixed64":"18446744073709551615","#
                + #""id":"0102030405060708","double":"Infinity","doubles":[1.5],"counts":["1","2"],"#
                + #""message":{"flag":false},"messages":[{"text":"a"},{"text":"b"}]}"#
        )
    }

    @Test func `Protobuf has its wire format`() {
        let bytes: [UInt8] =
            [0x0A, 3, 0xC3, 0xA9, 0x22]
            + [0x10] + Array(repeating: 0xFF, count: 9) + [1]
            + [0x18, 0xAC, 2] + [0x85, 1, 1, 0, 0, 0]
            + [0x21] + Array(repeating: 0xFF, count: 8)
            + [0x2A, 8, 1, 2, 3, 4, 5, 6, 7, 8]
            + [0x31, 0, 0, 0, 0, 0, 0, 0xF0, 0x7F]
            + [0x3A, 8, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F]
            + [0x42, 16, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]
            + [0x4A, 2, 8, 0]
            + [0x52, 3, 0x0A, 1, 0x61, 0x52, 3, 0x0A, 1, 0x62]
        #expect(OTLPFormat.protobuf.encode(Self.message) == bytes)
    }

    @Test func `A long message has a long length`() {
        let inner = OTLPField(2, "b", .string(String(repeating: "x", count: 300)))
        let bytes = OTLPFormat.protobuf.encode([OTLPField(1, "a", .message([inner]))])
        #expect(bytes.prefix(6) == [0x0A, 0xAF, 2, 0x12, 0xAC, 2])
        #expect(bytes.count == 306)
    }

    @Test func `A full queue drops what comes, and counts it`() async {
        let metrics = PrometheusMetrics()
        let counter = Counter(label: "dropped", factory: metrics)
        let queue = ExportQueue<Int>(BatchBounds(queue: 3, batch: 2, delay: .seconds(60)), dropped: counter)
        for number in 0..<10 { queue.add(number) }
        #expect(queue.take() == [0, 1] && queue.take() == [2] && queue.take() == [])
        #expect(await metrics.text().contains("dropped_total 7\n"))
        // A full batch has woken the one that sends.
        var wakeUps = queue.wakeUps.makeAsyncIterator()
        #expect(await wakeUps.next() != nil)
    }

    @Test func `A span keeps what its bounds allow, until it ends`() throws {
        let queue = ExportQueue<SpanRecord>.make()
        let limits = AttributeLimits(count: 2, length: 4)
        let tracer = OTLPTracer(sampler: .usual, limits: limits, queue: queue)
        let span = tracer.startSpan("a long name", context: .topLevel)
        span.attributes = ["c": "xx\u{E9}\u{E9}", "a": 1, "b": .boolArray([true])]
        for _ in 0..<3 { span.addEvent("event") }
        span.setStatus(SpanStatus(code: .ok))
        span.setStatus(SpanStatus(code: .error))
        span.end()
        span.operationName = "late"
        span.end()
        let records = queue.take()
        let record = try #require(records.first)
        #expect(records.count == 1 && record.events.kept.count == 2 && record.status?.code == .ok)
        let json = try JSONValue(parsing: OTLPFormat.json.encode(record.message(limits)))
        #expect(json["name"] == "a lo")
        #expect(json["attributes"]?.array?.count == 2 && json["droppedAttributesCount"] == 1)
        #expect(json["droppedEventsCount"] == 1 && json["parentSpanId"] == nil)
        #expect(limits.text("xx\u{E9}\u{E9}") == "xx\u{E9}" && limits.text("xxx\u{E9}") == "xxx")
    }

    @Test(arguments: [
        ("\u{FFFD}abcd", "\u{FFFD}a"), ("a\u{FFFD}b", "a\u{FFFD}"), ("ab\u{FFFD}", "ab"), ("\u{1F600}b", "\u{1F600}"),
        ("a\u{1F600}", "a"), ("abcd", "abcd"), ("abc\u{301}", "abc"),
    ]) func `A long text is cut before the character at the limit`(text: String, cut: String) {
        #expect(AttributeLimits(length: 4).text(text) == cut)
    }

    @Test func `Secrets of a log record are hidden`() throws {
        let queue = ExportQueue<LogRecord>.make()
        var logger = Logger(label: "test") { OTLPLogHandler(label: $0, limits: AttributeLimits(), queue: queue) }
        logger[metadataKey: "api-key"] = "12345"
        logger.info("hello", metadata: ["inner": ["Password": "12345", "n": .stringConvertible(5)]])
        logger.debug("not sent")
        let records = queue.take()
        #expect(records.count == 1)
        let json = try JSONValue(parsing: OTLPFormat.json.encode(try #require(records.first).message))
        let attributes = try JSONValue(
            parsing:
                #"[{"key":"api-key","value":{"stringValue":"[redacted]"}},{"key":"inner","value":{"kvlistValue":{"values":["#
                + #"{"key":"Password","value":{"stringValue":"[redacted]"}},{"key":"n","value":{"intValue":"5"}}]}}}]"#
        )
        #expect(json["attributes"] == attributes)
    }

    /// An exporter that never runs: its records stay in their queues.
    private static func exporter() throws -> OTLPExporter {
        let environment = ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"]
        let settings = try #require(try OTLPSettings(environment: environment, serviceName: "clinic"))
        return OTLPExporter(settings, metrics: PrometheusMetrics(), logger: .silent)
    }

    @Test func `Lines, records and requests follow a change of the log level`() async throws {
        let exporter = try Self.exporter()
        let pipe = Pipe()
        let output = LogOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let threshold = LogThreshold(.info)
        let logger = exporter.logger(besides: output.logger(label: "test", format: .text, threshold: threshold))
        let router = Router()
        router.use(Telemetry(logger: logger))
        router.get("/healthz") { _ in .text("ok") }
        let handler = router.handler()
        for level in [Logger.Level.info, .debug, .error] {
            threshold.level = level
            #expect(logger.logLevel == level)
            logger.debug("\(level)")
            logger.info("\(level)")
            _ = try await handler(Request(.get, "/healthz"))
        }
        output.flush()
        let lines = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self).split(separator: "\n")
        let texts = ["info info", "debug debug", "info debug", "debug GET /healthz 200"]
        #expect(lines.count == 4 && zip(lines, texts).allSatisfy { $0.contains(" \($1)") }, "\(lines)")
        #expect(exporter.logs?.queue.take().count == 4)
    }

    @Test func `A logger without lines sends records from its own level on`() throws {
        let exporter = try Self.exporter()
        var logger = exporter.logger(besides: .silent)
        logger.logLevel = .info
        logger.info("sent")
        logger.debug("not sent")
        #expect(exporter.logs?.queue.take().count == 1)
    }

    @Test func `A record has the values of its logger's metadata provider`() throws {
        let exporter = try Self.exporter()
        let written = ExportQueue<LogRecord>.make()
        let provider = Logger.MetadataProvider { ["tenant": "a"] }
        let other = Logger(label: "test") {
            OTLPLogHandler(label: $0, limits: AttributeLimits(), queue: written, metadataProvider: provider)
        }
        exporter.logger(besides: other).info("hello")
        let attributes: JSONValue = [["key": "tenant", "value": ["stringValue": "a"]]]
        for queue in [written, try #require(exporter.logs).queue] {
            let record = try #require(queue.take().first)
            let json = try JSONValue(parsing: OTLPFormat.json.encode(record.message))
            #expect(json["attributes"] == attributes)
        }
    }

    // MARK: Answers

    private static let now = HTTPDate(secondsSince1970: 784_111_777)

    @Test(arguments: [
        (200, nil, OTLPOutcome.accepted(nil)), (202, "5", .accepted(nil)),
        (429, nil, .later("the collector answers 429", after: nil)),
        (429, "5", .later("the collector answers 429", after: .seconds(5))),
        (503, "0", .later("the collector answers 503", after: nil)),
        (503, "-1", .later("the collector answers 503", after: nil)),
        (502, "soon", .later("the collector answers 502", after: nil)),
        (504, "Sun, 06 Nov 1994 08:50:37 GMT", .later("the collector answers 504", after: .seconds(60))),
        (503, "Sun, 06 Nov 1994 08:40:00 GMT", .later("the collector answers 503", after: nil)),
        (400, "5", .refused("the collector answers 400")), (500, nil, .refused("the collector answers 500")),
    ]) func `The status decides`(status: Int, retryAfter: String?, outcome: OTLPOutcome) {
        var headers = HTTPFields()
        headers[.retryAfter] = retryAfter
        #expect(OTLPOutcome(HTTPResponse.Status(code: status), headers, [], now: Self.now) == outcome)
    }

    @Test(arguments: [
        (401, "Set OTEL_EXPORTER_OTLP_HEADERS"), (404, "Check the path"), (413, "Set a smaller"),
        (415, "Set OTEL_EXPORTER_OTLP_PROTOCOL"), (308, "http://elsewhere/. Redirects aren't followed"),
    ]) func `A refusal says what to set`(status: Int, hint: String) {
        let outcome = OTLPOutcome(HTTPResponse.Status(code: status), [.location: "http://elsewhere/"], [])
        guard case .refused(let reason) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(reason.contains(hint))
    }

    @Test(arguments: [
        (
            #"{"partialSuccess":{"rejectedSpans":"3","errorMessage":"too old"}}"#,
            OTLPOutcome.Rejected(count: 3, message: "too old")
        ),
        (#"{"partialSuccess":{"rejectedLogRecords":2}}"#, .init(count: 2, message: "without a reason")),
        (#"{"partialSuccess":{"errorMessage":"beware"}}"#, .init(count: 0, message: "beware")),
        (#"{"partialSuccess":{}}"#, nil), ("{}", nil), ("[", nil), ("", nil),
        (#"{"partialSuccess":{"rejectedSpans":"-5","errorMessage":"a"}}"#, .init(count: 0, message: "a")),
    ]) func `A partial success is read from JSON`(text: String, rejected: OTLPOutcome.Rejected?) {
        let outcome = OTLPOutcome(.ok, [.contentType: "application/json"], Array(text.utf8))
        #expect(outcome == .accepted(rejected))
    }

    @Test(
        arguments: [
            ([0x0A, 5, 8, 3, 0x12, 1, 0x61], OTLPOutcome.Rejected(count: 3, message: "a")),
            ([0x0A, 2, 8, 3], .init(count: 3, message: "without a reason")), ([0x0A, 0], nil), ([], nil),
            ([0x0A, 9, 8], nil),
            ([0xFF], nil), (Array(repeating: 0xFF, count: 30), nil),
            ([0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], nil),
            ([0x0B, 0x0A, 2, 8, 3], nil),
        ] as [([UInt8], OTLPOutcome.Rejected?)]
    ) func `A partial success is read from protobuf`(
        bytes: [UInt8],
        rejected: OTLPOutcome.Rejected?
    ) {
        #expect(OTLPOutcome(.ok, [:], bytes) == .accepted(rejected))
    }

    @Test func `The collector's own words are repeated, within bounds`() {
        let long = String(repeating: "x", count: 1000)
        let body = OTLPFormat.protobuf.encode([OTLPField(2, "message", .string(long))])
        let words = "the collector answers 400: \(long.prefix(300))…"
        #expect(OTLPOutcome(.badRequest, [:], body) == .refused(words))
    }
}
