/// A fault in a response: a status, a delay, a broken connection, or several of these.
///
/// With a status or a broken connection, the handler isn't called. With a delay alone, the handler runs after the delay. With a
/// lost response, the handler runs, but the client gets no response. A client that then repeats its request causes the effect
/// twice.
public struct Fault: Sendable, Equatable {
    /// The statuses that a fault may have. Lower ones are interim responses.
    public static let statuses = 200...599
    /// The delays that a fault may have, in milliseconds.
    package static let delays = 0...120_000

    /// The status of the response; nil for the handler's status.
    public var status: HTTPResponse.Status?
    /// The delay of the response, in whole milliseconds, at most 120 s.
    public var delay: Duration
    /// The way that the connection breaks; nil for a working connection.
    public var connection: ConnectionFault?
    /// Whether the handler's response is lost: the connection closes instead. A status or a broken connection takes precedence.
    public var losesResponse: Bool

    /// Creates a fault.
    public init(
        status: HTTPResponse.Status? = nil,
        delay: Duration = .zero,
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
    /// The fault as the text of a header field: `status=503; delay=2000; fault=EMPTY_RESPONSE`.
    public var description: String {
        var parts: [String] = []
        if let status { parts.append("status=\(status.code)") }
        if delay > .zero { parts.append("delay=\(delay.milliseconds)") }
        if let connection { parts.append("fault=\(connection.rawValue)") }
        if losesResponse { parts.append("answer=lost") }
        return parts.joined(separator: "; ")
    }
}

extension Fault {
    /// The permitted values, for error texts.
    static let allowed =
        "write one or more of status=\(statuses.lowerBound)…\(statuses.upperBound), "
        + "delay=\(delays.lowerBound)…\(delays.upperBound) (milliseconds), answer=lost and "
        + "fault=\(ConnectionFault.allCases.map(\.rawValue).joined(separator: "|")), such as 'status=503; delay=2000'"

    /// Reads a fault, such as `status=503; delay=2000`.
    ///
    /// - Throws: `FaultSyntaxError` with the problem and the permitted values.
    init(parsing text: String) throws(FaultSyntaxError) {
        self.init()
        let syntax = FaultSyntax(allowed: Self.allowed)
        for (key, value) in try syntax.pairs(in: text) {
            switch key {
            case "status": status = .standard(try syntax.number(key, value, in: Self.statuses))
            case "delay": delay = .milliseconds(try syntax.number(key, value, in: Self.delays))
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

/// Reads a response's or a network's fault from a text such as `status=503; delay=2000`.
struct FaultSyntax {
    /// The permitted values, for error texts.
    let allowed: String

    /// An error that lists the permitted values.
    func error(_ problem: String) -> FaultSyntaxError { FaultSyntaxError(problem: problem, allowed: allowed) }

    /// The pairs of a text, with keys in lower case. Each key may occur once.
    ///
    /// Semicolons, commas and ampersands separate the pairs: a cookie's value can't hold a semicolon, and a proxy may join two
    /// fields with a comma.
    ///
    /// - Parameter firstKey: the key of the first part if that part is only a value, as in `3g; loss=5`.
    /// - Throws: `FaultSyntaxError` for parts that aren't pairs, repeated keys and an empty text.
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
            guard pairs.count < 20 else { throw error("it has more than 20 parts") }
            pairs.append((key, pair[1]))
        }
        guard !pairs.isEmpty else { throw error("it says nothing") }
        return pairs
    }

    /// The integer in a value.
    ///
    /// - Throws: `FaultSyntaxError` for a text that isn't an integer, or is out of range.
    func number(_ key: String, _ text: String, in range: ClosedRange<Int>) throws(FaultSyntaxError) -> Int {
        // Int accepts a plus sign too.
        guard text.utf8.allSatisfy(\.isDigit), let number = Int(text) else {
            throw error("the \(key) '\(text)' isn't a whole number")
        }
        guard range.contains(number) else { throw error("the \(key) \(number) is out of range") }
        return number
    }
}

/// An error in the text of a fault or of a network.
struct FaultSyntaxError: Error, Equatable, CustomStringConvertible {
    /// The problem.
    let problem: String
    /// The permitted values, for error texts.
    let allowed: String

    /// The problem and the permitted values.
    var description: String { "\(problem); \(allowed)" }
}
