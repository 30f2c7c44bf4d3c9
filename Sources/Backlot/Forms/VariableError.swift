public import BacklotHTTP
public import HTTPTypes

/// A variable that a client has sent wrongly, or not at all: 400, since its user can't mend that.
public struct VariableError: HTTPError, Equatable {
    /// What is wrong with it.
    public enum Problem: Equatable, Sendable {
        /// It was not sent.
        case missing(expected: String)
        /// It was sent as something else.
        case wrongType(expected: String, received: String)
        /// It has the right type and a value that can't be used.
        case invalid(String)
    }

    /// The variable; below it, keys and indices are joined with dots.
    public let name: String
    /// What is wrong with it.
    public let problem: Problem

    /// 400.
    public var status: HTTPResponse.Status { .badRequest }

    /// What is wrong, in one line, for the client's developer.
    public var reason: String {
        switch problem {
        case .missing(let expected): "the variable '\(name)' is missing: expected \(expected)"
        case .wrongType(let expected, let received): "the variable '\(name)' is \(received): expected \(expected)"
        case .invalid(let text): "the variable '\(name)' can't be used: \(text)"
        }
    }
}
