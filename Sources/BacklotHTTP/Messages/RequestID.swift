package import HTTPTypes
internal import Synchronization

/// A request's id in logs, in spans and in the field `X-Request-Id`.
package enum RequestID: Equatable, Sendable {
    /// The id given by a trusted proxy: 1 to 64 letters, digits, `-`, `_`, `.`, `:` and `=`.
    case given(String)
    /// A number given by this server.
    case own(UInt64)

    package static let fieldName = HTTPField.Name("X-Request-Id")

    private static let start = UInt64.random(in: .min ... .max)
    private static let count = Atomic<UInt64>(0)

    /// The id from the field of a trusted proxy; otherwise the request's own, which is created on first use. A client's field
    /// doesn't count, and neither does an id that may not appear in a log.
    package init(_ request: borrowing Request) {
        if request.hasField("x-request-id"), request.isFromTrustedProxy, let name = Self.fieldName,
            let text = request.headers[name], Self.isValid(text)
        {
            self = .given(text)
        } else {
            self = .own(request.notes.id(orNew: Self.next))
        }
    }

    package var text: String {
        switch self {
        case .given(let text): text
        case .own(let number): number.hexadecimal
        }
    }

    /// Ids of one process never repeat, and ids of two processes hardly ever coincide. They come from a counter with a random
    /// start, spread over all 64 bits by a one-to-one function (SplitMix64).
    private static func next() -> UInt64 {
        SplitMix64.mixed(start &+ count.add(1, ordering: .relaxed).newValue &* 0x9E37_79B9_7F4A_7C15)
    }

    private static func isValid(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(ASCII.lowercased(byte)) || ASCII.isDigit(byte)
                    || "-_.:=".utf8.contains(byte)
            }
    }
}

extension Request {
    /// The request's id in the log, in spans and in `X-Request-Id`. It has 16 hexadecimal digits, or is the id that a trusted
    /// proxy (`ServerConfiguration.trustedProxies`) has sent in `X-Request-Id`: 1 to 64 letters, digits and `-_.:=`. The field
    /// doesn't count from other clients, so that they can't choose names that are derived from the id.
    public var id: String { RequestID(self).text }
}

extension Response {
    /// The response with the request's id in `X-Request-Id`, unless it has that field.
    package func bearing(_ id: RequestID) -> Response {
        guard let name = RequestID.fieldName, headers[name] == nil else { return self }
        var response = self
        response.headers[name] = id.text
        return response
    }
}

extension UInt64 {
    /// The number as 16 hexadecimal digits in lower case.
    package var hexadecimal: String {
        let digits = hexadecimalDigits
        return unsafe String(unsafeUninitializedCapacity: digits.count) { text in
            for index in digits.indices { unsafe text[index] = digits[index] }
            return digits.count
        }
    }

    /// The same in ASCII.
    package var hexadecimalDigits: InlineArray<16, UInt8> {
        let words = (Self.digits(self >> 32), Self.digits(self & 0xFFFF_FFFF))
        return unsafe unsafeBitCast(words, to: InlineArray<16, UInt8>.self)
    }

    /// The digits of a number of 32 bits, with the first digit in the lowest byte.
    private static func digits(_ number: UInt64) -> UInt64 {
        var digits = (number | number << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        digits = ((digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F).byteSwapped
        // All eight at once: from 10 on, a digit is a letter, which is 39 higher.
        let isLetter = (digits + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return UInt64(littleEndian: digits + 0x3030_3030_3030_3030 + isLetter * 39)
    }
}
