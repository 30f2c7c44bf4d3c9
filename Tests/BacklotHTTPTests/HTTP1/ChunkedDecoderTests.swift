import HTTPTypes
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct ChunkedDecoderTests {
    struct Accepted: CustomTestStringConvertible {
        let wire: String
        let body: String
        var testDescription: String { wire.debugDescription }
    }

    static let accepted: [Accepted] = [
        ("0\r\n\r\n", ""),
        ("00000\r\n\r\n", ""),
        ("1\r\na\r\n0\r\n\r\n", "a"),
        ("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "abcde"),
        ("a\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
        ("A\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
        ("0000000000000003\r\nabc\r\n0\r\n\r\n", "abc"),
        ("4\r\n\r\n\r\n\r\n0\r\n\r\n", "\r\n\r\n"),
        ("2\r\n\u{0}\u{FF}\r\n0\r\n\r\n", "\u{0}\u{FF}"),
        ("3;a\r\nabc\r\n0\r\n\r\n", "abc"),
        ("3;a=b\r\nabc\r\n0;c\r\n\r\n", "abc"),
        ("3;a=\"b;\\\"\tc\";d;e=f\r\nabc\r\n0\r\n\r\n", "abc"),
        ("3;a=\"\"\r\nabc\r\n0\r\n\r\n", "abc"),
        ("0\r\nA: b\r\n\r\n", ""),
        ("1\r\na\r\n0\r\nA:\r\nB: \t c\u{FF} \r\n\r\n", "a"),
        ("0\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", ""),
    ].map { Accepted(wire: $0.0, body: $0.1) }

    static let refused: [(wire: String, status: Int)] =
        [
            "\r\n", "\n", ";a\r\n", "x\r\n", "g\r\n", "-1\r\n", "+1\r\n", " 1\r\n", "\t1\r\n", "1 \r\n", "1\t\r\n",
            "0x1\r\n",
            "1x\r\n", "1,\r\n", "1.0\r\n", "1\n", "1\r1", "1\r\r\n", "\u{0}", "\"1\"\r\n",
            // sizes beyond all bounds
            "00000000000000001\r\n", "8000000000000000\r\n", "ffffffffffffffff\r\n", "10000000000000000\r\n",
            "7fffffffffffffff\r\n", "fffffffffffffffffffffffffffffff1\r\n",
            // chunks that are longer or shorter than their size
            "1\r\nab\r\n", "2\r\na\r\n0\r\n\r\n", "1\r\na0\r\n\r\n", "1\r\na\n", "1\r\na\r0", "1\r\na\r\r\n", "0\r\n\n",
            "0\n\n",
            "0\r\n\r0", "0\r\r\n",
            // extensions
            "1;\r\n", "1; a\r\n", "1 ;a\r\n", "1;a =b\r\n", "1;a= b\r\n", "1;a=\r\n", "1;=b\r\n", "1;a;\r\n",
            "1;;a\r\n",
            "1;a=b=c\r\n", "1;a=\"b\r\n", "1;a=\"b\"c\r\n", "1;a=\"b\\\r\n", "1;a\n", "1;a\u{0}\r\n",
            "1;a=\"\u{0}\"\r\n",
            "1;a=\"\n\"\r\n", "1;a=\"\\\n\"\r\n", "1;a=b\n", "1;a=\"b\"\n", "1;a\r;b\r\n", "1;\u{E9}\r\n", "1;a,b\r\n",
            // trailers
            "0\r\nA\r\n\r\n", "0\r\n A: b\r\n\r\n", "0\r\nA : b\r\n\r\n", "0\r\n: b\r\n\r\n", "0\r\nA: b\n\r\n",
            "0\r\nA: b\rx", "0\r\nA: b\u{0}\r\n", "0\r\nA: b\r\n c\r\n\r\n", "0\r\nA: b\r\n\n", "0\r\nA: \u{7F}\r\n",
            "0\r\nA B: c\r\n", "0\r\n\u{E9}: c\r\n", "0\r\nGET / HTTP/1.1\r\n",
        ].map { ($0, 400) }

    /// The outcome of feeding bytes in pieces: the body and the number of bytes used, or the refusal.
    private enum Outcome: Equatable {
        case finished(body: String, used: Int)
        case incomplete(body: String)
        case refused(RequestError)
    }

    private func feed(
        _ wire: [UInt8],
        cuts: [Int] = [],
        limits: ServerConfiguration.Limits = .init()
    ) -> Outcome {
        var decoder = ChunkedDecoder(limits: limits)
        var body: [UInt8] = []
        var position = 0
        do throws(RequestError) {
            for end in cuts + [wire.count] {
                while let data = try decoder.next(wire.span.extracting(..<end), from: &position) { body += wire[data] }
            }
        } catch { return .refused(error) }
        let text = spelled(body)
        return decoder.isFinished ? .finished(body: text, used: position) : .incomplete(body: text)
    }

    @Test(arguments: accepted)
    func `A chunked body is accepted wherever it is cut`(_ example: Accepted) {
        let wire = bytes(example.wire)
        let expected = Outcome.finished(body: example.body, used: wire.count)
        #expect(feed(wire) == expected)
        #expect(feed(wire, cuts: Array(0...wire.count)) == expected)
        for cut in 0...wire.count { #expect(feed(wire, cuts: [cut]) == expected, "cut at \(cut)") }
        #expect(feed(wire + bytes("GET / HTTP/1.1\r\n")) == expected, "with the next request after it")
        for count in 0..<wire.count {
            guard case .incomplete = feed(Array(wire[..<count])) else {
                Issue.record("finished, or refused, after \(count) bytes")
                return
            }
        }
    }

    @Test func `A malformed chunked body is refused wherever it is cut`() {
        for (text, status) in Self.refused {
            let wire = bytes(text)
            guard case .refused(let error) = feed(wire) else {
                Issue.record("accepted: \(text.debugDescription)")
                continue
            }
            #expect(error.status.code == status)
            #expect(feed(wire, cuts: Array(0...wire.count)) == .refused(error))
            for cut in 0...wire.count { #expect(feed(wire, cuts: [cut]) == .refused(error), "cut at \(cut)") }
        }
    }

    @Test func `Every control byte in a trailer is refused`() {
        for byte in (Array(0...31) + [127]) as [UInt8] where byte != 9 && byte != 13 {
            for place in ["0\r\n", "0\r\nA", "0\r\nA:", "0\r\nA: b"] {
                guard case .refused = feed(bytes(place) + [byte, 13, 10, 13, 10]) else {
                    Issue.record("accepted byte \(byte) after \(place.debugDescription)")
                    continue
                }
            }
        }
    }

    /// The largest sizes must not overflow when the decoder computes the chunk's end.
    @Test(arguments: ["7fffffffffffffe", "7fffffffffffffef", "7ffffffffffffff0", "7fffffffffffffff"])
    func `A huge chunk size is read or refused without an overflow`(_ size: String) {
        let start = bytes("1\r\na\r\n1\r\nb\r\n\(size)\r\n")
        switch feed(start + bytes("cd")) {
        case .incomplete(let body): #expect(body == "abcd")
        case .refused(let error): #expect(error.status.code == 400)
        case .finished: Issue.record("finished")
        }
    }

    @Test func `Chunk extensions are limited, each and in all`() {
        var limits = ServerConfiguration.Limits()
        limits.chunkExtension = 8
        limits.chunkExtensionsInAll = 20
        func chunk(_ count: Int) -> String { "1;\(String(repeating: "e", count: count))\r\na\r\n" }
        let refusal = Outcome.refused(.malformed("chunk extensions that are too long"))
        #expect(feed(bytes(chunk(8)), limits: limits) == .incomplete(body: "a"))
        #expect(feed(bytes(chunk(9)), limits: limits) == refusal)
        #expect(feed(bytes(chunk(8) + chunk(8) + chunk(4)), limits: limits) == .incomplete(body: "aaa"))
        #expect(feed(bytes(chunk(8) + chunk(8) + chunk(5)), limits: limits) == refusal)
    }

    @Test func `Trailers are limited`() {
        var limits = ServerConfiguration.Limits()
        limits.trailers = 20
        func trailers(_ count: Int) -> [UInt8] { bytes("0\r\nA: \(String(repeating: "b", count: count - 6))\r\n\r\n") }
        guard case .finished = feed(trailers(20), limits: limits) else {
            Issue.record("refused at the limit")
            return
        }
        #expect(feed(trailers(22), limits: limits) == .refused(.headTooLarge(limit: 20)))
    }

    // MARK: BodyDecoder

    @Test func `Without a body, there is no decoder`() {
        #expect(BodyDecoder(.none, limits: .init()) == nil)
    }

    @Test func `A length is counted down`() throws {
        let input = bytes("abcdefgh")
        var decoder = try #require(BodyDecoder(.length(5), limits: .init()))
        var position = 1
        #expect(decoder.remaining == 5)
        let first = try decoder.next(input.span.extracting(..<3), from: &position)
        #expect(first == 1..<3)
        let nothing = try decoder.next(input.span.extracting(..<3), from: &position)
        #expect(nothing == nil)
        #expect(decoder.remaining == 3)
        #expect(!decoder.isFinished)
        let second = try decoder.next(input.span, from: &position)
        #expect(second == 3..<6)
        #expect(position == 6)
        #expect(decoder.isFinished)
        let third = try decoder.next(input.span, from: &position)
        #expect(third == nil)
        #expect(position == 6)
    }

    /// The largest length that a head may declare: its end must not be computed by a sum that overflows.
    @Test(arguments: [Int.max, Int.max - 1, Int.max / 2])
    func `A huge length is counted down without an overflow`(_ length: Int) throws {
        let input = bytes("abcdefgh")
        var decoder = try #require(BodyDecoder(.length(length), limits: .init()))
        var position = 6
        let data = try decoder.next(input.span, from: &position)
        #expect(data == 6..<8)
        #expect(decoder.remaining == length - 2)
    }

    @Test func `A chunked body has no known length`() throws {
        let decoder = try #require(BodyDecoder(.chunked, limits: .init()))
        #expect(decoder.remaining == nil)
        #expect(!decoder.isFinished)
    }

    // MARK: ChunkExtension

    /// Whether the text, which stands after a size's semicolon, may end there; nil when it is refused before.
    private func mayEnd(_ text: String) -> Bool? {
        var part = ChunkExtension.nameStart
        for byte in bytes(text) {
            guard let next = part.after(byte) else { return nil }
            part = next
        }
        return part.mayEnd
    }

    @Test(arguments: [
        "a", "a=b", "a;b", "a=b;c=d", "a=\"\"", "a=\"b\"", "a=\"b c\td\u{FF}\"", "a=\"\\\"\"", "a=\"\\\\\"",
        "a=\"b\";c",
        "!#$%&'*+-.^_`|~=1",
    ])
    func `A whole extension may end its line`(_ text: String) { #expect(mayEnd(text) == true) }

    @Test(arguments: ["", "a=", "a;", "a=b;", "a=\"", "a=\"b", "a=\"b\\", "a=\"b\";"])
    func `An incomplete extension may not end its line`(_ text: String) { #expect(mayEnd(text) == false) }

    @Test(arguments: [
        " ", ";", "=", "\"", "\r", "\n", "a ", "a\t", "a\"", "a= ", "a==", "a=;", "a=b ", "a=b=", "a=b\"", "a=\"b\" ",
        "a=\"b\"c", "a=\"b\"\"", "a=\"\r", "a=\"\n", "a=\"\u{0}", "a=\"\u{7F}", "a=\"\\\r", "a=\"\\\n", "\u{E9}",
        "a\u{0}",
    ])
    func `A malformed extension is refused`(_ text: String) { #expect(mayEnd(text) == nil) }
}
