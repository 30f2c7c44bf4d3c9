public import Backlot

/// The app's version. Five taps on it lead to a dialog that turns developer mode on.
///
/// Source: Dynamic Views documentation, Version, which calls it `version`. The public sources of both clients only know
/// `snabble.version`.
///
/// ```swift
/// document { section("Profile.header", id: "settings") { version(id: "version") } }
/// ```
public struct Version: Widget, KeyedWidget {
    /// The name in interactions.
    public let id: String
    /// The space around the widget.
    public var padding: Padding?
    /// The handlers of the widget's interactions.
    public var handlers = WidgetHandlers()

    /// `snabble.version`
    public var type: StaticString { "snabble.version" }

    static let vocabulary = Kind(
        Version(id: ""),
        "The app's version.",
        formerNames: ["version": Kind.renamed("snabble.version")]
    )

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    package func ownKeys(_ keys: inout some Keys) {}
}

extension Version {
    init(_ object: DocumentObject) throws(DocumentError) {
        self.init(id: try object.requiredString("id"))
    }

    /// The widget in the documentation's spelling, which this library reads but never writes.
    static let documentedVocabulary = Kind(
        "version",
        as: roles,
        "The app's version, as the documentation writes it; clients know `snabble.version` only.",
        support: .on("ios"),
        instead: vocabulary.formerNames["version"],
        misnomers: Kind.paddingMisnomers,
        keys: vocabulary.keys
    )
}

/// Makes a ``Version``.
///
/// ```swift
/// document { section("Profile.header", id: "settings") { version(id: "version") } }
/// ```
public func version(id: String) -> Version {
    Version(id: id)
}
