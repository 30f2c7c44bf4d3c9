public import BacklotJSON

/// Goes to a page and keeps the present one below it. It fails when that page is already on the stack.
///
/// Source: Applin documentation, Actions, push.
public struct Push: Action {
    /// The page's path, such as `/terms`.
    public let page: String

    /// `push`
    public var typ: StaticString { "push" }

    /// The page's path, such as `/terms`.
    public var argument: String? { page }

    /// Writes the fields after `typ` where actions are objects.
    public func encodeFields(into writer: inout JSONWriter) {
        writer.field("page", page)
    }
}

/// Makes a ``Push``.
///
/// - Parameter page: The page's path, such as `/terms`.
public func push(_ page: String) -> Push {
    Push(page: page)
}
