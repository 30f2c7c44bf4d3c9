/// What goes wrong with an answer: its status, how late it comes, how its connection breaks, or several of these.
///
/// With a status or a broken connection the handler is not asked, and nothing that it does happens. With a delay alone it is,
/// after the delay. With a lost answer it is asked, whatever it does happens, and the client gets no answer: a client that
/// then sends the request again does the thing twice.
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
    /// Whether the handler's answer is lost: the connection closes instead. A status or a broken connection goes before it.
    public var losesResponse: Bool

    /// A fault.
    public init(
        status: HTTPResponse.Status? = nil,
        delay: Int = 0,
        connection: ConnectionFault? = nil,
        losesResponse: Bool = false
    ) {
        self.status = status
        self.delay = delay
        self.connection = connection
        self.losesResponse = losesResponse
    }
}

extension Fault: CustomStringConvertible {
    /// The fault as it is written in a header field: `status=503; delay=2000; fault=EMPTY_RESPONSE`.
    public var description: String {
        var parts: [String] = []
        if let status { parts.append("status=\(status.code)") }
        if delay > 0 { parts.append("delay=\(delay)") }
        if let connection { parts.append("fault=\(connection.rawValue)") }
        if losesResponse { parts.append("answer=lost") }
        return parts.joined(separator: "; ")
    }
}

extension Fault {
    /// What may be written, for messages.
    static let allowed =
        "write one or more of status=\(statuses.lowerBound)…\(statuses.upperBound), "
        + "delay=\(delays.lowerBound)…\(delays.upperBound) (milliseconds), answer=lost and "
        + "fault=\(ConnectionFault.allCases.map(\.rawValue).joined(separator: "|")), such as 'status=503; delay=2000'"

    /// Reads a fault, such as `status=503; delay=2000`.
    ///
    /// - Throws: `FaultSyntaxError`, which says what is wrong and what is allowed.
    init(parsing text: String) throws(FaultSyntaxError) {
        self.init()
        let syntax = FaultSyntax(allowed: Self.allowed)
        for (key, value) in try syntax.pairs(in: text) {
            switch key {
            case "status": status = .standard(try syntax.number(key, value, in: Self.statuses))
            case "delay": delay = try syntax.number(key, value, in: Self.delays)
            case "answer":
                guard value.lowercased() == "lost" else { throw syntax.error("the answer '\(value)' is unknown") }
                losesResponse = true
            case "fault":
                guard let fault = ConnectionFault(rawValue: value.uppercased()) else {
                    throw syntax.error("the fault '\(value)' is unknown")
                }
                connection = fault
            default: throw syntax.error("'\(key)' is unknown")
            }
        }
    }
}

/// Reads what goes wrong with answers, or with a network, from a text such as `status=503; delay=2000`.
struct FaultSyntax {
    /// What may be written, for messages.
    let allowed: String

    /// An error that says what is allowed.
    func error(_ problem: String) -> FaultSyntaxError { FaultSyntaxError(problem: problem, allowed: allowed) }

    /// The pairs of a text, with their keys in lower case, each of which stands there once.
    ///
    /// A semicolon, a comma and an ampersand separate: a cookie's value can't hold a semicolon, and a proxy may join two
    /// fields with a comma.
    ///
    /// - Parameter firstKey: the key of the first part where that is a value alone, as in `3g; loss=5`.
    /// - Throws: `FaultSyntaxError` for parts that aren't pairs, doubled keys and a text without parts.
    func pairs(
        in text: String,
        firstKey: String? = nil
    ) throws(FaultSyntaxError) -> [(key: String, value: String)] {
        var pairs: [(key: String, value: String)] = []
        for part in text.split(whereSeparator: { $0 == ";" || $0 == "," || $0 == "&" }) {
            var pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                String($0.trimmed)
            }
            if pair.count == 1 {
                if pair[0].isEmpty { continue }
                guard let firstKey, pairs.isEmpty else { throw error("'\(pair[0])' has no value") }
                pair.insert(firstKey, at: 0)
            }
            let key = pair[0].lowercased()
            guard !pairs.contains(where: { $0.key == key }) else { throw error("'\(key)' is set twice") }
            pairs.append((key, pair[1]))
        }
        guard !pairs.isEmpty else { throw error("it says nothing") }
        return pairs
    }

    /// The whole number that a value is.
    ///
    /// - Throws: `FaultSyntaxError` for what is none, or out of range.
    func number(_ key: String, _ text: String, in range: ClosedRange<Int>) throws(FaultSyntaxError) -> Int {
        // Int reads a plus sign too.
        guard text.utf8.allSatisfy(\.isDigit), let number = Int(text) else {
            throw error("the \(key) '\(text)' isn't a whole number")
        }
        guard range.contains(number) else { throw error("the \(key) \(number) is out of range") }
        return number
    }
}

/// Why a text can't be read as a fault, or as a network.
struct FaultSyntaxError: Error, Equatable, CustomStringConvertible {
    /// What is wrong.
    let problem: String
    /// What is allowed, for messages.
    let allowed: String

    /// What is wrong, and what is allowed.
    var description: String { "\(problem); \(allowed)" }
}
