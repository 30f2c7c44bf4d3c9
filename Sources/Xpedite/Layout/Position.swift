/// Where something begins, on one axis.
public enum Position: Sendable, Equatable, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// In logical pixels from the screen's left or upper edge.
    case points(Double)
    /// In per cent of the screen.
    case percent(Double)
    /// So many logical pixels after the previous component.
    case after(Double)
    /// In the middle of the screen.
    case centre

    /// So many logical pixels from the edge.
    public init(integerLiteral value: Int) { self = .points(Double(value)) }
    /// So many logical pixels from the edge.
    public init(floatLiteral value: Double) { self = .points(value) }
}
