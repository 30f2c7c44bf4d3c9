internal import Backlot
public import BacklotJSON

/// Nothing: it can't be seen and takes no room. As a nav page's ``NavPage/start(_:)`` it removes the back button.
///
/// Source: Applin documentation, Widgets, empty.
public struct Empty: NavPageStart {
    /// `empty`
    public var typ: StaticString { "empty" }

    /// Writes the widget as one JSON object.
    public func encode(into writer: inout JSONWriter) {
        writer.object(typ: typ)
    }
}

extension Empty {
    static let vocabulary = Kind(
        "empty",
        as: [.widget],
        "Nothing: it can't be seen and takes no room."
    )
}

/// Makes an ``Empty``.
public func empty() -> Empty {
    Empty()
}
