public import BacklotHTTP
public import HTTPTypes

/// What goes wrong with an answer: its status, how late it comes, how its connection breaks, or several of these.
///
/// With a status or a broken connection the handler is not asked, and nothing that it does happens. With a delay alone it is,
/// after the delay.
public struct Fault: Sendable, Equatable {
    /// The statuses that can be asked for. Lower ones are no answers.
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
