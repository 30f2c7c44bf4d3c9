public import Backlot

/// A date to pick. Its value goes over the wire as `yyyy-MM-dd`.
///
/// Source: Xpedite API reference, Form field types, date.
public struct DateField: FormField, KeyedPart {
    /// The name under which clients send the field's value.
    public let name: String?
    var title: String?
    var value: String?
    /// The place and the size.
    public var size: Size?
    /// The name for error messages.
    public var id: String?

    /// `date`
    public var type: StaticString { "date" }

    static let vocabulary = Kind(DateField(name: ""), "A date to pick.", noun: "a date field")

    /// Writes the field as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func ownKeys(_ keys: inout some Keys) {
        keys.fieldName(name)
        keys.fieldTitle(title)
        keys("value", value).optional("The picked day.", .day, rule: "malformed-date")
    }

    /// Shows a text beside the date.
    public consuming func title(_ title: String?) -> DateField { changing(self) { $0.title = title } }

    /// Picks a day.
    public consuming func value(_ day: Day?) -> DateField { changing(self) { $0.value = day?.description } }

    /// Picks a day, written `yyyy-MM-dd`.
    public consuming func value(_ day: String?) -> DateField { changing(self) { $0.value = day } }
}

extension ValueType {
    fileprivate static let day = text(
        TextForm("a day of the calendar, written yyyy-MM-dd", example: "1990-06-15") { Day($0) != nil }
    )
}

/// Makes a ``DateField``.
///
/// ```swift
/// form(id: "customer") { date(name: "dob").title("Born") }
/// ```
/// - Parameter name: the name that its value is sent under.
public func date(name: String) -> DateField {
    DateField(name: name)
}
