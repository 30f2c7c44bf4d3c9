internal import Backlot
public import BacklotJSON

/// A page without a title bar and a back button, such as the first one of an app.
///
/// Source: Applin documentation, Pages, Plain Page.
public struct PlainPage: Page {
    /// The title, which is not shown, but known to analytics tools.
    public let title: String?
    /// The widget that the page shows.
    public let widget: any Widget
    var poll: Duration?
    var ephemeral: Bool?

    /// `plain_page`
    public var typ: StaticString { "plain_page" }

    /// The one widget.
    public var children: [any Widget] { [widget] }

    /// Writes the page as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.object(typ: typ) {
            $0.field("title", title)
            $0.field("poll_seconds", poll?.wholeSeconds)
            $0.field("ephemeral", ephemeral)
            $0.field("widget", widget)
        }
    }

    /// Polls the page again and again while the app is in the foreground, and when the app comes back to it: the wire's
    /// `poll_seconds`.
    ///
    /// - Parameter interval: the time between two requests, in whole seconds, rounded up, at most 2³² − 1. Clients take zero
    ///   for never.
    public consuming func poll(every interval: Duration?) -> PlainPage { changing(self) { $0.poll = interval } }

    /// Says that a client which starts again does not come back to this page, nor to those above it.
    public consuming func ephemeral(_ ephemeral: Bool = true) -> PlainPage {
        changing(self) { $0.ephemeral = ephemeral }
    }
}

extension PlainPage {
    static let vocabulary = Kind(
        "plain_page",
        as: [.page],
        "A page without a title bar and a back button.",
        keys: [
            .optional("title", .string, "The title, which is not shown, but known to analytics tools."),
            .pollSeconds,
            .ephemeral,
            .required("widget", .object(.widget), "The widget that the page shows."),
        ]
    )
}

/// Makes a ``PlainPage`` with exactly one widget inside.
public func plainPage(_ title: String? = nil, @SingleWidgetBuilder _ widget: () -> any Widget) -> PlainPage {
    PlainPage(title: title, widget: widget())
}
