/// A component, or a field of a form, that can be placed and sized.
public protocol Sized: Sendable {
    /// Where it stands and how large it is; nil for the client's default, which usually is the full width.
    var size: Size? { get set }
}

extension Sized {
    /// Places and sizes the component.
    public consuming func size(_ size: Size?) -> Self {
        self.size = size
        return consume self
    }

    /// Places and sizes the component: `.size(width: .percent(80), height: 44, x: .centre)`.
    ///
    /// One source per axis and dimension can be given, because two of them contradict each other.
    public consuming func size(
        width: Length? = nil,
        height: Length? = nil,
        x: Position? = nil,
        y: Position? = nil
    ) -> Self {
        self.size = Size(width: width, height: height, x: x, y: y)
        return consume self
    }
}
