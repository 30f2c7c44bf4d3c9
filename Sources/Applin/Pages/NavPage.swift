internal import Backlot
public import BacklotJSON

/// A page with a title bar and a back button.
///
/// Source: Applin documentation, Pages, Nav Page.
public struct NavPage: Page {
    /// The title, shown in the title bar.
    public let title: String
    /// The widget that the page shows.
    public let widget: any Widget
    /// At most one widget. An array is one word to copy, where an optional would be five.
    var start: [any NavPageStart] = []
    /// At most one widget.
    var end: [any Widget] = []
    var poll: Duration?
    var ephemeral: Bool?

    /// `nav_page`
    public var typ: StaticString { "nav_page" }

    /// The start, the widget and the end.
    public var children: [any Widget] { start.map { $0 as any Widget } + [widget] + end }

    /// Writes the page as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.object(typ: typ) {
            $0.field("title", title)
            for index in start.indices { $0.field("start", start[index]) }
            for index in end.indices { $0.field("end", end[index]) }
            $0.field("poll_seconds", poll?.wholeSeconds)
            $0.field("ephemeral", ephemeral)
            $0.field("widget", widget)
        }
    }

    /// Replaces the back button: `.start { backButton { rpc("/save"); pop() } }`, or removes it: `.start { empty() }`.
    /// iOS clients then disable the swipe-back gesture.
    public consuming func start(_ start: () -> some NavPageStart) -> NavPage { changing(self) { $0.start = [start()] } }

    /// Not available: clients reject a page with any other widget at its start.
    @available(*, unavailable, message: "only a back button or nothing can be there: write backButton { … } or empty()")
    public consuming func start(_ start: () -> some Widget) -> NavPage { self }

    /// Puts a widget at the other end of the title bar. Clients up to 0.40 read it and don't show it.
    public consuming func end(@SingleWidgetBuilder _ end: () -> any Widget) -> NavPage {
        changing(self) { $0.end = [end()] }
    }

    /// Polls the page again and again while the app is in the foreground, and when the app comes back to it: the wire's
    /// `poll_seconds`.
    ///
    /// - Parameter interval: the time between two requests, in whole seconds, rounded up, at most 2³² − 1. Clients take zero
    ///   for never.
    public consuming func poll(every interval: Duration?) -> NavPage { changing(self) { $0.poll = interval } }

    /// Says that a client which starts again does not come back to this page, nor to those above it.
    public consuming func ephemeral(_ ephemeral: Bool = true) -> NavPage { changing(self) { $0.ephemeral = ephemeral } }
}

/// A widget that can be at the start of a nav page's title bar: ``BackButton`` or ``Empty``. Clients reject a page with
/// any other.
public protocol NavPageStart: Widget {}

extension NavPage {
    static let vocabulary = Kind(
        "nav_page",
        as: [.page],
        "A page with a title bar and a back button.",
        keys: [
            .required("title", .string, "The title, shown in the title bar."),
            .optional(
                "start",
                .object(.widget, only: ["back_button", "empty"]),
                "Replaces the back button, or removes it; without it, the back button pops the page."
            ),
            .optional("end", .object(.widget), "A widget at the other end of the title bar, which clients never show."),
            .pollSeconds,
            .unwritten("stream", .bool, "Stops polling; nothing is streamed."),
            .ephemeral,
            .required("widget", .object(.widget), "The widget that the page shows."),
        ]
    )
}

/// Makes a ``NavPage`` with exactly one widget inside.
public func navPage(_ title: String, @SingleWidgetBuilder _ widget: () -> any Widget) -> NavPage {
    NavPage(title: title, widget: widget())
}
