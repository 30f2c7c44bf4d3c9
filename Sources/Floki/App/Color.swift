import Backlot

/// A colour, as three numbers from 0 to 255.
///
/// Source: Floki server protocols, color_triplet.
public struct Color: Sendable, Hashable {
    /// The red component.
    public let red: UInt8
    /// The green component.
    public let green: UInt8
    /// The blue component.
    public let blue: UInt8

    /// Creates a colour.
    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// 0, 0, 0.
    public static let black = Color(0, 0, 0)
    /// 255, 255, 255.
    public static let white = Color(255, 255, 255)
    /// 0, 0, 255.
    public static let blue = Color(0, 0, 255)
    /// 128, 128, 128.
    public static let gray = Color(128, 128, 128)
    /// 192, 192, 192.
    public static let lightGray = Color(192, 192, 192)
    /// The background of a collapsed section: 126, 127, 127.
    public static let collapsedSection = Color(126, 127, 127)
    /// The background of an expanded section: 114, 149, 219.
    public static let expandedSection = Color(114, 149, 219)

    /// The colour on the wire.
    var json: JSONValue { .numbers([red, green, blue].map(Int.init)) }
}

extension Key {
    /// A key for a colour.
    ///
    /// - Parameter usual: the colour that clients assume without the key; nil for the view's colour.
    static func color(_ name: String, _ meaning: String, default usual: Color? = nil) -> Key {
        .optional(
            name,
            .array(.integer(0...255), .exactly([3])),
            meaning,
            default: usual?.json,
            rule: "malformed-color"
        )
    }
}
