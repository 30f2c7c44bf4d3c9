public import Backlot

/// Options for the user to choose from: ``multiValue(_:id:_:)`` for iOS clients, ``switchEnvironment(_:id:_:)`` for Android clients.
///
/// iOS clients store the chosen option's id under the widget's id.
///
/// Source: Dynamic Views documentation, MultiValue, and the public source of the Android client. Each client only knows its own
/// widget.
public struct MultiValue: Widget, KeyedWidget {
    /// The name in interactions, and the app's key for the chosen option's id; no other widget may have it.
    public let id: String
    /// The text's localisation key.
    public let text: String
    /// The options, from top to bottom.
    public let values: [Option]
    /// The space around the widget.
    public var padding: Padding?
    /// The handlers of the widget's interactions.
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

    /// The vocabulary for Android clients. Some versions need the options.
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

    /// The option for a stored value: clients match an option's id, and also its last dotted component.
    func option(for value: String) -> Option? {
        values.first { $0.id == value } ?? values.first { $0.id.lastDottedComponent == value }
    }
}

extension MultiValue {
    /// One of the options.
    ///
    /// Source: Dynamic Views documentation, MultiValue, values.
    public struct Option: Sendable, Equatable, KeyedObject {
        /// The value that the app stores. Its last dotted component must differ from the other options' last components.
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
/// ```swift
/// document {
///     multiValue("Profile.shop", id: "shop") {
///         option("Profile.north", id: "shop.north")
///         option("Profile.south", id: "shop.south")
///     }
///     .onChoice { option, request in print(option) }
/// }
/// ```
/// - Parameters:
///   - text: the text's localisation key.
///   - id: the name in interactions, and the app's key for the chosen option's id.
public func multiValue(
    _ text: String,
    id: String,
    @ListBuilder<MultiValue.Option> _ values: () -> [MultiValue.Option]
) -> MultiValue {
    MultiValue(id: id, text: text, values: values())
}

/// Makes a ``MultiValue`` for Android clients to choose among environments.
///
/// ```swift
/// document {
///     switchEnvironment("Profile.environment", id: "environment") {
///         option("Profile.testing", id: "environment.testing")
///         option("Profile.staging", id: "environment.staging")
///     }
/// }
/// ```
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
/// ```swift
/// multiValue("Profile.shop", id: "shop") { option("Profile.north", id: "shop.north") }
/// ```
/// - Parameters:
///   - text: the text's localisation key.
///   - id: the value that the app stores.
public func option(_ text: String, id: String) -> MultiValue.Option {
    MultiValue.Option(id: id, text: text)
}

extension String {
    /// The part after the last dot; the whole text if it has no dot.
    var lastDottedComponent: String {
        split(separator: ".", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    }
}
