import Backlot
import BacklotJSON

/// How a text looks. What is nil is as `setDefaults` says, or else as the system has it.
///
/// Source: Xpedite API reference, Common keys.
public struct TextStyle: Sendable, Equatable {
    /// The colour, `#RRGGBB`.
    public var color: String?
    /// The font's family name.
    public var font: String?
    /// The font's size in points.
    public var fontsize: Int?
    /// Where the text stands in its line.
    public var align: Align?

    /// The style that nothing has been said about.
    public init() {}
}

/// A component whose text has a style.
public protocol TextStyled: Sendable {
    /// How the text looks.
    var style: TextStyle { get set }
}

extension TextStyled {
    /// Colours the text: `#RRGGBB`.
    public consuming func color(_ color: String?) -> Self {
        style.color = color
        return consume self
    }

    /// Chooses the font, by its family name; an unknown one is the system's.
    public consuming func font(_ font: String?) -> Self {
        style.font = font
        return consume self
    }

    /// Chooses the font's size, in points.
    public consuming func fontsize(_ points: Int?) -> Self {
        style.fontsize = points
        return consume self
    }

    /// Aligns the text.
    public consuming func align(_ align: Align?) -> Self {
        style.align = align
        return consume self
    }
}

/// A component that has a background of its own.
public protocol Backed: Sendable {
    /// The background's colour, `#RRGGBB`; nil for the system's.
    var background: String? { get set }
}

extension Backed {
    /// Colours the background: `#RRGGBB`.
    public consuming func background(_ color: String?) -> Self {
        background = color
        return consume self
    }
}

extension TextStyle {
    init(_ wire: WireReader) throws(WireError) {
        let (color, colour) = (try wire.string("color"), try wire.string("colour"))
        self.color = color ?? colour
        font = try wire.string("font")
        fontsize = try wire.integer("fontsize")
        align = try wire.name("align", Align.init(wire:))
    }
}

extension JSONWriter {
    /// Writes the members of a style. The reference takes `colour` too; `color` is what goes out.
    mutating func style(_ style: TextStyle) {
        field("color", style.color)
        field("font", style.font)
        field("fontsize", style.fontsize)
        field("align", style.align?.rawValue)
    }
}
