public import Backlot

/// A button with a chevron. People expect it to lead to another page.
///
/// Source: Applin documentation, Widgets, nav_button.
public struct NavButton: Widget, KeyedObject {
    /// The text on the button. It must contain more than white space.
    public let text: String
    private var content: ButtonContent<Details>

    private struct Details {
        var subText: String?
        var badgeText: String?
        var photoURL: String?
    }

    /// The actions of a tap. They run in this order until one fails. An empty list disables the button.
    public var actions: [any Action] { content.actions }

    /// `nav_button`
    public var typ: StaticString { "nav_button" }

    init(text: String, actions: [any Action]) {
        self.text = text
        content = ButtonContent(actions)
    }

    static let vocabulary = Kind(
        NavButton(text: "", actions: []),
        "A button with a chevron, which leads to another page."
    )

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        let details = content.details ?? Details()
        keys.buttonText(text)
        keys("sub_text", details.subText).optional("A smaller text under the button's text.")
        keys("badge_text", details.badgeText).optional("A short text in a badge, such as a number of messages.")
        keys("photo_url", details.photoURL).optional(
            "A picture: a path below the base URL, one from the host's root after a slash, or an absolute URL."
        )
        keys.buttonActions(actions)
    }

    /// Shows a smaller text under the button's text.
    public consuming func subText(_ text: String?) -> NavButton { with { $0.subText = text } }

    /// Shows a short text in a badge, such as a number of messages.
    public consuming func badgeText(_ text: String?) -> NavButton { with { $0.badgeText = text } }

    /// Shows a PNG or JPEG: a path below the app's base URL (`image.png`), one from the host's root (`/travel/image.png`), or an absolute URL.
    public consuming func photoURL(_ url: String?) -> NavButton { with { $0.photoURL = url } }

    private consuming func with(_ change: (inout Details) -> Void) -> NavButton {
        var details = content.details ?? Details()
        change(&details)
        content.details = details
        return consume self
    }
}

/// Makes a ``NavButton`` with few actions.
///
/// ```swift
/// navButton("Terms", push("/terms")).subText("Updated in May").badgeText("1")
/// ```
public func navButton(
    _ text: String,
    _ first: any Action,
    _ second: (any Action)? = nil,
    _ more: any Action...
) -> NavButton {
    NavButton(text: text, actions: .init(first, second, more))
}

/// Makes a ``NavButton``; the braces may contain `if` and `for`. Empty braces disable the button.
///
/// ```swift
/// navButton("Members") {
///     if isMember { push("/members") }  // disabled for others
/// }
/// ```
public func navButton(_ text: String, @ActionListBuilder _ actions: () -> [any Action]) -> NavButton {
    NavButton(text: text, actions: actions())
}
