/// Names a value that can be attached to a request, by a type that conforms.
public protocol RequestAttribute {
    /// The type of the value.
    associatedtype Value: Sendable
}

/// Values that are attached to a request on its way, each under a type of its own. Costs nothing while it is empty.
public struct RequestAttributes: Sendable {
    private var entries: [(key: ObjectIdentifier, value: any Sendable)] = []

    /// Whether nothing is attached: cheaper than to ask for a value.
    package var isEmpty: Bool { entries.isEmpty }

    /// The value under a key; nil where none is attached.
    public subscript<Key: RequestAttribute>(key: Key.Type) -> Key.Value? {
        get {
            let identifier = ObjectIdentifier(key)
            return entries.first { $0.key == identifier }?.value as? Key.Value
        }
        set {
            let identifier = ObjectIdentifier(key)
            entries.removeAll { $0.key == identifier }
            if let newValue { entries.append((identifier, newValue)) }
        }
    }
}
