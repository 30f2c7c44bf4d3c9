package import Backlot

/// The position and size of a component. The client chooses values that are nil.
///
/// Source: Xpedite API reference, Size specification.
public struct Size: Sendable, Equatable {
    /// The width.
    public var width: Length?
    /// The height.
    public var height: Length?
    /// The left edge.
    public var x: Position?
    /// The upper edge.
    public var y: Position?

    /// Creates a size. Its parts can't contradict each other.
    public init(width: Length? = nil, height: Length? = nil, x: Position? = nil, y: Position? = nil) {
        self.width = width
        self.height = height
        self.x = x
        self.y = y
    }
}

/// A width or a height.
public enum Length: Sendable, Equatable, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// In logical pixels.
    case points(Double)
    /// In per cent of the screen.
    case percent(Double)
    /// In per cent of the space after the component's position.
    case relative(Double)

    /// Creates a length in logical pixels.
    public init(integerLiteral value: Int) { self = .points(Double(value)) }
    /// Creates a length in logical pixels.
    public init(floatLiteral value: Double) { self = .points(value) }
}

/// The start of a component, on one axis.
public enum Position: Sendable, Equatable, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// In logical pixels from the screen's left or upper edge.
    case points(Double)
    /// In per cent of the screen.
    case percent(Double)
    /// In logical pixels after the previous component.
    case after(Double)
    /// In the middle of the screen.
    case center

    /// In the middle of the screen.
    @available(*, deprecated, renamed: "center")
    public static let centre = Position.center

    /// Creates a distance from the edge in logical pixels.
    public init(integerLiteral value: Int) { self = .points(Double(value)) }
    /// Creates a distance from the edge in logical pixels.
    public init(floatLiteral value: Double) { self = .points(value) }
}

/// A component, or a field of a form, that can be placed and sized.
public protocol Sized: Sendable {
    /// The place and the size; nil for the client's default, which usually is the full width.
    var size: Size? { get set }
}

extension Sized {
    /// Places and sizes the component.
    public consuming func size(_ size: Size?) -> Self { changing(self) { $0.size = size } }

    /// Places and sizes the component: `.size(width: .percent(80), height: 44, x: .center)`.
    ///
    /// Each dimension and each axis has one source, since two would contradict each other.
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

// MARK: On the wire

extension Size: KeyedObject {
    package var wireName: StaticString { "size" }
    package static var roles: [Role] { [.size] }
    static let vocabulary = Kind(
        Size(),
        "The position and size of a component.",
        // [reading] see XpediteRuleReadings.requiresOneSourcePerAxis
        groups: [
            .atMostOne(["width", "width%", "relative-width%"], name: "contradicting-size"),
            .atMostOne(["height", "height%", "relative-height%"], name: "contradicting-size"),
            .atMostOne(["x", "x%", "x+", "centrex"] + centreX, name: "contradicting-size"),
            .atMostOne(["y", "y%", "y+", "centrey"] + centreY, name: "contradicting-size"),
        ]
    )

    private static let centreX = ["center-x", "centre-x", "centerx"]
    private static let centreY = ["center-y", "centre-y", "centery"]

    package func keys(_ keys: inout some Keys) {
        keys("width", width?.points).optional("The width in logical pixels.", .length)
        keys("width%", width?.percent).optional("The width in per cent of the screen.", .length)
        keys("relative-width%", width?.relative).optional(
            "The width in per cent of what is left from the left edge on.",
            .length
        )
        keys("height", height?.points).optional("The height in logical pixels.", .length)
        keys("height%", height?.percent).optional("The height in per cent of the screen.", .length)
        keys("relative-height%", height?.relative).optional(
            "The height in per cent of what is left from the upper edge on.",
            .length
        )
        keys("x", x?.points).optional("The left edge in logical pixels from the screen's.")
        keys("x%", x?.percent).optional("The left edge in per cent of the screen.")
        keys("x+", x?.after).optional("The distance from the right edge of the previous component.")
        keys("centrex", x?.centred).optional("In the middle of the screen from left to right; the value is ignored.")
        keys("y", y?.points).optional("The upper edge in logical pixels from the screen's.")
        keys("y%", y?.percent).optional("The upper edge in per cent of the screen.")
        keys("y+", y?.after).optional("The distance from the bottom edge of the previous component.")
        keys("centrey", y?.centred).optional("In the middle of the screen from top to bottom; the value is ignored.")
        keys.declare((Self.centreX + Self.centreY).map { .unwritten($0, .any, "The same in another spelling.") })
    }
}

extension Length {
    fileprivate var points: Double? { if case .points(let value) = self { value } else { nil } }
    fileprivate var percent: Double? { if case .percent(let value) = self { value } else { nil } }
    fileprivate var relative: Double? { if case .relative(let value) = self { value } else { nil } }
}

extension Position {
    fileprivate var points: Double? { if case .points(let value) = self { value } else { nil } }
    fileprivate var percent: Double? { if case .percent(let value) = self { value } else { nil } }
    fileprivate var after: Double? { if case .after(let value) = self { value } else { nil } }
    /// Any number, if it is centred.
    fileprivate var centred: Int? { self == .center ? 0 : nil }
}

extension Role {
    static let size = Role("size", hasStep: false)
}

extension ValueType {
    fileprivate static let length = number(0...Double.greatestFiniteMagnitude)
}
