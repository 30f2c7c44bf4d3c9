public import Backlot

/// A part of a page: something to see, to tap, or to fill in.
///
/// A widget is a small value. The DSL function of its wire name makes one (`textfield("Username", varName: "username")` makes a
/// ``TextField``): its label or text comes first, keys that the wire requires are arguments, all others are modifiers
/// (`.maxLines(1)`). A modifier ends in `return consume self`: `self` without `consume` would copy the widget, and retain every
/// string in it.
///
/// Source: Applin documentation, Widgets.
public protocol Widget: WidgetListPart, Sendable {
    /// The widget's name on the wire, such as `form_button`.
    var typ: StaticString { get }

    /// The widgets directly inside this one, in the order on the screen.
    var children: [any Widget] { get }

    /// Writes the widget as one JSON object.
    func encode(into writer: inout JSONWriter)
}

extension Widget {
    /// Empty for most widgets.
    public var children: [any Widget] { [] }
}

extension KeyedObject where Self: Widget {
    package var wireName: StaticString { typ }
    package static var roles: [Role] { [.widget] }
}

extension JSONWriter {
    /// Writes a page or widget: an object that begins with its `typ`.
    @inline(__always)
    mutating func write(_ part: some KeyedObject) {
        object(startingWith: "typ", part.wireName) { part.keys(&$0) }
    }

    /// Writes a field that holds one widget.
    @inline(__always)
    mutating func field(_ key: StaticString, _ widget: any Widget) {
        self.key(key)
        widget.encode(into: &self)
    }
}

extension KeyVisitor where Self: ~Copyable {
    /// A key with one widget.
    @inline(__always)
    mutating func callAsFunction(_ name: StaticString, _ widget: any Widget) -> KeyDeclaration {
        self(name, .object(.widget)) { $0.field($1, widget) }
    }

    /// A key with widgets.
    @inline(__always)
    mutating func callAsFunction(_ name: StaticString, _ widgets: [any Widget]) -> KeyDeclaration {
        self(name, .objects(.widget)) {
            $0.array($1) { writer in
                for index in widgets.indices {  // `for widget in widgets` would retain and release each of them
                    widgets[index].encode(into: &writer)
                }
            }
        }
    }
}
