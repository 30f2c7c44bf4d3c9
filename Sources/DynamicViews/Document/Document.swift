public import Backlot

// The builder of lists comes with this module: documents need no import of Backlot for it.
@_exported public import enum Backlot.ListBuilder

/// The description of one screen of an app: a configuration, and widgets from top to bottom.
///
/// ```swift
/// document {
///     image("Dashboard/image", id: "1").padding(bottom: 16)
///     text("Dashboard.title", id: "2").textStyle(.title)
///     startShopping(id: "5").onTap { _, request in try await request.session.set(ShopKey.self, to: 7) }
/// }
/// .image("Dashboard/teaser").style(.scroll).padding(horizontal: 30, vertical: 16)
/// ```
/// Source: Dynamic Views documentation, JSON Configuration.
public struct Document: Padded, KeyedObject {
    /// The appearance of the document as a whole.
    public var configuration = Configuration()
    /// The widgets, from top to bottom.
    public var widgets: [any Widget]

    init(widgets: [any Widget]) { self.widgets = widgets }

    /// Reads a document as the clients of a dialect do. It leaves out keys that they ignore.
    ///
    /// Android clients refuse some documents that are read here, such as those without a padding: ``DynamicViewsRules`` finds them.
    ///
    /// - Throws: `DocumentError` with the location where clients stop reading.
    public init(_ value: JSONValue, dialect: Dialect = .ios) throws(DocumentError) {
        let object = try DocumentObject(value)
        configuration = try Configuration(object.required("configuration", try object.reader("configuration")))
        widgets = try object.widgets("widgets", dialect)
    }

    /// The space around all widgets.
    public var padding: Padding? {
        get { configuration.padding }
        set { configuration.padding = newValue }
    }

    /// The document as JSON for clients of a dialect, in UTF-8.
    public func bytes(for dialect: Dialect = .ios) -> [UInt8] {
        JSONWriter.document(capacity: 2048, dialect: dialect) { writer in
            writer.object { keys(&$0) }
        }
    }

    package var wireName: StaticString { "document" }
    package static var roles: [Role] { [.document] }
    static let vocabulary = Kind(
        Document(widgets: []),
        "The description of one screen: a configuration, and widgets from top to bottom."
    )

    package func keys(_ keys: inout some Keys) {
        keys("configuration", .object(.configuration)) { configuration.encode(into: &$0, $1) }
            .required("The appearance of the document as a whole; it may be {}.")
        keys("widgets", widgets).required("The widgets, from top to bottom.")
    }

    /// Shows a picture behind the widgets, by its name.
    public consuming func image(_ image: String?) -> Document { changing(self) { $0.configuration.image = image } }

    /// Chooses the layout of the widgets; scroll by default.
    public consuming func style(_ style: Configuration.Style?) -> Document {
        changing(self) { $0.configuration.style = style }
    }

    /// The document with a padding for each widget that lacks one. iOS clients ignore the padding of containers.
    func padded(by padding: Padding, for platform: Dialect.Platform) -> Document {
        var document = self
        document.widgets = Self.padded(widgets, padding, platform)
        return document
    }

    private static func padded(
        _ widgets: [any Widget],
        _ padding: Padding,
        _ platform: Dialect.Platform
    ) -> [any Widget] {
        widgets.map { widget in
            var widget = widget
            if var section = widget as? Section {
                section.items = padded(section.items, padding, platform)
                widget = section
            } else if var mode = widget as? DeveloperMode {
                mode.items = padded(mode.items, padding, platform)
                widget = mode
            }
            let ignoresPadding = platform == .ios && InteractionRouting.holdsOthers(widget)
            if widget.padding == nil, !ignoresPadding { widget.padding = padding }
            return widget
        }
    }

    /// Every widget, each before those inside it.
    var allWidgets: [any Widget] { Self.flat(widgets) }

    private static func flat(_ widgets: [any Widget]) -> [any Widget] {
        widgets.flatMap { [$0] + flat($0.children) }
    }
}

/// Makes a ``Document``.
///
/// ```swift
/// views.view("dashboard") { request in
///     document {
///         text("Dashboard.title", id: "title").textStyle(.title)
///         startShopping(id: "start")
///     }
///     .style(.scroll)
/// }
/// ```
public func document(@ListBuilder<any Widget> _ widgets: () -> [any Widget]) -> Document {
    Document(widgets: widgets())
}
