import Backlot
import BacklotJSON

/// How texts look in all that follows in a session, unless a component says otherwise.
///
/// Source: Xpedite API reference, setDefaults.
public struct Defaults: Sendable, Equatable {
    /// The font's family name.
    public var font: String?
    /// The font's size in points.
    public var fontsize: Int?
    /// The background, `#RRGGBB`.
    public var background: String?

    /// Defaults; what is nil stays the system's.
    public init(font: String? = nil, fontsize: Int? = nil, background: String? = nil) {
        self.font = font
        self.fontsize = fontsize
        self.background = background
    }

    init(_ wire: WireReader) throws(WireError) {
        font = try wire.string("font")
        fontsize = try wire.integer("fontsize")
        background = try wire.string("background")
    }

    func encode(into writer: inout JSONWriter) {
        writer.object {
            $0.field("font", font)
            $0.field("fontsize", fontsize)
            $0.field("background", background)
        }
    }
}
