import HTTPTypes
import Testing

@testable import BacklotHTTP

/// A head and what the parser must say of it; named in reports by its bytes.
struct HeadCase<Expected: Sendable>: Sendable, CustomTestStringConvertible {
    let head: [UInt8]
    let expected: Expected
    var testDescription: String { spelled(head.prefix(160)).debugDescription }
}

extension HeadCase where Expected == HeadSummary {
    /// A head that is accepted; `expect` says how its summary differs from that of `GET / HTTP/1.1` with a Host.
    static func accepted(_ head: [UInt8], _ expect: (inout HeadSummary) -> Void = { _ in }) -> HeadCase {
        var summary = HeadSummary()
        summary.length = head.count
        expect(&summary)
        return HeadCase(head: head, expected: summary)
    }
}

extension HeadCase where Expected == Int {
    /// A head that is refused with a status.
    static func refused(_ head: [UInt8], _ status: Int = 400) -> HeadCase {
        HeadCase(head: head, expected: status)
    }
}

/// Checks that no cut changes the verdict: at every byte, and at all of them.
func expectSameVerdictWhenCut(
    _ head: [UInt8],
    limits: ServerConfiguration.Limits = .init(),
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let whole = HeadVerdict(head, limits: limits)
    let bytewise = HeadVerdict(head, cuts: 0...head.count, limits: limits)
    #expect(bytewise == whole, "one byte at a time", sourceLocation: sourceLocation)
    for cut in 0...head.count where HeadVerdict(head, cuts: CollectionOfOne(cut), limits: limits) != whole {
        Issue.record("another verdict when cut at byte \(cut)", sourceLocation: sourceLocation)
    }
}

/// What a parsed head says, as values that can be compared.
struct HeadSummary: Equatable {
    var method = "GET"
    var target = "/"
    var path = "/"
    var query: String?
    var fields = ["Host: h"]
    var framing = BodyFraming.none
    var isPersistent = true
    var expectsContinue = false
    var isHTTP10 = false
    var length = 0
}

extension HeadSummary {
    init(_ head: RequestHead) {
        method = spelled(head.bytes[head.line.method])
        target = spelled(head.bytes[head.line.target])
        path = spelled(head.bytes[head.line.path])
        query = head.line.query.map { spelled(head.bytes[$0]) }
        fields = head.fields.map { spelled(head.bytes[$0.name]) + ": " + spelled(head.bytes[$0.value]) }
        framing = head.framing
        isPersistent = head.isPersistent
        expectsContinue = head.expectsContinue
        isHTTP10 = head.line.isHTTP10
        length = head.length
    }
}

/// What the parser made of some bytes.
enum HeadVerdict: Equatable {
    case accepted(HeadSummary)
    case refused(RequestError)
    case incomplete

    /// Feeds all bytes, with a pause at each of `cuts`.
    init(_ bytes: [UInt8], cuts: some Sequence<Int>, limits: ServerConfiguration.Limits = .init()) {
        var parser = HeadParser(limits: limits)
        do throws(RequestError) {
            for cut in cuts {
                if let head = try parser.parse(bytes.span.extracting(..<cut)) {
                    self = .accepted(HeadSummary(head))
                    return
                }
            }
            self = try parser.parse(bytes.span).map { .accepted(HeadSummary($0)) } ?? .incomplete
        } catch {
            self = .refused(error)
        }
    }

    /// Feeds all bytes at once.
    init(_ bytes: [UInt8], limits: ServerConfiguration.Limits = .init()) {
        self.init(bytes, cuts: EmptyCollection<Int>(), limits: limits)
    }

    var status: Int? {
        if case .refused(let error) = self { error.status.code } else { nil }
    }
}

/// The bytes of a text of characters up to U+00FF, one byte each, so that tables can spell any byte.
func bytes(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8($0.value) }
}

/// A text that spells each byte as one character: what `bytes` takes back.
func spelled(_ bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    return text
}

/// The bytes of a request head: a request line, then field lines, each ended as it must be.
func makeHead(_ line: String = "GET / HTTP/1.1", host: String? = "Host: h", _ fields: String...) -> [UInt8] {
    bytes(([line] + [host].compactMap { $0 } + fields).map { $0 + "\r\n" }.joined() + "\r\n")
}
