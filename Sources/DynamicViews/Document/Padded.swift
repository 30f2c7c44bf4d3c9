/// What can have space around it: a widget, or a document's widgets as a whole.
public protocol Padded: Sendable {
    /// The space around it; nil for none.
    var padding: Padding? { get set }
}

extension Padded {
    /// Puts space around it.
    public consuming func padding(_ padding: Padding?) -> Self {
        self.padding = padding
        return consume self
    }

    /// Puts the same space on every side.
    public consuming func padding(_ value: Double) -> Self {
        padding = .all(value)
        return consume self
    }

    /// Puts space at the sides, and above and below.
    public consuming func padding(horizontal: Double, vertical: Double) -> Self {
        padding = .axes(horizontal: horizontal, vertical: vertical)
        return consume self
    }

    /// Puts space on some sides.
    public consuming func padding(
        top: Double? = nil,
        leading: Double? = nil,
        bottom: Double? = nil,
        trailing: Double? = nil
    ) -> Self {
        padding = .named(top: top, leading: leading, bottom: bottom, trailing: trailing)
        return consume self
    }
}
