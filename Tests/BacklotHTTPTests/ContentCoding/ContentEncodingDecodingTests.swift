import TestSupport
import Testing

@testable import BacklotHTTP

/// Bodies that are decoded all at once.
@Suite(.timeLimit(.minutes(5))) struct ContentEncodingDecodingTests {
    private static func compress(_ bytes: [UInt8], _ coding: ContentCoding) throws -> [UInt8] {
        try #require(Deflater(coding, level: 6)).compress(bytes.span, .finish)
    }

    @Test(arguments: [("gzip", Samples.gzip), ("deflate", Samples.zlib), ("identity", Array(Samples.text.utf8))])
    func wholeBodies(_ codings: String, _ body: [UInt8]) throws {
        let text = Array(Samples.text.utf8)
        let encoding = try ContentEncoding(codings)
        #expect(try encoding.decode(body, limit: text.count) == text)
    }

    @Test func oneByteTooMany() throws {
        let encoding = try ContentEncoding("gzip")
        #expect(try encoding.decode(Samples.gzip, limit: Samples.text.utf8.count - 1) == nil)
        let zeros = try Self.compress([UInt8](repeating: 0, count: 3_000_000), .gzip)
        #expect(try encoding.decode(zeros, limit: 2_999_999) == nil)
        #expect(try encoding.decode(zeros, limit: 3_000_000)?.count == 3_000_000)
    }

    /// Two codings, the inner one of which has members without content: work without a result.
    @Test func workWithoutAResult() throws {
        let empty = try Self.compress([], .gzip)
        let members = [UInt8](repeatElement(empty, count: 200_000).joined())
        let body = try Self.compress(members, .gzip)
        #expect(members.count > 16 * 65_536)
        #expect(try ContentEncoding("gzip, gzip").decode(body, limit: 65_536) == nil)
    }

    @Test func damage() throws {
        let encoding = try ContentEncoding("gzip")
        #expect(throws: ContentCodingError.truncated(.gzip)) {
            try encoding.decode(Array(Samples.gzip.dropLast()), limit: 1000)
        }
        #expect(throws: ContentCodingError.self) { try encoding.decode(Samples.zlib, limit: 1000) }
    }
}
