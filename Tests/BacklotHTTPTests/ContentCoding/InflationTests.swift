import TestSupport
import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct InflationTests {
    /// Decodes a body that comes in pieces, and checks that no piece of it is too large.
    private static func inflate(
        _ pieces: [[UInt8]],
        _ codings: [ContentCoding],
        ratio: Int = 100,
        consume: (Int) -> Void = { _ in }
    ) throws(ContentCodingError) -> [UInt8] {
        var inflation = try Inflation(codings, ratio: ratio)
        var output: [UInt8] = []
        var rest = pieces[...]
        while true {
            switch try inflation.step() {
            case .piece(let piece):
                #expect((1...Inflation.pieceSize).contains(piece.count))
                consume(piece.count)
                output += piece
            case .working: break
            case .wantsInput:
                guard let next = rest.popFirst() else {
                    try inflation.finish()
                    return output
                }
                inflation.feed(next)
            }
        }
    }

    private static func error(_ bytes: [UInt8], _ codings: [ContentCoding]) -> ContentCodingError? {
        do throws(ContentCodingError) {
            _ = try inflate([bytes], codings)
            return nil
        } catch {
            return error
        }
    }

    private static func compress(_ bytes: [UInt8], _ coding: ContentCoding) throws -> [UInt8] {
        try #require(Deflater(coding, level: 6)).compress(bytes.span, .finish)
    }

    // MARK: Valid data

    @Test(arguments: [
        (Samples.gzip, ContentCoding.gzip), (Samples.namedGzip, .gzip), (Samples.storedGzip, .gzip),
        (Samples.zlib, .deflate),
    ])
    func `Data of other programs is decoded in any pieces`(_ bytes: [UInt8], _ coding: ContentCoding) throws {
        let text = Array(Samples.text.utf8)
        #expect(try Self.inflate([bytes], [coding]) == text)
        #expect(try Self.inflate(bytes.map { [$0] }, [coding]) == text)
        for cut in 1..<bytes.count {
            #expect(try Self.inflate([Array(bytes[..<cut]), Array(bytes[cut...])], [coding]) == text)
        }
    }

    @Test func `Members one after the other are one text`() throws {
        let text = Array(Samples.text.utf8)
        let empty = try Self.compress([], .gzip)
        let members = Samples.gzip + empty + Samples.storedGzip + empty + empty + Samples.namedGzip
        #expect(try Self.inflate([members], [.gzip]) == text + text + text)
        #expect(try Self.inflate(members.map { [$0] }, [.gzip]) == text + text + text)
        #expect(try Self.inflate([empty], [.gzip]) == [])
    }

    @Test func `Codings on top of each other are decoded`() throws {
        let page = Samples.page(lines: 5000)
        for first in ContentCoding.allCases {
            for last in ContentCoding.allCases {
                let bytes = try Self.compress(try Self.compress(page, first), last)
                #expect(try Self.inflate([bytes], [last, first]) == page)
                let pieces = stride(from: 0, to: bytes.count, by: 1000).map {
                    Array(bytes[$0..<min($0 + 1000, bytes.count)])
                }
                #expect(try Self.inflate(pieces, [last, first]) == page)
            }
        }
    }

    @Test(arguments: [1, 511, 512, 513, 65_535, 65_536, 65_537, 1_000_000])
    func `Bodies of each size are decoded`(_ count: Int) throws {
        for coding in ContentCoding.allCases {
            let noise = Samples.noise(count)
            #expect(try Self.inflate([try Self.compress(noise, coding)], [coding]) == noise)
            let zeros = [UInt8](repeating: 0, count: count)
            #expect(try Self.inflate([try Self.compress(zeros, coding)], [coding], ratio: 2000) == zeros)
        }
    }

    /// Every byte that can be decoded comes out before `wantsInput`, also bytes that zlib has kept for lack of room.
    @Test func `Inflation holds no bytes back`() throws {
        let bytes = try Self.compress([UInt8](repeating: 0, count: 1_000_000), .gzip)
        for cut in stride(from: 50, to: 900, by: 7) {
            let beginning = Array(bytes[..<cut])
            var inflation = try Inflation([.gzip], ratio: 2000)
            inflation.feed(beginning)
            var received = 0
            loop: while true {
                switch try inflation.step() {
                case .piece(let piece): received += piece.count
                case .working: break
                case .wantsInput: break loop
                }
            }
            #expect(received == (try ReferenceInflater.gunzip(beginning: beginning).count))
        }
    }

    /// Clients send the field with requests that have no body.
    @Test func `An empty body is empty in each coding`() throws {
        #expect(try Self.inflate([], [.gzip]) == [])
        #expect(try Self.inflate([], [.deflate, .gzip]) == [])
        #expect(try Self.inflate([[]], [.gzip]) == [])
    }

    // MARK: Malformed data

    private static let crc = Samples.gzip.count - 8

    /// A sample with other bytes in some place.
    private static func changed(_ bytes: [UInt8], at place: Int, _ replacement: UInt8...) -> [UInt8] {
        var bytes = bytes
        for (offset, byte) in replacement.enumerated() { bytes[place + offset] = byte }
        return bytes
    }

    static let malformed: [(String, [UInt8], ContentCoding, String)] = [
        ("text", Array(Samples.text.utf8), .gzip, "incorrect header check"),
        ("zlib for gzip", Samples.zlib, .gzip, "incorrect header check"),
        ("gzip for zlib", Samples.gzip, .deflate, "incorrect header check"),
        ("bare deflate", Samples.bareDeflate, .deflate, "incorrect header check"),
        ("zlib with a dictionary", Samples.zlibWithDictionary, .deflate, "it needs a dictionary"),
        ("another method", changed(Samples.gzip, at: 2, 7), .gzip, "unknown compression method"),
        ("a flag of no meaning", changed(Samples.gzip, at: 3, 0x20), .gzip, "unknown header flags set"),
        ("the head's checksum", changed(Samples.storedGzip, at: 30, 0), .gzip, "header crc mismatch"),
        ("the checksum", changed(Samples.gzip, at: crc, 0), .gzip, "incorrect data check"),
        ("the length", changed(Samples.gzip, at: crc + 4, 0x62), .gzip, "incorrect length check"),
        (
            "the checksum of zlib", changed(Samples.zlib, at: Samples.zlib.count - 1, 3), .deflate,
            "incorrect data check"
        ),
        ("a block of no type", changed(Samples.gzip, at: 10, 0xAF), .gzip, "invalid block type"),
        (
            "a stored block of two lengths", changed(Samples.storedGzip, at: 33, 0x60), .gzip,
            "invalid stored block lengths"
        ),
        ("a distance beyond the beginning", Array(Samples.gzip[..<10]) + [0x03, 0x02, 0], .gzip, "invalid distance"),
        ("two bytes after the end", Samples.gzip + [0x2A, 0x2A], .gzip, "incorrect header check"),
        ("zeros after the end", Samples.gzip + [0, 0, 0, 0], .gzip, "incorrect header check"),
        ("text after the end", Samples.gzip + Array("GET / HTTP/1.1".utf8), .gzip, "incorrect header check"),
        ("zlib after the end", Samples.gzip + Samples.zlib, .gzip, "incorrect header check"),
        ("a byte after zlib's end", Samples.zlib + [0], .deflate, "there are bytes after its end"),
        ("zlib twice", Samples.zlib + Samples.zlib, .deflate, "there are bytes after its end"),
    ]

    @Test(arguments: malformed)
    func `Malformed bytes are refused with their reason`(
        _ what: String,
        _ bytes: [UInt8],
        _ coding: ContentCoding,
        _ reason: String
    ) throws {
        guard case .malformed(coding, let given) = Self.error(bytes, [coding]) else {
            Issue.record("\(what): \(String(describing: Self.error(bytes, [coding])))")
            return
        }
        #expect(given.hasPrefix(reason), "\(what)")
        // However they arrive, and under another coding.
        #expect(throws: ContentCodingError.self) { try Self.inflate(bytes.map { [$0] }, [coding]) }
        let wrapped = try Self.compress(bytes, .gzip)
        #expect(Self.error(wrapped, [.gzip, coding]) == .malformed(coding, given))
    }

    @Test(arguments: [
        (Samples.gzip, ContentCoding.gzip), (Samples.storedGzip, .gzip), (Samples.gzip + Samples.gzip, .gzip),
        (Samples.zlib, .deflate),
    ])
    func `A body that is cut short is truncated`(_ bytes: [UInt8], _ coding: ContentCoding) throws {
        for count in 1..<bytes.count where count != Samples.gzip.count {
            #expect(Self.error(Array(bytes[..<count]), [coding]) == .truncated(coding))
        }
        let inner = Array(bytes[..<(bytes.count - 1)])
        #expect(Self.error(try Self.compress(inner, .deflate), [.deflate, coding]) == .truncated(coding))
        #expect(Self.error(try Self.compress([], .deflate), [.deflate, coding]) == .truncated(coding))
        // One byte more may be the first of another member.
        if coding == .gzip { #expect(Self.error(bytes + [0x2A], [.gzip]) == .truncated(.gzip)) }
    }

    // MARK: Data that grows too much

    /// A gigabyte of zeros in a megabyte of gzip data: a block of zeros that is as good the second time, 1024 times.
    static func bomb() throws -> [UInt8] {
        let deflater = try #require(Deflater(.gzip, level: 9))
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        var bomb = deflater.compress(zeros.span, .sync)
        let block = deflater.compress(zeros.span, .sync)
        for _ in 0..<1023 { bomb += block }
        return bomb
    }

    @Test func `A bomb is stopped at once`() throws {
        let bomb = try Self.bomb()
        #expect((1_000_000..<1_300_000).contains(bomb.count))
        var received = 0
        #expect(throws: ContentCodingError.expandsTooMuch(ratio: 100)) {
            try Self.inflate([bomb], [.gzip]) { received += $0 }
        }
        #expect(received <= Inflation.grace)
        // It is all there for those who will have it.
        received = 0
        #expect(throws: ContentCodingError.truncated(.gzip)) {
            try Self.inflate([Array(bomb.prefix(40_000))], [.gzip], ratio: 2000) { received += $0 }
        }
        #expect(received > 35_000_000)
    }

    /// The output of the outer coding counts, even if it is members without content.
    @Test func `A bomb of empty members is stopped`() throws {
        let nothing = try Self.compress([], .gzip)
        var members: [UInt8] = []
        for _ in 0..<100_000 { members += nothing }
        let bomb = try Self.compress(members, .gzip)
        #expect(bomb.count < members.count / 200)
        #expect(Self.error(bomb, [.gzip, .gzip]) == .expandsTooMuch(ratio: 100))
        #expect(Self.error(members, [.gzip]) == nil)
    }

    /// The ratio is that of all codings together.
    @Test func `A bomb in a bomb is stopped`() throws {
        let zeros = [UInt8](repeating: 0, count: 10_000_000)
        let bomb = try Self.compress(try Self.compress(zeros, .gzip), .gzip)
        #expect(bomb.count < 1000)
        #expect(Self.error(bomb, [.gzip, .gzip]) == .expandsTooMuch(ratio: 100))
    }

    @Test func `A few bytes may become many zeros within the grace`() throws {
        let bytes = try Self.compress([UInt8](repeating: 0, count: Inflation.grace), .gzip)
        #expect(bytes.count < Inflation.grace / 500)
        #expect(try Self.inflate([bytes], [.gzip], ratio: 1).count == Inflation.grace)
        let oneMore = try Self.compress([UInt8](repeating: 0, count: Inflation.grace + 1), .gzip)
        #expect(throws: ContentCodingError.self) { try Self.inflate([oneMore], [.gzip]) }
    }
}
