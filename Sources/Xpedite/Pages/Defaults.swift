import Backlot
import BacklotJSON

/// The look of all texts that follow in a session, unless a component has its own.
///
/// Source: Xpedite API reference, setDefaults.
public struct Defaults: Sendable, Equatable {
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

    func encode(into writer: inout JSONWriter) {
        writer.object {
            $0.field("font", font)
            $0.field("fontsize", fontsize)
            $0.field("background", background)
        }
    }
}

extension Defaults {
    static let vocabulary = Kind(
        "setDefaults",
        as: [.defaults],
        "The look of all texts that follow in a session.",
        noun: "\"setDefaults\"",
        keys: [.font, .fontsize, .background]
    )
}

extension Role {
    static let defaults = Role("setDefaults", hasStep: false)
}
