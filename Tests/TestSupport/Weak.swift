/// A weak reference: nil once nothing else keeps the object.
public final class Weak: @unchecked Sendable {
    /// The object, if it still lives.
    public private(set) weak var object: AnyObject?

    /// Watches an object.
    public init(_ object: AnyObject) {
        self.object = object
    }
}
