public import BacklotHTTP
public import HTTPTypes

/// What goes wrong with an answer: its status, how late it comes, how its connection breaks, or several of these.
///
/// With a status or a broken connection the handler is not asked, and nothing that it does happens. With a delay alone it is,
/// after the delay.
public struct Fault: Sendable, Equatable {
    /// The statuses that can be asked for. Lower ones are interim responses.
    public static let statuses = 200...599
    /// The delays that can be asked for, in milliseconds.
    public static let delays = 0...120_000

    /// The status of the answer; nil for the handler's.
    public var status: HTTPResponse.Status?
    /// How long the answer is kept back, in milliseconds.
    public var delay: Int
    /// How the connection breaks; nil when it doesn't.
    public var connection: ConnectionFault?

    /// A fault.
    public init(status: HTTPResponse.Status? = nil, delay: Int = 0, connection: ConnectionFault? = nil) {
        self.status = status
        self.delay = delay
        self.connection = connection
    }
}

extension Fault: CustomStringConvertible {
    /// The fault as it is written in a header field: `status=503; delay=2000; fault=EMPTY_RESPONSE`.
    public var description: String {
        var parts: [String] = []
        if let status { parts.append("status=\(status.code)") }
        if delay > 0 { parts.append("delay=\(delay)") }
        if let connection { parts.append("fault=\(connection.rawValue)") }
        return parts.joined(separator: "; ")
    }
}

/// Why a text can't be read as a fault.
struct FaultSyntaxError: Error, Equatable, CustomStringConvertible {
    /// What is wrong.
    let problem: String

    /// What is wrong, and what is allowed.
    var description: String { "\(problem); \(Fault.allowed)" }
}

extension Fault {
    /// What may be written, for messages.
    static let allowed =
        "write one or more of status=\(statuses.lowerBound)…\(statuses.upperBound), "
        + "delay=\(delays.lowerBound)…\(delays.upperBound) (milliseconds) and "
        + "fault=\(ConnectionFault.allCases.map(\.rawValue).joined(separator: "|")), such as 'status=503; delay=2000'"

    /// Reads a fault, such as `status=503; delay=2000`.
    ///
    /// A semicolon, a comma and an ampersand separate: a cookie's value can't hold a semicolon, and a proxy may join two
    /// fields with a comma.
    ///
    /// - Throws: `FaultSyntaxError`, which says what is wrong and what is allowed.
    init(parsing text: String) throws(FaultSyntaxError) {
        self.init()
        var keys: Set<String> = []
        for part in text.split(whereSeparator: { $0 == ";" || $0 == "," || $0 == "&" }) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                String($0.trimmed)
            }
            guard pair.count == 2 else {
                if pair[0].isEmpty { continue }
                throw FaultSyntaxError(problem: "'\(pair[0])' has no value")
            }
            let key = pair[0].lowercased()
            guard keys.insert(key).inserted else { throw FaultSyntaxError(problem: "'\(key)' is set twice") }
            try set(key, pair[1])
        }
        guard !keys.isEmpty else { throw FaultSyntaxError(problem: "it says nothing") }
    }

    private mutating func set(_ key: String, _ value: String) throws(FaultSyntaxError) {
        switch key {
        case "status": status = .standard(try Self.number(key, value, in: Self.statuses))
        case "delay": delay = try Self.number(key, value, in: Self.delays)
        case "fault":
            guard let fault = ConnectionFault(rawValue: value.uppercased()) else {
                throw FaultSyntaxError(problem: "the fault '\(value)' is unknown")
            }
            connection = fault
        default: throw FaultSyntaxError(problem: "'\(key)' is unknown")
        }
    }

    private static func number(
        _ key: String,
        _ text: String,
        in range: ClosedRange<Int>
    ) throws(FaultSyntaxError) -> Int {
        // Int reads a plus sign too.
        guard text.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }), let number = Int(text)
        else {
            throw FaultSyntaxError(problem: "the \(key) '\(text)' isn't a whole number")
        }
        guard range.contains(number) else { throw FaultSyntaxError(problem: "the \(key) \(number) is out of range") }
        return number
    }
}
