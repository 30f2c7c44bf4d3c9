public import Backlot

/// Options to choose one of: ``multiValue(_:id:_:)`` for iOS clients, ``switchEnvironment(_:id:_:)`` for Android clients.
///
/// iOS clients store the option's id under the widget's.
///
/// Source: Dynamic Views documentation, MultiValue, and the public source of the Android client. Each client knows its own only.
public struct MultiValue: Widget, KeyedWidget {
    /// The name in interactions, and the key under which the app stores the option's id; no other widget may have it.
    public let id: String
    /// The text's localisation key.
    public let text: String
    /// The options, from top to bottom.
    public let values: [Option]
    /// The space around it.
    public var padding: Padding?
    /// What interactions with it do.
    public var handlers = WidgetHandlers()
    private let isForAndroid: Bool

    /// `multiValue`, or `snabble.switchEnvironment`.
    public var type: StaticString { isForAndroid ? "snabble.switchEnvironment" : "multiValue" }

    init(id: String, text: String, values: [Option], isForAndroid: Bool = false) {
        self.id = id
        self.text = text
        self.values = values
        self.isForAndroid = isForAndroid
    }

    init(_ object: DocumentObject, isForAndroid: Bool) throws(DocumentError) {
        self.isForAndroid = isForAndroid
        id = try object.requiredString("id")
        text = try object.requiredString("text")
        if !isForAndroid { _ = try object.required("values", object.value("values")) }
        values = try object.list("values") { reader throws(DocumentError) in try Option(reader) }
    }

    static let vocabulary = Kind(
        MultiValue(id: "", text: "", values: []),
        "Options to choose one of.",
        support: .on("ios"),
        instead: "Write snabble.switchEnvironment for Android clients, or leave it out."
    )

    /// The same for Android clients, some versions of which need its options.
    static let environmentVocabulary = Kind(
        MultiValue(id: "", text: "", values: [], isForAndroid: true),
        "Environments to choose one of.",
        support: .on("android"),
        instead: "Write multiValue for iOS clients, or leave it out."
    )

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    package func ownKeys(_ keys: inout some Keys) {
        keys.text(text)
        let values = keys("values", values)
        if isForAndroid {
            values.recommended("The environments, from top to bottom.", otherwise: [])
        } else {
            values.required("The options, from top to bottom.")
        }
    }

    /// The option that a stored value stands for: clients take an option's id, and its last dotted component too.
    func option(for value: String) -> Option? {
        values.first { $0.id == value } ?? values.first { $0.id.lastDottedComponent == value }
    }
}

extension MultiValue {
    /// One of the options.
    ///
    /// Source: Dynamic Views documentation, MultiValue, values.
    public struct Option: Sendable, Equatable, KeyedObject {
        /// The value that the app stores; its last dotted component differs from those of the other options.
        public let id: String
        /// The text's localisation key.
        public let text: String

        init(id: String, text: String) {
            self.id = id
            self.text = text
        }

        fileprivate init(_ object: DocumentObject) throws(DocumentError) {
            id = try object.requiredString("id")
            text = try object.requiredString("text")
        }

        package var wireName: StaticString { "option" }
        package static var roles: [Role] { [.option] }
        static let vocabulary = Kind(Option(id: "", text: ""), "One of the options of a multiValue.")

        package func keys(_ keys: inout some Keys) {
            keys("id", id).required(
                "The value that the app stores; its last dotted component differs from those of the other options."
            )
            keys.text(text)
        }
    }
}

/// Makes a ``MultiValue``.
///
/// - Parameters:
///   - text: the text's localisation key.
///   - id: the name in interactions, and the key under which the app stores the option's id.
public func multiValue(
    _ text: String,
    id: String,
    @ListBuilder<MultiValue.Option> _ values: () -> [MultiValue.Option]
) -> MultiValue {
    MultiValue(id: id, text: text, values: values())
}

/// Makes a ``MultiValue`` with which Android clients choose among environments.
///
/// - Parameters:
///   - text: the text's localisation key.
///   - id: the name in interactions.
public func switchEnvironment(
    _ text: String,
    id: String,
    @ListBuilder<MultiValue.Option> _ values: () -> [MultiValue.Option]
) -> MultiValue {
    MultiValue(id: id, text: text, values: values(), isForAndroid: true)
}

/// Makes an option of a ``MultiValue``.
///
/// - Parameters:
///   - text: the text's localisation key.
///   - id: the value that the app stores.
public func option(_ text: String, id: String) -> MultiValue.Option {
    MultiValue.Option(id: id, text: text)
}

extension String {
    /// The part after the last dot; the whole text if it has none.
    var lastDottedComponent: String {
        split(separator: ".", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    }
}
