import Backlot
public import BacklotJSON

/// The app's version. Five taps on it lead to a dialog that turns developer mode on.
///
/// Source: Dynamic Views documentation, Version. Its type is spelled as the dialect says.
public struct Version: Widget {
    /// The name in interactions.
    public let id: String
    /// The space around it.
    public var padding: Padding?
    /// What interactions with it do.
    public var handlers = WidgetHandlers()

    /// `version`; for some dialects, `snabble.version` is written.
    public var type: StaticString { "version" }

    init(id: String) { self.id = id }

    init(_ wire: WireReader) throws(WireError) {
        id = try wire.requiredString("id")
        padding = try wire.padding()
    }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        guard writer.dialect.versionType == .prefixed else { return writer.widget(self) }
        writer.object(startingWith: "type", "snabble.version") {
            $0.field("id", id)
            $0.padding(padding)
        }
    }
}

extension Version {
    static let vocabulary = Kind.widget(
        "version",
        "The app's version.",
        support: .on("ios"),
        instead: "Write \"snabble.version\" for Android clients."
    )
    /// The same in the spelling of Android clients, which iOS clients read too.
    static let prefixedVocabulary = Kind.widget("snabble.version", "The app's version.")
}

/// Makes a ``Version``.
public func version(id: String) -> Version {
    Version(id: id)
}
