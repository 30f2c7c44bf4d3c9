public import Backlot

/// The heading of the rows that follow.
///
/// Source: Xpedite API reference, Form field types, section.
public struct Section: FormField, KeyedPart {
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

    static let vocabulary = Kind(Section(title: ""), "The heading of the rows that follow.")

    /// Writes the field as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func ownKeys(_ keys: inout some Keys) {
        keys("title", title).required("The heading.")
    }
}

/// Makes a ``Section``.
///
/// ```swift
/// form(id: "customer") {
///     section("Address")
///     textbox(name: "street").title("Street")
/// }
/// ```
public func section(_ title: String) -> Section {
    Section(title: title)
}
