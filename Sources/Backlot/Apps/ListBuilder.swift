/// Builds a list from the statements between braces: elements, `if`, `if let`, `switch`, `for`, and arrays of elements, which
/// are spliced in. Xpedite's pages, forms, menus and columns and the widgets of Dynamic Views are such lists.
@resultBuilder
public enum ListBuilder<Element> {
    /// One element.
    public static func buildExpression(_ element: Element) -> [Element] { [element] }

    /// Elements from another expression.
    public static func buildExpression(_ elements: [Element]) -> [Element] { elements }

    /// The statements of a block, which may be empty.
    public static func buildBlock(_ parts: [Element]...) -> [Element] { parts.flatMap(\.self) }

    /// `if` without `else`.
    public static func buildOptional(_ elements: [Element]?) -> [Element] { elements ?? [] }

    /// The branches of `if` with `else`, and of `switch`.
    public static func buildEither(first: [Element]) -> [Element] { first }

    /// The branches of `if` with `else`, and of `switch`.
    public static func buildEither(second: [Element]) -> [Element] { second }

    /// `for`.
    public static func buildArray(_ rounds: [[Element]]) -> [Element] { rounds.flatMap(\.self) }

    /// `if #available`.
    public static func buildLimitedAvailability(_ elements: [Element]) -> [Element] { elements }

    /// Not available: wrap the text in a widget.
    @available(
        *,
        unavailable,
        message: "a string can't stand here: write text(…), label(…) or another function around it"
    )
    public static func buildExpression(_ string: String) -> [Element] { [] }

    /// Not available: only elements of the list can stand here.
    @available(*, unavailable, message: "nothing is made here: write this statement before the braces")
    public static func buildExpression(_ nothing: Void) -> [Element] { [] }
}

/// Returns a changed copy of a value. Modifiers consist of it.
@inlinable @inline(__always)
package func changing<Value>(_ value: consuming Value, _ change: (inout Value) -> Void) -> Value {
    change(&value)
    return value
}
