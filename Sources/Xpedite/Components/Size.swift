import Backlot
import BacklotJSON

/// Where a component stands and how large it is. The client chooses what is nil.
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

    /// A size. Its parts can't contradict each other.
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
    /// In per cent of what is left from the component's position on.
    case relative(Double)

    /// A length in logical pixels.
    public init(integerLiteral value: Int) { self = .points(Double(value)) }
    /// A length in logical pixels.
    public init(floatLiteral value: Double) { self = .points(value) }
}

/// Where a component begins, on one axis.
public enum Position: Sendable, Equatable, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// In logical pixels from the screen's left or upper edge.
    case points(Double)
    /// In per cent of the screen.
    case percent(Double)
    /// In logical pixels after the previous component.
    case after(Double)
    /// In the middle of the screen.
    case centre

    /// A distance from the edge in logical pixels.
    public init(integerLiteral value: Int) { self = .points(Double(value)) }
    /// A distance from the edge in logical pixels.
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

    /// Places and sizes the component: `.size(width: .percent(80), height: 44, x: .centre)`.
    ///
    /// Each dimension and each axis has one source, because two of them contradict each other.
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

extension Size {
    static let vocabulary = Kind(
        "size",
        as: [.size],
        "Where a component stands and how large it is.",
        // [reading] see RuleReadings.oneSourcePerAxis
        groups: [
            .atMostOne(["width", "width%", "relative-width%"], name: "contradicting-size"),
            .atMostOne(["height", "height%", "relative-height%"], name: "contradicting-size"),
            .atMostOne(["x", "x%", "x+"] + centreX, name: "contradicting-size"),
            .atMostOne(["y", "y%", "y+"] + centreY, name: "contradicting-size"),
        ],
        keys: [
            .optional("width", .length, "The width in logical pixels."),
            .optional("height", .length, "The height in logical pixels."),
            .optional("width%", .length, "The width in per cent of the screen."),
            .optional("height%", .length, "The height in per cent of the screen."),
            .optional("relative-width%", .length, "The width in per cent of what is left from the left edge on."),
            .optional("relative-height%", .length, "The height in per cent of what is left from the upper edge on."),
            .optional("x", .number, "The left edge in logical pixels from the screen's."),
            .optional("y", .number, "The upper edge in logical pixels from the screen's."),
            .optional("x%", .number, "The left edge in per cent of the screen."),
            .optional("y%", .number, "The upper edge in per cent of the screen."),
            .optional("x+", .number, "The distance from the right edge of the previous component."),
            .optional("y+", .number, "The distance from the bottom edge of the previous component."),
            .optional("centrex", .any, "In the middle of the screen from left to right; the value is ignored."),
            .optional("centrey", .any, "In the middle of the screen from top to bottom; the value is ignored."),
        ] + (centreX.dropFirst() + centreY.dropFirst()).map { .unwritten($0, .any, "The same in another spelling.") }
    )

    private static let centreX = ["centrex", "center-x", "centre-x", "centerx"]
    private static let centreY = ["centrey", "center-y", "centre-y", "centery"]
}

extension Role {
    static let size = Role("size", hasStep: false)
}

extension Key {
    static let size = optional("size", .object(.size), "The place and the size; without it, the client's default.")
}

extension ValueType {
    fileprivate static let length = number(0...Double.greatestFiniteMagnitude)
}

extension JSONWriter {
    mutating func field(_ key: StaticString, _ size: Size?) {
        guard let size else { return }
        object(key) { writer in
            switch size.width {
            case .points(let value): writer.field("width", value)
            case .percent(let value): writer.field("width%", value)
            case .relative(let value): writer.field("relative-width%", value)
            case nil: break
            }
            switch size.height {
            case .points(let value): writer.field("height", value)
            case .percent(let value): writer.field("height%", value)
            case .relative(let value): writer.field("relative-height%", value)
            case nil: break
            }
            switch size.x {
            case .points(let value): writer.field("x", value)
            case .percent(let value): writer.field("x%", value)
            case .after(let value): writer.field("x+", value)
            case .centre: writer.field("centrex", 0)
            case nil: break
            }
            switch size.y {
            case .points(let value): writer.field("y", value)
            case .percent(let value): writer.field("y%", value)
            case .after(let value): writer.field("y+", value)
            case .centre: writer.field("centrey", 0)
            case nil: break
            }
        }
    }
}
