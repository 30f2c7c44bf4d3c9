import HTTPTypes
import TestSupport
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct ContentEncodingTests {
    @Test(arguments: [
        ("gzip", [ContentCoding.gzip]),
        ("GZIP", [.gzip]),
        ("x-gzip", [.gzip]),
        ("deflate", [.deflate]),
        ("identity", []),
        ("", []),
        (" , ", []),
        ("identity, gzip", [.gzip]),
        ("gzip, Identity", [.gzip]),
        // The last that was applied comes off first.
        ("deflate, gzip", [.gzip, .deflate]),
        ("gzip,,\tdeflate ", [.deflate, .gzip]),
        ("gzip, gzip", [.gzip, .gzip]),
    ])
    func `The last coding that was applied comes off first`(_ value: String, _ expected: [ContentCoding]) throws {
        #expect(try ContentEncoding(value).codings == expected)
    }

    @Test(arguments: [
        ("br", "br"), ("zstd, gzip", "zstd"), ("gzip, compress", "compress"), ("gzip;q=1", "gzip;q=1"),
        ("gzip deflate", "gzip deflate"), ("*", "*"), ("\"gzip\"", "\"gzip\""), ("aws-chunked", "aws-chunked"),
        ("gzip, gzip, gzip, br", "br"),
    ])
    func `An unknown coding is a 415 that names it`(_ value: String, _ name: String) {
        let error = #expect(throws: ContentCodingError.unknown(name)) { try ContentEncoding(value) }
        #expect(error?.status == .unsupportedMediaType)
        #expect(error?.reason == "the content coding '\(name)' is not understood here; understood: gzip, deflate")
        #expect(error?.headers == [.acceptEncoding: "gzip, deflate"])
    }

    @Test func `More than two codings are a 415`() {
        let error = #expect(throws: ContentCodingError.tooMany(3)) {
            try ContentEncoding("gzip, identity, deflate, gzip")
        }
        #expect(error?.status == .unsupportedMediaType)
        #expect(error?.reason == "3 content codings on top of each other; at most 2 are taken")
        #expect(error?.headers == [.acceptEncoding: "gzip, deflate"])
    }

    @Test(arguments: [
        (
            ContentCodingError.malformed(.gzip, "incorrect data check"), 400,
            "the body is not gzip: incorrect data check"
        ),
        (.truncated(.deflate), 400, "the body ends before its deflate data does"),
        (.expandsTooMuch(ratio: 100), 413, "the body becomes more than 100 times as large when it is decoded"),
        (.noMemory, 503, "there is no memory left to decode the body"),
        (
            .unknown(String(repeating: "x", count: 50)), 415,
            "the content coding '\(String(repeating: "x", count: 40))' is not understood here; understood: gzip, deflate"
        ),
    ])
    func `Each error has its status and its reason`(_ error: ContentCodingError, _ status: Int, _ reason: String) {
        #expect(error.status.code == status)
        #expect(error.reason == reason)
    }

    // MARK: ContentEncodingDecoding

    private static func compress(_ bytes: [UInt8], _ coding: ContentCoding) throws -> [UInt8] {
        try #require(Deflater(coding, level: 6)).compress(bytes.span, .finish)
    }

    @Test(arguments: [("gzip", Samples.gzip), ("deflate", Samples.zlib), ("identity", Array(Samples.text.utf8))])
    func `A whole body is decoded`(_ codings: String, _ body: [UInt8]) throws {
        let text = Array(Samples.text.utf8)
        let encoding = try ContentEncoding(codings)
        #expect(try encoding.decode(body, limit: text.count) == text)
    }

    @Test func `A body one byte above the limit isn't decoded`() throws {
        let encoding = try ContentEncoding("gzip")
        #expect(try encoding.decode(Samples.gzip, limit: Samples.text.utf8.count - 1) == nil)
        let zeros = try Self.compress([UInt8](repeating: 0, count: 3_000_000), .gzip)
        #expect(try encoding.decode(zeros, limit: 2_999_999) == nil)
        #expect(try encoding.decode(zeros, limit: 3_000_000)?.count == 3_000_000)
    }

    /// Two codings; the members of the inner one have no content: work without a result.
    @Test func `Members without content count towards the limit`() throws {
        let empty = try Self.compress([], .gzip)
        let members = [UInt8](repeatElement(empty, count: 200_000).joined())
        let body = try Self.compress(members, .gzip)
        #expect(members.count > 16 * 65_536)
        #expect(try ContentEncoding("gzip, gzip").decode(body, limit: 65_536) == nil)
    }

    /// A body in two codings. The members of the inner one are empty. The outer one has a long file name, which counts as encoded
    /// bytes.
    private static func emptyMembers() throws -> RequestBody {
        let empty = try compress([], .gzip)
        var bytes = try compress([UInt8](repeatElement(empty, count: 100_000).joined()), .gzip)
        // RFC 1952, section 2.3.1: the flag FNAME.
        bytes[3] = 8
        bytes.insert(contentsOf: [UInt8](repeating: UInt8(ascii: "a"), count: 30_000) + [0], at: 10)
        var request = try Request(.post, "/", body: bytes)
        request.body.limit = 100_000
        return try request.inflated(try ContentEncoding("gzip, gzip"), ratio: 100).body
    }

    @Test func `A request's members without content count towards the limit, with a low ratio too`() async throws {
        let body = try Self.emptyMembers()
        await #expect(throws: RequestError.bodyTooLarge(limit: 100_000)) { try await body.collect() }
    }

    @Test func `A cancelled task stops decoding members without content`() async throws {
        let body = try Self.emptyMembers()
        let reading = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await body.collect()
        }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
    }

    @Test func `Damaged data is an error`() throws {
        let encoding = try ContentEncoding("gzip")
        #expect(throws: ContentCodingError.truncated(.gzip)) {
            try encoding.decode(Array(Samples.gzip.dropLast()), limit: 1000)
        }
        #expect(throws: ContentCodingError.self) { try encoding.decode(Samples.zlib, limit: 1000) }
    }
}
