/// How wide or how high something is.
public enum Length: Sendable, Equatable, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// In logical pixels.
    case points(Double)
    /// In per cent of the screen.
    case percent(Double)
    /// In per cent of what is left from the component's position on.
    case relative(Double)

    /// So many logical pixels.
    public init(integerLiteral value: Int) { self = .points(Double(value)) }
    /// So many logical pixels.
    public init(floatLiteral value: Double) { self = .points(value) }
}
