public import Backlot

/// A page with a title bar and a back button.
///
/// Source: Applin documentation, Pages, Nav Page.
public struct NavPage: Page, Equatable, KeyedObject {
    /// The title, shown in the title bar.
    public let title: String
    /// The widget that the page shows.
    public let widget: any Widget
    /// At most one widget. An array takes one word to copy, an optional would take five.
    var start: [any NavPageStart] = []
    /// At most one widget.
    var end: [any Widget] = []
    var poll: Duration?
    var ephemeral: Bool?

    /// `nav_page`
    public var typ: StaticString { "nav_page" }

    /// The widget and the end.
    public var children: [any Widget] { [widget] + end }

    static let vocabulary = Kind(NavPage(title: "", widget: Empty()), "A page with a title bar and a back button.")

    /// Writes the page as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys("title", title).required("The title, shown in the title bar.")
        keys("start", .object(.widget, only: ["back_button", "empty"])) {
            for index in start.indices {
                $0.key($1)
                start[index].encode(into: &$0)
            }
        }
        .optional(
            "A back_button with actions, or empty for no back button; without the key, the back button pops the page."
        )
        keys("end", .object(.widget)) {
            for index in end.indices { $0.field($1, end[index]) }
        }
        .optional("A widget at the other end of the title bar, which clients never show.")
        keys.pollSeconds(poll)
        keys.declare([.unwritten("stream", .bool, "Stops polling; nothing is streamed.")])
        keys.ephemeral(ephemeral)
        keys("widget", widget).required("The widget that the page shows.")
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

    /// Polls the page repeatedly while the app is in the foreground, and when the app comes back to it: the wire's `poll_seconds`.
    ///
    /// - Parameter interval: the time between two requests, in whole seconds, rounded up, at most 2³² − 1. For clients, zero means
    ///   never.
    public consuming func poll(every interval: Duration?) -> NavPage { changing(self) { $0.poll = interval } }

    /// Keeps a client that restarts from coming back to this page, and to those above it.
    public consuming func ephemeral(_ ephemeral: Bool = true) -> NavPage { changing(self) { $0.ephemeral = ephemeral } }
}

/// The widgets that can be at the start of a nav page's title bar: ``BackButton`` or ``Empty``. Clients reject a page with any other.
public protocol NavPageStart: Sendable {
    /// Writes the page as one JSON object.
    func encode(into writer: inout JSONWriter)
}

/// Makes a ``NavPage`` with exactly one widget inside.
///
/// ```swift
/// navPage("Clock", poll: .seconds(1)) { text("12:00") }
/// navPage("Note", start: backButton(rpc("/save"), pop())) { text("Saved when you go back.") }
/// ```
/// - Parameters:
///   - title: The title, shown in the title bar.
///   - poll: The time between two polls of the page: see ``NavPage/poll(every:)``.
///   - ephemeral: Whether a client that restarts doesn't come back to the page.
///   - start: Replaces the back button with `backButton(…)`, or removes it with `empty()`: see ``NavPage/start(_:)``.
///   - widget: The widget that the page shows.
public func navPage(
    _ title: String,
    poll: Duration? = nil,
    ephemeral: Bool? = nil,
    start: (any NavPageStart)? = nil,
    @SingleWidgetBuilder _ widget: () -> any Widget
) -> NavPage {
    NavPage(title: title, widget: widget(), start: start.map { [$0] } ?? [], poll: poll, ephemeral: ephemeral)
}

/// Makes a ``NavPage`` with a form that scrolls: one widget below the other, with lines between them.
///
/// It is short for `navPage("Title") { scroll { form { … } } }`, and takes the same parameters.
///
/// ```swift
/// formPage("New note") {
///     textfield("Title", varName: "title")
///     formButton("Save", rpc("/save"), pop(), poll())
/// }
/// ```
public func formPage(
    _ title: String,
    poll: Duration? = nil,
    ephemeral: Bool? = nil,
    start: (any NavPageStart)? = nil,
    @WidgetListBuilder _ widgets: () -> [any Widget]
) -> NavPage {
    navPage(title, poll: poll, ephemeral: ephemeral, start: start) { Scroll(widget: Form(widgets: widgets())) }
}

/// Makes a ``NavPage`` with a column that scrolls: one widget below the other, without lines.
///
/// It is short for `navPage("Title") { scroll { column { … } } }`, and takes the same parameters.
///
/// ```swift
/// listPage("Plots", poll: .seconds(30)) {
///     for id in 1...9 { navButton("Plot \(id)", push("/plots/\(id)")) }
/// }
/// ```
public func listPage(
    _ title: String,
    poll: Duration? = nil,
    ephemeral: Bool? = nil,
    start: (any NavPageStart)? = nil,
    @WidgetListBuilder _ widgets: () -> [any Widget]
) -> NavPage {
    navPage(title, poll: poll, ephemeral: ephemeral, start: start) { Scroll(widget: Column(widgets: widgets())) }
}
