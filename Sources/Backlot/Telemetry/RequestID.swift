public import Logging
internal import Synchronization

/// A request's id in logs, in spans and in the field `X-Request-Id`.
enum RequestID: Equatable, Sendable {
    /// The id that the client or a proxy gave it: 1 to 64 letters, digits, `-`, `_`, `.`, `:` and `=`.
    case given(String)
    /// A number that this server gave it.
    case own(UInt64)

    static let fieldName = HTTPField.Name("X-Request-Id")

    private static let start = UInt64.random(in: .min ... .max)
    private static let count = Atomic<UInt64>(0)

    /// The id in the request's field, or a new one when the field is missing or its id may not stand in a log.
    init(_ request: borrowing Request) {
        if request.hasField("x-request-id"), let name = Self.fieldName,
            let text = request.headers[name], Self.isValid(text)
        {
            self = .given(text)
        } else {
            self = .own(Self.next())
        }
    }

    var text: String {
        switch self {
        case .given(let text): text
        case .own(let number): number.hexadecimal
        }
    }

    /// Ids of one process never repeat, and ids of two processes hardly ever coincide: a counter from a random start, spread over
    /// all 64 bits by a function that maps no two numbers to one (SplitMix64).
    private static func next() -> UInt64 {
        SplitMix64.mixed(start &+ count.add(1, ordering: .relaxed).newValue &* 0x9E37_79B9_7F4A_7C15)
    }

    private static func isValid(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_.:=".utf8.contains($0) }
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
    var hexadecimalDigits: InlineArray<16, UInt8> {
        InlineArray { index in
            let digit = UInt8(truncatingIfNeeded: self >> UInt64(60 - index * 4)) & 15
            return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
        }
    }
}

extension Request {
    /// The request's id, as the log, spans and `X-Request-Id` have it; `-` where the program uses no `Telemetry`.
    public var id: String { observation?.id.text ?? "-" }

    /// A logger for what belongs to this request: that of `Telemetry`, with `request-id`, `route`, and, once the
    /// handler has asked for its session, `session-hash`.
    ///
    /// Ask for it while the request is being handled. Where the program uses no `Telemetry` it has none of these.
    public var logger: Logger {
        var logger = observation?.logger ?? Logger(label: "backlot")
        guard let observation else { return logger }
        logger[metadataKey: "request-id"] = .string(observation.id.text)
        if let route = observation.route.path { logger[metadataKey: "route"] = .string(route) }
        if let session = observation.session { logger[metadataKey: "session-hash"] = .string(session.hexadecimal) }
        return logger
    }
}
