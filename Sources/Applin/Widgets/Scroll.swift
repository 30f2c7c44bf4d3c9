public import Backlot

/// A widget that may be taller than the screen. Dragging it down polls the page.
///
/// Source: Applin documentation, Widgets, scroll.
public struct Scroll: Widget, KeyedObject {
    /// The widget inside.
    public let widget: any Widget
    var pullToRefresh: Bool?

    /// `scroll`
    public var typ: StaticString { "scroll" }

    /// The widget inside.
    public var children: [any Widget] { [widget] }

    static let vocabulary = Kind(Scroll(widget: Empty()), "A widget that may be taller than the screen.")

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys("pull_to_refresh", pullToRefresh).optional(
            "Whether dragging down polls the page.",
            default: true,
            support: .since("0.15")
        )
        keys("widget", widget).required("The widget inside.")
    }

    /// Says whether dragging down polls the page. Without it, it does.
    public consuming func pullToRefresh(_ pullToRefresh: Bool?) -> Scroll {
        changing(self) { $0.pullToRefresh = pullToRefresh }
    }
}

/// Makes a ``Scroll`` with exactly one widget inside.
///
/// ```swift
/// navPage("Terms") { scroll { text("Be kind.") } }
/// ```
public func scroll(@SingleWidgetBuilder _ widget: () -> any Widget) -> Scroll {
    Scroll(widget: widget())
}
