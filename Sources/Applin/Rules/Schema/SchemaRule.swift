/// The names of the findings that come from comparing a document with its schemas.
enum SchemaRule {
    /// The document is no object with a page.
    static let notAPage = "not-a-page"
    /// A page, widget or action doesn't say what it is.
    static let missingTyp = "missing-typ"
    /// No client knows such a page or widget.
    static let unknownTyp = "unknown-typ"
    /// No client knows such an action.
    static let unknownAction = "unknown-action"
    /// An action in the form of a string has too much or too little after its name.
    static let malformedAction = "malformed-action"
    /// An action is written as the other dialect's clients want it, or only they know it.
    static let actionOfOtherDialect = "action-of-other-dialect"
    /// Only clients of the other dialect know such a widget.
    static let widgetOfOtherDialect = "widget-of-other-dialect"
    /// Only clients of the other dialect read such a key.
    static let keyOfOtherDialect = "key-of-other-dialect"
    /// A key is missing without which every client rejects the page.
    static let missingKey = "missing-key"
    /// A key is missing without which some client rejects the page.
    static let missingRecommendedKey = "missing-recommended-key"
    /// No client reads such a key.
    static let unknownKey = "unknown-key"
    /// A value has a type that clients don't expect.
    static let wrongType = "wrong-type"
    /// A number is negative, too large, or has a fraction where that can't be.
    static let numberOutOfRange = "number-out-of-range"
    /// Clients don't know such a value of an enumeration.
    static let unknownValue = "unknown-value"
    /// `null` stands in an array.
    static let nullInArray = "null-in-array"
}
