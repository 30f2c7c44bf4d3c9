public import Backlot

/// Goes to a page and keeps the present one below it. It fails when that page is already on the stack.
///
/// Source: Applin documentation, Actions, push.
public struct Push: Action, KeyedObject {
    /// The page's path, such as `/terms`.
    public let page: String

    /// `push`
    public var typ: StaticString { "push" }

    /// The page's path, such as `/terms`.
    public var argument: String? { page }

    static let vocabulary = Kind(Push(page: ""), "Goes to a page and keeps the present one below it.", argument: "page")

    /// Writes the fields after `typ`, if actions are objects.
    public func encodeFields(into writer: inout JSONWriter) { keys(&writer) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys("page", page).required("The page's path, such as /terms.")
    }
}

/// Makes a ``Push``.
///
/// ```swift
/// navButton("Terms", push("/terms"))
/// ```
/// - Parameter page: The page's path, such as `/terms`.
public func push(_ page: String) -> Push {
    Push(page: page)
}

/// Makes a ``Push`` to a page of the app.
///
/// ```swift
/// let terms = app.page("/terms") { _ in navPage("Terms") { text("Be kind.") } }
/// navButton("Terms", push(terms))
/// ```
public func push(_ page: PageRoute<Never>) -> Push { Push(page: page.path) }

/// Makes a ``Push`` to a page with a parameter in its path.
///
/// ```swift
/// let plot = app.page("/plots/{id}", id: Int.self) { id, _ in navPage("Plot \(id)") { text("Roses") } }
/// navButton("Plot 7", push(plot, id: 7))
/// ```
public func push<ID: RouteID>(_ page: PageRoute<ID>, id: ID) -> Push { Push(page: page.path(to: id)) }

/// Goes to a page and removes all others from the stack, for example after a login.
///
/// Source: Applin documentation, Actions, replace_all.
public struct ReplaceAll: Action, KeyedObject {
    /// The page's path, such as `/`.
    public let page: String

    /// `replace_all`
    public var typ: StaticString { "replace_all" }

    /// The page's path, such as `/`.
    public var argument: String? { page }

    static let vocabulary = Kind(
        ReplaceAll(page: ""),
        "Goes to a page and removes all others from the stack.",
        argument: "page"
    )

    /// Writes the fields after `typ`, if actions are objects.
    public func encodeFields(into writer: inout JSONWriter) { keys(&writer) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys("page", page).required("The page's path, such as /terms.")
    }
}

/// Makes a ``ReplaceAll``.
///
/// ```swift
/// formButton("Log in", rpc("/log_in"), replaceAll("/"))
/// ```
/// - Parameter page: The page's path, such as `/`.
public func replaceAll(_ page: String) -> ReplaceAll {
    ReplaceAll(page: page)
}

/// Makes a ``ReplaceAll`` with a page of the app.
///
/// ```swift
/// let home = PageRoute<Never>("/")
/// formButton("Log in", rpc("/log_in"), replaceAll(home))
/// ```
public func replaceAll(_ page: PageRoute<Never>) -> ReplaceAll { ReplaceAll(page: page.path) }

/// Makes a ``ReplaceAll`` for a page with a parameter in its path.
///
/// ```swift
/// let garden = PageRoute<Int>("/gardens/{id}")
/// formButton("Move in", rpc("/move_in"), replaceAll(garden, id: 7))
/// ```
public func replaceAll<ID: RouteID>(_ page: PageRoute<ID>, id: ID) -> ReplaceAll {
    ReplaceAll(page: page.path(to: id))
}

/// Leaves the page for the one below it on the stack. On the last page it fails.
///
/// Source: Applin documentation, Actions, pop.
public struct Pop: Action, KeyedObject {
    /// `pop`
    public var typ: StaticString { "pop" }

    static let vocabulary = Kind(Pop(), "Leaves the page for the one below it on the stack.")

    package func keys(_ keys: inout some Keys) {}
}

/// Makes a ``Pop``.
///
/// ```swift
/// formButton("Save", rpc("/save"), pop())
/// ```
public func pop() -> Pop {
    Pop()
}

/// Gets the page again and shows what changed. The page's variables are sent along, if it has any.
///
/// Source: Applin documentation, Actions, poll.
public struct Poll: Action, KeyedObject {
    /// `poll`
    public var typ: StaticString { "poll" }

    static let vocabulary = Kind(Poll(), "Gets the page again and shows what changed.")

    package func keys(_ keys: inout some Keys) {}
}

/// Makes a ``Poll``.
///
/// ```swift
/// formButton("Delete", rpc("/delete"), pop(), poll())  // the page below shows the change
/// ```
public func poll() -> Poll {
    Poll()
}
