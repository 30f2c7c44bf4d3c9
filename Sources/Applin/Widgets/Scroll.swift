internal import Backlot
public import BacklotJSON

/// A widget that may be taller than the screen. Dragging it down polls the page.
///
/// Source: Applin documentation, Widgets, scroll.
public struct Scroll: Widget {
    /// The widget inside.
    public let widget: any Widget
    var pullToRefresh: Bool?

    /// `scroll`
    public var typ: StaticString { "scroll" }

    /// The widget inside.
    public var children: [any Widget] { [widget] }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.object(typ: typ) {
            $0.field("pull_to_refresh", pullToRefresh)
            $0.field("widget", widget)
        }
    }

    /// Says whether dragging down polls the page. Without it, it does.
    public consuming func pullToRefresh(_ pullToRefresh: Bool?) -> Scroll {
        changing(self) { $0.pullToRefresh = pullToRefresh }
    }
}

extension Scroll {
    static let vocabulary = Kind(
        "scroll",
        as: [.widget],
        "A widget that may be taller than the screen.",
        keys: [
            .optional(
                "pull_to_refresh",
                .bool,
                "Whether dragging down polls the page.",
                default: true,
                support: .since("0.15")
            ),
            .required("widget", .object(.widget), "The widget inside."),
        ]
    )
}

/// Makes a ``Scroll`` with exactly one widget inside.
public func scroll(@SingleWidgetBuilder _ widget: () -> any Widget) -> Scroll {
    Scroll(widget: widget())
}
