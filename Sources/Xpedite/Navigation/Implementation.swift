import Backlot
import BacklotJSON

/// How a menu comes onto the screen.
///
/// Source: Xpedite API reference, component-navigation, implementation keys.
public struct Implementation: Sendable, Equatable {
    /// What the menu is.
    public enum Style: String, Sendable {
        /// A button of the navigation bar.
        case button
        /// A panel that slides in from the edge.
        case slidefrom
    }

    /// At which side it is.
    public enum Side: String, Sendable {
        /// At the left.
        case left
        /// At the right.
        case right
    }

    /// What the menu is.
    public let style: Style
    /// At which side it is.
    public let position: Side
    /// The SF Symbol on the button.
    public let icon: String?
    /// The picture on the button, by its id on the device. It goes before the icon.
    public let image: String?

    /// A way onto the screen.
    public init(_ style: Style, _ position: Side, icon: String? = nil, image: String? = nil) {
        self.style = style
        self.position = position
        self.icon = icon
        self.image = image
    }

    init(_ wire: WireReader) throws(WireError) {
        style = try wire.required("style", try wire.name("style", Style.init(rawValue:)))
        position = try wire.required("position", try wire.name("position", Side.init(rawValue:)))
        icon = try wire.string("icon")
        image = try wire.string("image")
    }

    func encode(into writer: inout JSONWriter) {
        writer.object {
            $0.field("style", style.rawValue)
            $0.field("position", position.rawValue)
            $0.field("icon", icon)
            $0.field("image", image)
        }
    }
}
