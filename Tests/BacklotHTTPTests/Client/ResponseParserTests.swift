import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

/// Responses off the wire, whole, byte by byte, and cut short.
@Suite(.timeLimit(.minutes(5))) struct ResponseParserTests {
    private static let bounds = ClientBounds(head: 200, body: 20, idle: .seconds(1), total: .seconds(1))

    /// The outcome of parsing a response.
    private struct Outcome: Equatable {
        var status: Int?
        var body: String?
        var fault: ClientConnectionError?
    }

    /// Parses a response in pieces, and then the end of the connection.
    private func parse(_ text: String, pieces size: Int, isHead: Bool = false) -> Outcome {
        var parser = ResponseParser(bounds: Self.bounds, isHead: isHead)
        var rest = Array(text.utf8)[...]
        do throws(ClientConnectionError) {
            while !rest.isEmpty, !parser.isFinished {
                let piece = Array(rest.prefix(size))
                rest = rest.dropFirst(size)
                try parser.feed(piece.span)
            }
            if !parser.isFinished { try parser.end() }
            return Outcome(status: parser.response?.status.code, body: String(decoding: parser.body, as: UTF8.self))
        } catch {
            return Outcome(fault: error)
        }
    }

    @Test func `A server asks for the body, however often it says so`() throws {
        var parser = ResponseParser(bounds: Self.bounds, isHead: false)
        let bytes = Array((String(repeating: "HTTP/1.1 100\n\n", count: 5000) + "HTTP/1.1 204 No Content\r\n\r\n").utf8)
        try parser.feed(bytes.span)
        #expect(parser.isContinued && parser.isFinished)
        #expect(parser.response?.status.code == 204)
    }

    @Test func `The fields that are made of a request are sent once`() throws {
        let name = try #require(HTTPField.Name("Transfer-Encoding"))
        let host = try #require(HTTPField.Name("Host"))
        let request = OutgoingRequest(
            method: .post,
            target: "/a",
            authority: "here",
            headers: [name: "chunked", host: "there", .contentLength: "7", .accept: "*/*"],
            body: [1],
            waitsForContinue: false
        )
        let head = "POST /a HTTP/1.1\r\nHost: here\r\nAccept: */*\r\nContent-Length: 1\r\n\r\n"
        #expect(String(decoding: request.head, as: UTF8.self) == head)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, "hello"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello world", 200, "hello"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\nContent-Length: 5\r\n\r\nhello", 200, "hello"),
        ("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", 200, ""),
        ("HTTP/1.0 404 Not Found\r\n\r\ngone", 404, "gone"),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=1\r\nlo\r\n0\r\nT: 1\r\n\r\n", 200,
            "hello"
        ),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: CHUNKED\r\nContent-Length: 9\r\n\r\n0\r\n\r\n", 200, ""),
        ("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello", 204, ""),
        ("HTTP/1.1 304 Not Modified\r\n\r\nhello", 304, ""),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", 200, "ok"),
        ("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", 200, "ok"),
        ("HTTP/1.1 200 OK\nContent-Length: 2\n\nok", 200, "ok"),
        ("HTTP/1.1 200 \r\nContent-Length:2 \r\n\r\nok", 200, "ok"),
    ])
    func `A response is read, in whatever pieces it comes`(text: String, status: Int, body: String) {
        for size in [text.utf8.count, 7, 2, 1] {
            #expect(parse(text, pieces: size) == Outcome(status: status, body: body), "pieces of \(size)")
        }
    }

    @Test func `The response to HEAD has no body`() {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
        #expect(parse(text, pieces: 3, isHead: true) == Outcome(status: 200, body: ""))
    }

    @Test(arguments: [
        ("", ClientConnectionError.cutShort(bodyBytes: nil)),
        ("HTTP/1.1 200 OK\r\nContent-Len", .cutShort(bodyBytes: nil)),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", .cutShort(bodyBytes: 3)),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n", .cutShort(bodyBytes: 3)),
        ("HTTP/1.1 100 Continue\r\n\r\n", .cutShort(bodyBytes: nil)),
        ("HTTP/1.1 200 OK\r\nContent-Length: 21\r\n\r\n", .bodyTooLarge(limit: 20)),
        ("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 21), .bodyTooLarge(limit: 20)),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n15\r\n" + String(repeating: "x", count: 21),
            .bodyTooLarge(limit: 20)
        ),
        ("HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 300), .headTooLarge(limit: 200)),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\n",
            .malformed("its Content-Length is not a number, or is too large: five")
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n\r\n", .malformed("its Content-Lengths differ: 5, 6")),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
            .malformed("its transfer coding is unknown: gzip, chunked")
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
            .malformed("a chunk's size that is not a plain hexadecimal number")
        ),
        ("HTTP/1.1 2x0 OK\r\n\r\n", .malformed("its status is not a number: \"HTTP/1.1 2x0 OK\"")),
        ("HTTP/1.1 099 Low\r\n\r\n", .malformed("its status is below 100: \"HTTP/1.1 099 Low\"")),
        ("HTTP/1.1 2000 OK\r\n\r\n", .malformed("its first line is not a status line: \"HTTP/1.1 2000 OK\"")),
        ("HTTP/1.1 200 OK\r\nno field\r\n\r\n", .malformed("a line of its head is not a header field: \"no\"")),
        (
            "HTTP/1.1 200 OK\r\n folded: 1\r\n\r\n",
            .malformed("a line of its head begins with a blank, as no header field does")
        ),
    ])
    func `What is no response, or only a part of one, says so`(text: String, fault: ClientConnectionError) {
        for size in [max(1, text.utf8.count), 3, 1] {
            #expect(parse(text, pieces: size) == Outcome(fault: fault), "pieces of \(size)")
        }
    }

    @Test func `What can't become a response is refused with its first bytes`() {
        #expect(
            parse("\u{16}\u{3}\u{1}\u{2}", pieces: 4).fault == .malformed("it doesn't begin as HTTP/1.1 does: \"....\"")
        )
        #expect(parse("<html>", pieces: 1).fault == .malformed("it doesn't begin as HTTP/1.1 does: \"<\""))
        #expect(
            parse("HTTP/2 200 OK\r\n", pieces: 6).fault == .malformed("it doesn't begin as HTTP/1.1 does: \"HTTP/2\"")
        )
    }

    /// Seeds of a generator, so that a failure can be had again.
    @Test(arguments: 0..<8)
    func `Mutated responses never crash`(seed: UInt64) {
        let texts = [
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=1\r\nlo\r\n0\r\nT: 1\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 404 Not Found\r\nA: b\r\n\r\ngone",
        ]
        let tokens = [
            "\r\n", "\n", "\r\n\r\n", "HTTP/1.1 ", "100", "Content-Length: 9\r\n", "chunked", "FFFFFFFFFFFFFFFF\r\n",
        ]
        var mutator = Mutator(random: SeededGenerator(seed: seed), tokens: tokens.map { Array($0.utf8) })
        for text in texts {
            for _ in 0..<500 {
                let mutated = mutator.mutate(Array(text.utf8))
                var parser = ResponseParser(bounds: Self.bounds, isHead: false)
                for byte in mutated {
                    guard !parser.isFinished, (try? parser.feed([byte].span)) != nil else { break }
                }
                #expect(parser.body.count <= Self.bounds.body + 1)
            }
        }
    }
}
