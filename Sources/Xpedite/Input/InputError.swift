/// Something in a packet that is missing, or of another type than the app asks for.
public struct InputError: Error, Equatable, CustomStringConvertible {
    /// Its name; below it, keys and indices are joined with dots.
    public let name: String
    /// What is wrong with it, for whoever has filled in the form: `is missing`, `must be a whole number`.
    public let problem: String

    /// The name and what is wrong.
    public var description: String { "'\(name)' \(problem)" }
}
