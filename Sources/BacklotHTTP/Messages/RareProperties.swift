/// Properties that few values of a type have set: in memory of their own, so that the others are small, and cheap to copy.
struct RareProperties<Value: Sendable>: Sendable {
    private final class Storage: Sendable {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var storage: Storage?

    /// The properties; nil while none has been set.
    var value: Value? {
        get { storage?.value }
        set { storage = newValue.map(Storage.init) }
    }
}
