public import BacklotJSON

// The builder of lists comes with this module: pages need no import of Backlot for it.
@_exported public import enum Backlot.ListBuilder

/// A part of a document: something to see or to tap.
///
/// A widget is a small value. The function of its wire name makes one (``text(_:id:)`` makes a ``Text``, ``startShopping(id:)``
/// the widget `snabble.startShopping`): what clients need is an argument, what they don't is a modifier (`.textStyle("title")`).
///
/// Source: Dynamic Views documentation, Widget Reference.
public protocol Widget: Padded {
    /// What interactions call the widget; unique among those beside it.
    var id: String { get }

    /// The widget's name on the wire, such as `snabble.startShopping`.
    var type: StaticString { get }

    /// The widgets directly inside this one, in their order.
    var children: [any Widget] { get }

    /// Writes the widget as one JSON object.
    func encode(into writer: inout JSONWriter)
}

extension Widget {
    /// Most widgets have none inside.
    public var children: [any Widget] { [] }
}

extension JSONWriter {
    /// Writes a widget: its type, its id, its own members, its padding.
    mutating func widget(_ widget: some Widget, _ members: (inout JSONWriter) -> Void = { _ in }) {
        object(startingWith: "type", widget.type) { writer in
            writer.field("id", widget.id)
            members(&writer)
            writer.padding(widget.padding)
        }
    }

    /// Writes a field that holds widgets.
    mutating func field(_ key: StaticString, _ widgets: [any Widget]) {
        array(key) { writer in
            for index in widgets.indices { widgets[index].encode(into: &writer) }
        }
    }
}
