public import Backlot

/// The app's version. Five taps on it lead to a dialog that turns developer mode on.
///
/// Source: Dynamic Views documentation, Version. Its type is spelled as the dialect says.
public struct Version: Widget, KeyedWidget {
    /// The name in interactions.
    public let id: String
    /// The space around it.
    public var padding: Padding?
    /// What interactions with it do.
    public var handlers = WidgetHandlers()

    /// `version`; for some dialects, `snabble.version` is written.
    public var type: StaticString { "version" }

    static let vocabulary = Kind(
        Version(id: ""),
        "The app's version.",
        support: .on("ios"),
        instead: "Write \"snabble.version\" for Android clients."
    )

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        let type = writer.dialect.versionType == .prefixed ? "snabble.version" : type
        writer.object(startingWith: "type", type) { keys(&$0) }
    }

    package func ownKeys(_ keys: inout some Keys) {}
}

extension Version {
    init(_ wire: WireReader) throws(WireError) {
        self.init(id: try wire.requiredString("id"))
    }

    /// The same in the spelling of Android clients, which iOS clients read too.
    static let prefixedVocabulary = Kind(
        "snabble.version",
        as: roles,
        "The app's version.",
        misnomers: Kind.paddingMisnomers,
        keys: vocabulary.keys
    )
}

/// Makes a ``Version``.
public func version(id: String) -> Version {
    Version(id: id)
}
