public import Backlot

/// A page without a title bar and a back button, such as the first one of an app.
///
/// Source: Applin documentation, Pages, Plain Page.
public struct PlainPage: Page, Equatable, KeyedObject {
    /// The title; clients don't show it, but analytics tools get it.
    public let title: String?
    /// The widget that the page shows.
    public let widget: any Widget
    var poll: Duration?
    var ephemeral: Bool?

    /// `plain_page`
    public var typ: StaticString { "plain_page" }

    /// The one widget.
    public var children: [any Widget] { [widget] }

    static let vocabulary = Kind(
        PlainPage(title: nil, widget: Empty()),
        "A page without a title bar and a back button."
    )

    /// Writes the page as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys("title", title).optional("The title, which is not shown, but known to analytics tools.")
        keys.pollSeconds(poll)
        keys.ephemeral(ephemeral)
        keys("widget", widget).required("The widget that the page shows.")
    }

    /// Polls the page repeatedly while the app is in the foreground, and when the app comes back to it: the wire's `poll_seconds`.
    ///
    /// - Parameter interval: the time between two requests, in whole seconds, rounded up, at most 2³² − 1. For clients, zero means
    ///   never.
    public consuming func poll(every interval: Duration?) -> PlainPage { changing(self) { $0.poll = interval } }

    /// Keeps a client that restarts from coming back to this page, and to those above it.
    public consuming func ephemeral(_ ephemeral: Bool = true) -> PlainPage {
        changing(self) { $0.ephemeral = ephemeral }
    }
}

/// Makes a ``PlainPage`` with exactly one widget inside.
///
/// ```swift
/// plainPage("Welcome") {
///     column { text("Welcome"); button("Begin", replaceAll("/home")) }
/// }
/// ```
/// - Parameters:
///   - title: The title, which is not shown.
///   - poll: The time between two polls of the page: see ``PlainPage/poll(every:)``.
///   - ephemeral: Whether a client that restarts doesn't come back to the page.
///   - widget: The widget that the page shows.
public func plainPage(
    _ title: String? = nil,
    poll: Duration? = nil,
    ephemeral: Bool? = nil,
    @SingleWidgetBuilder _ widget: () -> any Widget
) -> PlainPage {
    PlainPage(title: title, widget: widget(), poll: poll, ephemeral: ephemeral)
}
