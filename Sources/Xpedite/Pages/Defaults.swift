public import Backlot

/// The look of all texts that follow in a session, unless a component has its own.
///
/// Source: Xpedite API reference, setDefaults.
public struct Defaults: Sendable, Equatable, KeyedObject {
    /// The font's family name.
    public var font: String?
    /// The font's size in points.
    public var fontsize: Int?
    /// The background, `#RRGGBB`.
    public var background: String?

    /// Defaults; the system's defaults replace what is nil.
    public init(font: String? = nil, fontsize: Int? = nil, background: String? = nil) {
        self.font = font
        self.fontsize = fontsize
        self.background = background
    }

    static let vocabulary = Kind(Defaults(), "The look of all texts that follow in a session.", noun: "\"setDefaults\"")

    package var wireName: StaticString { "setDefaults" }
    package static var roles: [Role] { [.defaults] }

    package func keys(_ keys: inout some Keys) {
        keys.font(font, fontsize)
        keys.background(background)
    }
}

extension Role {
    static let defaults = Role("setDefaults", hasStep: false)
}
