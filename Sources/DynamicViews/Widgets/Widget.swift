public import Backlot

/// A part of a document: something to see or to tap.
///
/// A widget is a small value. The function of its wire name makes one (``text(_:id:)`` makes a ``Text``, ``startShopping(id:)`` the
/// widget `snabble.startShopping`): keys that clients need are arguments, others are modifiers (`.textStyle("title")`).
///
/// Source: Dynamic Views documentation, Widget Reference.
///
/// ```swift
/// let title: any Widget = text("Dashboard.title", id: "title").textStyle(.title)
/// document { title }
/// ```
public protocol Widget: Padded {
    /// The name of the widget in interactions; unique among those beside it.
    var id: String { get }

    /// The widget's name on the wire, such as `snabble.startShopping`.
    var type: StaticString { get }

    /// The widgets directly inside this one, in their order.
    var children: [any Widget] { get }

    /// The handlers of the widget's interactions.
    var handlers: WidgetHandlers { get set }

    /// Writes the widget as one JSON object.
    func encode(into writer: inout JSONWriter)
}

extension Widget {
    /// Empty, since most widgets hold no others.
    public var children: [any Widget] { [] }
}

/// A widget that declares each of its keys once.
package protocol KeyedWidget: Widget, KeyedObject {
    /// Visits the keys that not every widget has.
    func ownKeys(_ keys: inout some Keys)
}

extension KeyedWidget {
    package var wireName: StaticString { type }
    package static var roles: [Role] { [.widget] }
    package static var misnomers: [String: String] { Kind.paddingMisnomers }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys("id", id).required("The name in interactions; unique among the widgets beside it.")
        ownKeys(&keys)
        keys.declare(Key.paddings)
        keys.write { $0.padding(padding) }
    }
}

extension Kind {
    static let leftOutForAndroid = "Leave it out for Android clients."
    static let leftOutForIOS = "Leave it out for iOS clients."
    static let paddingMisnomers = ["spacing": "Write \"padding\"."]
}

extension JSONWriter {
    /// Writes a widget: an object that begins with its type.
    mutating func write(_ widget: some KeyedWidget) {
        object(startingWith: "type", widget.type) { widget.keys(&$0) }
    }
}

extension KeyVisitor where Self: ~Copyable {
    var isForAndroid: Bool { Dialect(variant: variant).platform == .android }

    mutating func text(_ text: String) {
        self("text", text).required("The text, by its localisation key.", .text(.localisationKey))
    }

    /// A key with widgets.
    mutating func callAsFunction(_ name: StaticString, _ widgets: [any Widget]) -> KeyDeclaration {
        self(name, .objects(.widget)) {
            $0.array($1) { writer in
                for index in widgets.indices { widgets[index].encode(into: &writer) }
            }
        }
    }
}

extension DocumentObject {
    /// The widgets of a required array.
    func widgets(_ key: String, _ dialect: Dialect) throws(DocumentError) -> [any Widget] {
        try requiredList(key) { reader throws(DocumentError) in try reader.widget(dialect) }
    }

    /// The widget that the object describes, for clients of a dialect.
    private func widget(_ dialect: Dialect) throws(DocumentError) -> any Widget {
        var widget = try unpadded(dialect)
        widget.padding = try padding()
        return widget
    }

    private func unpadded(_ dialect: Dialect) throws(DocumentError) -> any Widget {
        let type = try requiredString("type")
        let kind = DynamicViewsVocabulary.all.kind(type, as: .widget)
        switch kind?.support.covers(dialect.audience) == true ? kind : nil {
        case Text.vocabulary?: return try Text(self)
        case Image.vocabulary?: return try Image(self)
        case Button.vocabulary?: return try Button(self)
        case Information.vocabulary?: return try Information(self, dialect)
        case Toggle.vocabulary?: return try Toggle(self)
        case Section.vocabulary?: return try Section(self, dialect)
        case Navigation.vocabulary?: return try Navigation(self)
        case MultiValue.vocabulary?: return try MultiValue(self, isForAndroid: false)
        case MultiValue.environmentVocabulary?: return try MultiValue(self, isForAndroid: true)
        case DeveloperMode.vocabulary?: return try DeveloperMode(self, dialect)
        case CustomerCard.vocabulary?: return try CustomerCard(self, dialect)
        case LastPurchases.vocabulary?: return try LastPurchases(self, dialect)
        case Version.vocabulary?, Version.documentedVocabulary?: return try Version(self)
        case let kind?:
            if let action = ActionWidget.actions.first(where: { $0.vocabulary == kind }) {
                return try ActionWidget(self, action)
            }
        case nil: break
        }
        throw error("type", "is a type that clients don't know: '\(type.excerpt)'")
    }
}
