public import BacklotJSON

/// A part of a page: something to see, to tap, or to fill in.
///
/// A widget is a small value. The DSL function of its wire name makes one (`textfield("name")` makes a ``TextField``): what
/// the wire requires is an argument, what it doesn't is a modifier (`.label("Username")`). A modifier ends in
/// `return consume self`: with `self` alone the widget is copied, and every string in it counted twice.
///
/// Source: Applin documentation, Widgets.
public protocol Widget: WidgetListPart, Sendable {
    /// The widget's name on the wire, such as `form_button`.
    var typ: StaticString { get }

    /// The widgets directly inside this one, in the order in which they are shown.
    var children: [any Widget] { get }

    /// Writes the widget as one JSON object.
    func encode(into writer: inout JSONWriter)
}

extension Widget {
    /// Empty for most widgets.
    public var children: [any Widget] { [] }
}

extension JSONWriter {
    /// Writes a page or widget: an object that begins with its `typ`.
    @inline(__always)
    mutating func object(typ: StaticString, _ members: (inout JSONWriter) -> Void = { _ in }) {
        object(startingWith: "typ", typ, members)
    }

    /// Writes a field that holds one widget.
    @inline(__always)
    mutating func field(_ key: StaticString, _ widget: any Widget) {
        self.key(key)
        widget.encode(into: &self)
    }

    /// Writes a field that holds widgets.
    @inline(__always)
    mutating func field(_ key: StaticString, _ widgets: [any Widget]) {
        array(key) { writer in
            for index in widgets.indices {  // `for widget in widgets` would retain and release each of them
                widgets[index].encode(into: &writer)
            }
        }
    }
}
