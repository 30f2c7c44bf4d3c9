public import BacklotJSON

/// Goes to a page and removes all others from the stack, for example after a login.
///
/// Source: Applin documentation, Actions, replace_all.
public struct ReplaceAll: Action {
    /// The page's path, such as `/`.
    public let page: String

    /// `replace_all`
    public var typ: StaticString { "replace_all" }

    /// The page's path, such as `/`.
    public var argument: String? { page }

    /// Writes the fields after `typ` where actions are objects.
    public func encodeFields(into writer: inout JSONWriter) {
        writer.field("page", page)
    }
}

/// Makes a ``ReplaceAll``.
///
/// - Parameter page: The page's path, such as `/`.
public func replaceAll(_ page: String) -> ReplaceAll {
    ReplaceAll(page: page)
}
