public import Backlot

/// Widgets one below the other.
///
/// Source: Applin documentation, Widgets, column. The key on the wire is `align`: no client reads the documentation's `alignment`.
public struct Column: Widget, KeyedObject {
    /// The widgets, from top to bottom; the list may be empty.
    public let widgets: [any Widget]
    var align = Align.start
    var spacing: Double?

    /// `column`
    public var typ: StaticString { "column" }

    /// The widgets, from top to bottom.
    public var children: [any Widget] { widgets }

    static let vocabulary = Kind(
        Column(widgets: []),
        "Widgets one below the other.",
        misnomers: ["alignment": "Write \"align\", which is the key that clients read."]
    )

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys("align", align.rawValue).recommended(
            "The widgets' position in the column's width.",
            .align,
            otherwise: "start"
        )
        keys("spacing", spacing).optional(
            "The distance between two widgets, in device-independent pixels, 0 or more.",
            .float
        )
        keys("widgets", widgets).recommended("The widgets, from top to bottom.", otherwise: [])
    }

    /// Places the widgets in the column's width. By default, they are at the start.
    public consuming func align(_ align: Align) -> Column { changing(self) { $0.align = align } }

    /// Sets the distance between two widgets, in device-independent pixels, 0 or more.
    public consuming func spacing(_ pixels: Double?) -> Column { changing(self) { $0.spacing = pixels } }
}

/// Makes a ``Column``.
///
/// ```swift
/// column {
///     text("Monday")
///     text("9:00 to 17:00")
/// }
/// ```
public func column(@WidgetListBuilder _ widgets: () -> [any Widget]) -> Column {
    Column(widgets: widgets())
}

/// The position of a widget in the available width.
///
/// Source: Applin documentation, Widgets, column and form_button.
public enum Align: String, Sendable, CaseIterable {
    /// At the left side.
    case start
    /// In the middle.
    case center
    /// At the right side.
    case end
}

extension ValueType {
    /// The names of ``Align``.
    static let align = names(
        ["start": "At the left side.", "center": "In the middle.", "end": "At the right side."],
        ifUnknown: .warning("use their default")
    )
}
