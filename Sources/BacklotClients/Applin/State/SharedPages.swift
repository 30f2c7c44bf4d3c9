internal import BacklotHTTP
internal import BacklotJSON

/// Pages by the bytes that they came in, so that the same bytes aren't read again for each of very many clients. Bounded: when it is full, it
/// begins anew.
package struct SharedPages {
    private static let mostPages = 4096
    private static let mostBytes = 16 * 1024 * 1024

    /// By the hash of the body as it came over the wire. Two bodies with one hash are told apart by their bytes.
    private var pages: [UInt64: (body: [UInt8], page: PageContents)] = [:]
    private var bytes = 0
    private let nesting: Int
    private let mostBody: Int
    private let mostHeld: Int
    private let held = HeldPages()

    /// - Parameters:
    ///   - nesting: how deeply arrays and objects may be nested.
    ///   - mostBody: how many bytes a body may have once it is decompressed.
    ///   - mostHeld: how many bytes, decompressed, the different pages may have that are held at a time.
    package init(nesting: Int, mostBody: Int, mostHeld: Int = 1_000_000_000) {
        self.mostHeld = mostHeld
        self.nesting = nesting
        self.mostBody = mostBody
    }

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - body: the body of the answer, as it came.
    ///   - coding: its content coding; nil for none.
    /// - Throws: `ReadingError`, for what is no page.
    package mutating func page(_ body: [UInt8], coding: String?) throws(ReadingError) -> PageContents {
        let hash = Self.hash(body)
        if let known = pages[hash], known.body == body { return known.page }
        let plain = coding == nil ? body : try Self.decoded(body, coding ?? "", mostBody)
        let total = held.bytes.withLock { $0 } + plain.count
        guard total <= mostHeld else {
            throw ReadingError(text: "phones hold \(mostHeld) bytes of different pages already", isTooMuch: true)
        }
        let document: JSONValue
        do throws(JSONParseError) {
            document = try JSONValue(parsing: plain, depthLimit: nesting)
        } catch {
            throw ReadingError(text: "its body is no JSON: \(error)")
        }
        var page = PageContents(document["page"] ?? .null)
        guard page.typ == "nav_page" || page.typ == "plain_page" else {
            throw ReadingError(text: "its body has no page of Applin")
        }
        if pages.count >= Self.mostPages || bytes + body.count + plain.count > Self.mostBytes {
            pages = [:]
            bytes = 0
        }
        page.share = PageShare(plain.count, of: held)
        pages[hash] = (body, page)
        bytes += body.count + plain.count
        return page
    }

    /// Why something is no page.
    package struct ReadingError: Error {
        /// To follow the words "the answer is no page:", unless there is too much.
        package let text: String
        /// Whether it may well be a page, but there are too many already.
        package var isTooMuch = false
    }

    private static func decoded(_ body: [UInt8], _ coding: String, _ limit: Int) throws(ReadingError) -> [UInt8] {
        let plain: [UInt8]?
        do throws(ContentCodingError) {
            plain = try ContentEncoding(coding).decode(body, limit: limit)
        } catch {
            throw ReadingError(text: "it can't be decompressed: \(error.reason)")
        }
        guard let plain else { throw ReadingError(text: "decompressed, it has more than \(limit) bytes") }
        return plain
    }

    /// Eight bytes at a time: a body is hashed for every answer. Nobody gains by two bodies of one hash, since bytes are compared.
    private static func hash(_ body: [UInt8]) -> UInt64 {
        var hash: UInt64 = UInt64(body.count) &* 0x9E37_79B9_7F4A_7C15
        let bytes = unsafe body.span.bytes
        var index = 0
        while index + 8 <= bytes.byteCount {
            // Eight bytes are there.
            let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
            hash = (hash ^ word) &* 0xFF51_AFD7_ED55_8CCD
            hash ^= hash >> 32
            index += 8
        }
        while index < bytes.byteCount {
            hash = (hash ^ UInt64(body[index])) &* 0x0000_0100_0000_01B3
            index += 1
        }
        return hash ^ hash >> 29
    }
}

/// How many bytes the pages have that clients hold together.
final class HeldPages: Sendable {
    let bytes = Locked(0)
}

/// One page's part of them, for as long as somebody holds the page.
final class PageShare: Sendable {
    private let count: Int
    private let pages: HeldPages

    init(_ count: Int, of pages: HeldPages) {
        (self.count, self.pages) = (count, pages)
        pages.bytes.withLock { $0 += count }
    }

    deinit { pages.bytes.withLock { $0 -= count } }
}
