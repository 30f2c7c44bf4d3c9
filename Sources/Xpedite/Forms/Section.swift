import Backlot
public import BacklotJSON

/// The heading of the rows that follow.
///
/// Source: Xpedite API reference, Form field types, section.
public struct Section: FormField {
    /// The heading.
    public let title: String
    /// The place and the size.
    public var size: Size?
    /// The name for error messages.
    public var id: String?

    /// `section`
    public var type: StaticString { "section" }
    /// nil: a section has no value.
    public var name: String? { nil }

    /// Writes the field as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.component(self) { $0.field("title", title) }
    }
}

extension Section {
    static let vocabulary = Kind(
        "section",
        as: [.field],
        "The heading of the rows that follow.",
        keys: .part([.required("title", .string, "The heading.")])
    )
}

/// Makes a ``Section``.
public func section(_ title: String) -> Section {
    Section(title: title)
}
