public import Backlot

/// Widgets for developers, shown once developer mode is on.
///
/// Source: Dynamic Views documentation, Developer Mode. iOS clients ignore its padding, and Android clients don't know it.
public struct DeveloperMode: Widget, KeyedWidget {
    /// The name in interactions.
    public let id: String
    /// The widgets, from top to bottom.
    public internal(set) var items: [any Widget]
    /// The space around the widget.
    public var padding: Padding?
    /// The handlers of the widget's interactions.
    public var handlers = WidgetHandlers()

    /// `developerMode`
    public var type: StaticString { "developerMode" }
    /// The widgets, from top to bottom.
    public var children: [any Widget] { items }

    static let vocabulary = Kind(
        DeveloperMode(id: "", items: []),
        "Widgets for developers, shown once developer mode is on.",
        support: .on("ios"),
        instead: Kind.leftOutForAndroid
    )

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func ownKeys(_ keys: inout some Keys) {
        keys("items", items).required("The widgets, from top to bottom.")
    }
}

extension DeveloperMode {
    init(_ object: DocumentObject, _ dialect: Dialect) throws(DocumentError) {
        self.init(id: try object.requiredString("id"), items: try object.widgets("items", dialect))
    }
}

/// Makes a ``DeveloperMode``.
///
/// ```swift
/// document { developerMode(id: "developer") { toggle("Profile.logging", id: "logging", key: "logging") } }
/// ```
public func developerMode(id: String, @ListBuilder<any Widget> _ items: () -> [any Widget]) -> DeveloperMode {
    DeveloperMode(id: id, items: items())
}
