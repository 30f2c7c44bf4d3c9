/// The extension permessage-deflate (RFC 7692) as both sides have agreed on it.
///
/// Each message is compressed by itself, with `no_context_takeover` both ways: an open WebSocket keeps no state of zlib.
struct WebSocketCompression: Equatable, Sendable {
    /// The shortest message that is compressed, in bytes: shorter ones grow, or save less than they cost.
    static let least = 128
    private static let pools = (9...15).map { DeflaterPool(level: 6, window: $0) }
    /// The end of each compressed message, which isn't sent (RFC 7692, section 7.2.1).
    private static let tail: [UInt8] = [0, 0, 0xFF, 0xFF]
    /// The most blocks of a message with BFINAL, which RFC 7692, section 7.2.3.4, allows: the next one begins with a new state of
    /// zlib, which costs far more than its bytes.
    static let finalBlockLimit = 256

    /// The window that the client can undo, as a power of two: 9 to 15.
    var window = 15
    /// Whether the client has named its window, and the response must as well.
    var namesWindow = false

    /// The extension in a response's `Sec-WebSocket-Extensions`.
    var field: String {
        "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
            + (namesWindow ? "; server_max_window_bits=\(window)" : "")
    }

    /// The first offer of a client that can be accepted; nil without any (RFC 7692, section 7.1).
    init?(offers: String) {
        for offer in offers.split(separator: ",") {
            let parts = offer.split(separator: ";").map { $0.trimmed.lowercased() }
            guard parts.first == "permessage-deflate" else { continue }
            if let compression = Self.accept(parts.dropFirst()) {
                self = compression
                return
            }
        }
        return nil
    }

    init() {}

    private static func accept(_ parameters: ArraySlice<String>) -> WebSocketCompression? {
        var compression = WebSocketCompression()
        var names: Set<Substring> = []
        for parameter in parameters {
            // An empty name counts as unknown.
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmed)
            guard names.insert(parts[0]).inserted else { return nil }
            let bits = parts.count == 2 ? bits(parts[1]) : nil
            switch (parts[0], parts.count) {
            case ("server_no_context_takeover", 1), ("client_no_context_takeover", 1), ("client_max_window_bits", 1):
                break
            case ("client_max_window_bits", 2): guard bits != nil else { return nil }
            // zlib can't write with a window of 256 bytes.
            case ("server_max_window_bits", 2):
                guard let bits, bits > 8 else { return nil }
                (compression.window, compression.namesWindow) = (bits, true)
            default: return nil
            }
        }
        return compression
    }

    /// A window as a power of two: a number without a sign or a leading zero, perhaps in quotes (RFC 7692, section 7.1.2).
    private static func bits(_ value: Substring) -> Int? {
        (8...15).first { bits in
            let spellings: [Substring] = ["\(bits)", "\"\(bits)\""]
            return spellings.contains(value)
        }
    }

    /// A message's payload, compressed; nil where that makes it no smaller.
    func deflate(_ message: [UInt8]) -> [UInt8]? {
        let pool = Self.pools[window - 9]
        guard let deflater = pool.take(.deflate) else { return nil }
        defer { pool.giveBack(deflater) }
        var bytes = deflater.compress(message.span, .sync)
        guard bytes.suffix(4) == Self.tail[...] else { return nil }
        bytes.removeLast(4)
        return bytes.count < message.count ? bytes : nil
    }

    /// The message of a compressed payload; nil with more than `limit` bytes.
    static func inflate(_ payload: [UInt8], upTo limit: Int) throws(ContentCodingError) -> [UInt8]? {
        let inflater = try Inflater(.deflate, isRaw: true)
        let input = payload + tail
        var (message, position, finalBlocks) = ([UInt8](), 0, 0)
        repeat {
            let room = min(limit, Int.max - 1) + 1 - message.count
            guard room > 0 else { return nil }
            message += try inflater.decode(input, from: &position, upTo: min(room, Inflation.pieceSize))
            if inflater.isAtEnd { finalBlocks += 1 }
            guard finalBlocks <= finalBlockLimit else { throw .malformed(.deflate, "too many final blocks") }
        } while position < input.count || inflater.mayHaveMore
        return message.count <= limit ? message : nil
    }
}
