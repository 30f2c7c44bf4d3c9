/// A variable of a form: a name and a type, written once and used both by an input and by the handler that reads it.
///
/// ```swift
/// let username = Variable<String>("username")
///
/// textfield(username)                                        // in a page
/// let name = try await request.variables()[username]           // in a handler: 400 names the variable if it is missing
/// ```
public struct Variable<Value: Decodable & Sendable>: Sendable {
    /// The name under which clients send it.
    public let name: String

    /// A variable of that name.
    public init(_ name: String) {
        self.name = name
    }
}
