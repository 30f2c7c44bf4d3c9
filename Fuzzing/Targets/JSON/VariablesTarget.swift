import Backlot
import BacklotJSON

extension FuzzTarget {
    /// The variables of a form: each is read as what it was sent as, or refused with its name; nothing else is thrown.
    static let variables = FuzzTarget(name: "variables") { input async throws(Violation) in
        guard let object = (try? JSONValue(parsing: input))?.object else { return false }
        let variables = Variables(object)
        for member in object.members {
            let (name, value) = (member.key, member.value)
            let text = try read(name, as: String.self, of: variables)
            try require(
                text.map { JSONValue.string($0) == value } ?? (value.string == nil),
                "\(name) is \(value), not \(text ?? "nil")"
            )
            let flag = try read(name, as: Bool.self, of: variables)
            try require(flag.map { JSONValue.bool($0) == value } ?? true, "\(name) is \(value), not a boolean")
            let number = try read(name, as: Int.self, of: variables)
            try require(
                number.map { value.number?.int64 == Int64($0) || value.string.flatMap(typed) == $0 } ?? true,
                "\(name) is \(value), not a whole number"
            )
            _ = try read(name, as: Double.self, of: variables)
            _ = try read(name, as: [String].self, of: variables)
            _ = try read(name, as: [String: String].self, of: variables)
        }
        let account = try refusals { () throws in try variables.decode(Account.self) }
        if let account { try require(object["username"] == .string(account.username), "another user name") }
        return true
    }

    /// The number that a user has typed, perhaps with blanks around it.
    private static func typed(_ text: String) -> Int? {
        Int(text.split(whereSeparator: \.isWhitespace).joined())
    }

    private struct Account: Decodable {
        var username: String
        var agree: Bool?
        var age: Int?
        var tags: [String]?
        var address: [String: String]?
    }

    private static func read<Value: Decodable & Sendable>(
        _ name: String,
        as type: Value.Type,
        of variables: Variables
    ) throws(Violation) -> Value? {
        try refusals { () throws in try variables.value(name, as: type) }
    }

    /// What `body` returns; nil when it refuses with an error for the client.
    private static func refusals<Value>(_ body: () throws -> Value) throws(Violation) -> Value? {
        do {
            return try body()
        } catch let error as VariableError {
            // 422 is for users, whose typed text is no number, and 400 for clients, which sent a wrong type.
            let isForUser = if case .input = error.problem { true } else { false }
            try require(error.status == (isForUser ? .unprocessableContent : .badRequest), "\(error.status)")
            try require(!error.reason.isEmpty, "no reason")
            return nil
        } catch {
            throw Violation(description: "\(error) is nothing to tell a client")
        }
    }
}
