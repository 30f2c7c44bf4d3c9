internal import BacklotHTTP
internal import BacklotJSON

/// A cache of pages by their bytes, so that many thousands of clients read equal bytes once. Bounded: when it is full, it starts
/// again empty.
package struct SharedPages {
    private static let mostPages = 4096
    private static let mostBytes = 16 * 1024 * 1024

    /// The pages by the hash of the body before decompression. Bodies with equal hashes are distinguished by their bytes.
    private var pages: [UInt64: (body: [UInt8], page: PageContents)] = [:]
    private var bytes = 0
    private let nesting: Int
    private let mostBody: Int
    private let mostHeld: Int
    private let held = HeldPages()

    /// - Parameters:
    ///   - nesting: the maximum depth of arrays and objects.
    ///   - mostBody: the maximum size of a decompressed body, in bytes.
    ///   - mostHeld: the maximum decompressed size of all different pages in use, in bytes.
    package init(nesting: Int, mostBody: Int, mostHeld: Int = 1_000_000_000) {
        self.mostHeld = mostHeld
        self.nesting = nesting
        self.mostBody = mostBody
    }

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - body: the body of the response, before decompression.
    ///   - coding: the body's content coding; nil without one.
    /// - Throws: `ReadingError` if the body isn't a page.
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
            throw ReadingError(text: "its body isn't JSON: \(error)")
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

    /// The reason why a body can't be used as a page.
    package struct ReadingError: Error {
        /// The reason, as a continuation of "the response isn't an Applin page:", unless `isTooMuch` is true.
        package let text: String
        /// Whether the pages in use exceed the limit, so that the body wasn't read.
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

    /// Hashes eight bytes at a time, for every response. Colliding bodies are harmless, since their bytes are compared.
    private static func hash(_ body: [UInt8]) -> UInt64 {
        var hash: UInt64 = UInt64(body.count) &* 0x9E37_79B9_7F4A_7C15
        let bytes = unsafe body.span.bytes
        var index = 0
        while index + 8 <= bytes.byteCount {
            // The loop condition guarantees eight more bytes.
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

/// The total size of the pages that clients use together, in bytes.
final class HeldPages: Sendable {
    let bytes = Locked(0)
}

/// One page's share of the total, for as long as the page is in use.
final class PageShare: Sendable {
    private let count: Int
    private let pages: HeldPages

    init(_ count: Int, of pages: HeldPages) {
        (self.count, self.pages) = (count, pages)
        pages.bytes.withLock { $0 += count }
    }

    deinit { pages.bytes.withLock { $0 -= count } }
}
