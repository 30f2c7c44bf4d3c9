import Backlot

/// The look of a text. For nil values, `setDefaults` applies, otherwise the system's default.
///
/// Source: Xpedite API reference, Common keys.
public struct TextStyle: Sendable, Equatable {
    /// The colour, `#RRGGBB`.
    public var color: String?
    /// The font's family name.
    public var font: String?
    /// The font's size in points.
    public var fontsize: Int?
    /// The place of the text in its line.
    public var align: Align?

    /// Creates a style with only default values.
    public init() {}
}

/// The place of a text in its line.
///
/// Source: Xpedite API reference, align.
public enum Align: String, Sendable, CaseIterable {
    /// At the left.
    case left
    /// At the right.
    case right
    /// In the middle. Clients read `center` too; this library writes `centre`.
    case center = "centre"
    /// At both sides. Columns of tables don't have it.
    case justify

    /// In the middle.
    @available(*, deprecated, renamed: "center")
    public static let centre = Align.center
}

/// A colour of texts and backgrounds.
///
/// ```swift
/// extension Color {
///     static let brand: Color = "#0A5ACB"
/// }
///
/// label("Welcome").color(.brand)
/// ```
/// Source: Xpedite API reference, color and background.
public struct Color: Sendable, Hashable, ExpressibleByStringLiteral {
    /// `#RRGGBB`
    public let hex: String

    /// Creates a colour as `#RRGGBB`; rules report other texts.
    public init(stringLiteral hex: String) { self.hex = hex }

    /// Creates a colour from its three components.
    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        hex = [red, green, blue].reduce("#") { hex, part in
            let digits = String(part, radix: 16, uppercase: true)
            return hex + (digits.count == 1 ? "0" : "") + digits
        }
    }

    /// `#000000`
    public static let black: Color = "#000000"
    /// `#FFFFFF`
    public static let white: Color = "#FFFFFF"
}

/// A component with a style for its text.
public protocol TextStyled: Sendable {
    /// The look of the text.
    var style: TextStyle { get set }
}

extension TextStyled {
    /// Colours the text: `#RRGGBB`.
    public consuming func color(_ color: String?) -> Self { changing(self) { $0.style.color = color } }

    /// Colours the text.
    public consuming func color(_ color: Color) -> Self { self.color(color.hex) }

    /// Chooses the font by its family name; the system's font replaces an unknown one.
    public consuming func font(_ font: String?) -> Self { changing(self) { $0.style.font = font } }

    /// Chooses the font's size, in points.
    public consuming func fontsize(_ points: Int?) -> Self { changing(self) { $0.style.fontsize = points } }

}

/// A component with text that can be justified.
public protocol Aligned: TextStyled {}

extension Aligned {
    /// Aligns the text.
    public consuming func align(_ align: Align?) -> Self { changing(self) { $0.style.align = align } }
}

/// A component that can have a background.
public protocol Backed: Sendable {
    /// The background's colour, `#RRGGBB`; nil for the system's.
    var background: String? { get set }
}

extension Backed {
    /// Colours the background: `#RRGGBB`.
    public consuming func background(_ color: String?) -> Self { changing(self) { $0.background = color } }

    /// Colours the background.
    public consuming func background(_ color: Color) -> Self { self.background(color.hex) }
}

extension ValueType {
    /// `#RRGGBB`
    static let color = text(
        TextForm("a # and six hexadecimal digits, such as #FF8800", example: "#FF8800", rule: "malformed-color") {
            let bytes = Array($0.utf8)
            return bytes.count == 7 && bytes[0] == UInt8(ascii: "#")
                && bytes.dropFirst().allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        }
    )

    /// A text that names something; it isn't empty.
    static let filled = text(TextForm("a text that isn't empty", example: "name", rule: "empty-text") { !$0.isEmpty })
}

extension KeyVisitor where Self: ~Copyable {
    /// The keys of a text's style.
    mutating func style(_ style: TextStyle) {
        font(style)
        self("align", style.align?.rawValue).optional(
            "The place of the text in its line.",
            .names([
                "left": "At the left.", "right": "At the right.", "justify": "At both sides.",
                "center": "In the middle.", "centre": "In the middle.",
            ]),
            rule: "unknown-align"
        )
    }

    /// The keys of a text's style, without its alignment.
    mutating func font(_ style: TextStyle) {
        self("color", style.color).optional("The text's colour.", .color)
        declare([.unwritten("colour", .color, "The text's colour, in another spelling.")])
        font(style.font, style.fontsize)
    }

    mutating func font(_ font: String?, _ fontsize: Int?) {
        self("font", font).optional(
            "The font's family name or the name of a text style; the system's font replaces an unknown one.",
            .filled
        )
        self("fontsize", fontsize).optional("The font's size in points.", .integer(1...Int64.max))
    }

    mutating func background(_ color: String?) {
        self("background", color).optional("The background's colour.", .color)
    }
}
