import Testing
import Tracing

@testable import BacklotOTLP

/// W3C Trace Context, and which traces are recorded.
@Suite(.timeLimit(.minutes(5))) struct TraceContextTests {
    private static let trace = TraceID(high: 0x0AF7_6519_16CD_43DD, low: 0x8448_EB21_1C80_319C)
    private static let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    private struct Fields: Extractor, Injector {
        func extract(key: String, from fields: [String: String]) -> String? { fields[key] }
        func inject(_ value: String, forKey key: String, into fields: inout [String: String]) { fields[key] = value }
    }

    private func tracer(_ sampler: Sampler = .usual, sends: Bool = true) -> OTLPTracer {
        let queue = sends ? ExportQueue<SpanRecord>.make() : nil
        return OTLPTracer(sampler: sampler, limits: AttributeLimits(), queue: queue)
    }

    @Test(arguments: [
        (parent, true), ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00", false),
        ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-03", true),
        ("cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-what-comes", true),
    ]) func `A parent is read`(text: String, isSampled: Bool) {
        let identity = SpanIdentity(parent: text, state: nil)
        #expect(
            identity
                == SpanIdentity(trace: Self.trace, span: 0xB7AD_6B71_6920_3331, isSampled: isSampled, isRemote: true)
        )
    }

    @Test(arguments: [
        "", "00", "00-0-0-01", "\(parent)-", "\(parent)0", "ff\(parent.dropFirst(2))", "0g\(parent.dropFirst(2))",
        "00_\(parent.dropFirst(3))", parent.uppercased(),
        "00-\(String(repeating: "0", count: 32))\(parent.dropFirst(35))",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", " \(parent)", "\(parent),\(parent)",
        "cc\(parent.dropFirst(2))x", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0x",
        "00-\u{661}af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01",
    ]) func `A malformed parent is none`(text: String) {
        #expect(SpanIdentity(parent: text, state: nil) == nil)
    }

    @Test(arguments: [
        ("a=1", "a=1"), (" a=1 ,, b@c=2 x ", "a=1,b@c=2 x"), ("", ""), ("a", ""), ("A=1", ""), ("a=", ""), ("=1", ""),
        ("a=1\r\nX: 1", ""), ("a=b=c", ""), ("a=\u{E9}", ""), ("a=1,b", ""),
        ((0..<33).map { "a\($0)=1" }.joined(separator: ","), ""), ("a=\(String(repeating: "1", count: 511))", ""),
    ]) func `A state is handed on unless it is malformed`(text: String, state: String) throws {
        let identity = try #require(SpanIdentity(parent: Self.parent, state: text))
        #expect(identity.state == state)
    }

    @Test func `What comes in goes out with the number of the new span`() {
        var context = ServiceContext.topLevel
        let tracer = tracer()
        tracer.extract(["traceparent": Self.parent, "tracestate": "a=1"], into: &context, using: Fields())
        let span = tracer.startSpan("test", context: context)
        var fields: [String: String] = [:]
        tracer.inject(span.context, into: &fields, using: Fields())
        #expect(fields["tracestate"] == "a=1")
        #expect(fields["traceparent"]?.hasPrefix("00-0af7651916cd43dd8448eb211c80319c-") == true)
        #expect(fields["traceparent"]?.hasSuffix("-01") == true)
        #expect(fields["traceparent"] != Self.parent)
    }

    @Test func `Outside of a span nothing goes out`() {
        var fields: [String: String] = [:]
        tracer().inject(.topLevel, into: &fields, using: Fields())
        #expect(fields == [:])
    }

    @Test(arguments: [
        (Sampler.usual, Bool?.none, true), (.usual, true, true), (.usual, false, false),
        (Sampler(share: 0, followsParent: true), nil, false),
        (Sampler(share: 0, followsParent: true), true, true),
        (Sampler(share: 0, followsParent: false), true, false),
        (Sampler(share: 1, followsParent: false), false, true),
        (Sampler(share: 0, followsParent: true), nil, false),
        (Sampler(share: 1, followsParent: false), false, true),
    ]) func `A sampler decides`(sampler: Sampler, parent: Bool?, isSampled: Bool) {
        let parent = parent.map { SpanIdentity(trace: Self.trace, span: 1, isSampled: $0) }
        #expect(sampler.samples(Self.trace, parent: parent) == isSampled)
        var context = ServiceContext.topLevel
        context.spanIdentity = parent
        #expect(tracer(sampler).startSpan("test", context: context).isRecording == isSampled)
    }

    @Test func `A share of the traces is that share, by their numbers`() {
        let sampler = Sampler(share: 0.25, followsParent: false)
        let chosen = (0..<1000).count { sampler.samples(TraceID(high: 0, low: UInt64($0) << 54 | 1), parent: nil) }
        #expect(chosen == 256)
    }

    @Test func `Where no spans are sent, traces only go through`() {
        var context = ServiceContext.topLevel
        context.spanIdentity = SpanIdentity(parent: Self.parent, state: nil)
        let span = tracer(sends: false).startSpan("test", context: context)
        #expect(!span.isRecording)
        #expect(span.context.spanIdentity?.isSampled == true)
    }
}
