/// Something that this doesn't keep: nil once all who do have let go of it.
public final class Weak: @unchecked Sendable {
    /// The object, if it still lives.
    public private(set) weak var object: AnyObject?

    /// Watches an object.
    public init(_ object: AnyObject) {
        self.object = object
    }
}
