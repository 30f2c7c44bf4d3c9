public import BacklotJSON

/// The back button of a nav page, with actions of its own instead of `pop`.
///
/// It can only be a nav page's ``NavPage/start(_:)``. Clients then disable the swipe-back gesture on iOS. When an action
/// fails the page stays: people must have another way out.
///
/// Source: Applin documentation, Widgets, back_button.
public struct BackButton: NavPageStart {
    /// What a tap does, in this order, up to the first failure. None: the button is disabled.
    public let actions: [any Action]

    /// `back_button`
    public var typ: StaticString { "back_button" }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.object(typ: typ) {
            $0.field("actions", actions)
        }
    }
}

/// Makes a ``BackButton``; with empty braces it is disabled.
public func backButton(@ActionListBuilder _ actions: () -> [any Action]) -> BackButton {
    BackButton(actions: actions())
}
