public import Backlot

/// Nothing: it can't be seen and takes no room. As a nav page's ``NavPage/start(_:)`` it removes the back button.
///
/// Source: Applin documentation, Widgets, empty.
public struct Empty: Widget, NavPageStart, KeyedObject {
    /// `empty`
    public var typ: StaticString { "empty" }

    static let vocabulary = Kind(Empty(), "Nothing: it can't be seen and takes no room.")

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    package func keys(_ keys: inout some Keys) {}
}

/// Makes an ``Empty``.
///
/// ```swift
/// scroll {
///     if hasVoted { text("Thank you.") } else { empty() }
/// }
/// ```
public func empty() -> Empty {
    Empty()
}
