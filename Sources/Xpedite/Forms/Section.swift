import Backlot
public import BacklotJSON

/// The heading of the rows that follow.
///
/// Source: Xpedite API reference, Form field types, section.
public struct Section: FormField {
    /// The heading.
    public let title: String
    /// Where it stands and how large it is.
    public var size: Size?
    /// What it is called.
    public var id: String?

    /// `section`
    public var type: StaticString { "section" }
    /// nil: a section has no value.
    public var name: String? { nil }

    init(title: String) { self.title = title }

    init(_ wire: WireReader) throws(WireError) {
        title = try wire.required("title", try wire.string("title"))
        size = try wire.size()
        id = try wire.string("id")
    }

    /// Writes the field as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.component(self) { $0.field("title", title) }
    }
}

/// Makes a ``Section``.
public func section(_ title: String) -> Section {
    Section(title: title)
}
