import Backlot
import BacklotJSON

/// Where a component stands and how large it is. What is nil is the client's to choose.
///
/// Source: Xpedite API reference, Size specification.
public struct Size: Sendable, Equatable {
    /// How wide it is.
    public var width: Length?
    /// How high it is.
    public var height: Length?
    /// Where its left edge is.
    public var x: Position?
    /// Where its upper edge is.
    public var y: Position?

    /// A size; nothing that is given contradicts anything else.
    public init(width: Length? = nil, height: Length? = nil, x: Position? = nil, y: Position? = nil) {
        self.width = width
        self.height = height
        self.x = x
        self.y = y
    }
}

extension Size {
    init(_ wire: WireReader) throws(WireError) {
        width = try Self.length("width", "width%", "relative-width%", wire)
        height = try Self.length("height", "height%", "relative-height%", wire)
        x = try Self.position("x", "x%", "x+", SizeKey.centreX, wire)
        y = try Self.position("y", "y%", "y+", SizeKey.centreY, wire)
    }

    private static func length(
        _ points: String,
        _ percent: String,
        _ relative: String,
        _ wire: WireReader
    ) throws(WireError) -> Length? {
        if let value = try wire.number(points) { return .points(value) }
        if let value = try wire.number(percent) { return .percent(value) }
        return try wire.number(relative).map(Length.relative)
    }

    private static func position(
        _ points: String,
        _ percent: String,
        _ after: String,
        _ centre: [String],
        _ wire: WireReader
    ) throws(WireError) -> Position? {
        if let value = try wire.number(points) { return .points(value) }
        if let value = try wire.number(percent) { return .percent(value) }
        if let value = try wire.number(after) { return .after(value) }
        return centre.contains { wire.object[$0] != nil } ? .centre : nil
    }
}

/// The keys of a size that say the same thing.
enum SizeKey {
    static let width = ["width", "width%", "relative-width%"]
    static let height = ["height", "height%", "relative-height%"]
    static let centreX = ["centrex", "center-x", "centre-x", "centerx"]
    static let centreY = ["centrey", "center-y", "centre-y", "centery"]
    static let x = ["x", "x%", "x+"] + centreX
    static let y = ["y", "y%", "y+"] + centreY
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
