/// What a request has done to the values of a session, so that it can be done again when another request has saved the
/// same session in the meantime.
struct SessionChanges: Sendable {
    /// Turns the bytes of a value into others; nil for none.
    typealias Update = @Sendable ([UInt8]?) throws(SessionError) -> [UInt8]?

    private enum Change: Sendable {
        case set([UInt8]?)
        case update(Update)
    }

    private var changes: [(name: String, change: Change)] = []

    /// Sets a value, whatever it was; nil removes it.
    mutating func set(_ name: String, to bytes: [UInt8]?) {
        changes.removeAll { $0.name == name }
        changes.append((name, .set(bytes)))
    }

    /// Changes a value, depending on what it is.
    mutating func update(_ name: String, _ update: @escaping Update) {
        changes.append((name, .update(update)))
    }

    /// The values with the changes made to them.
    func applied(to values: SessionValues) throws(SessionError) -> SessionValues {
        var values = values
        for (name, change) in changes {
            switch change {
            case .set(let bytes): values.entries[name] = bytes
            case .update(let update): values.entries[name] = try update(values.entries[name])
            }
        }
        return values
    }
}
