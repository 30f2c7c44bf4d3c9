/// Builds the one widget of a page or `scroll` from the statement between its braces: a widget, `if` with `else`, or `switch`.
@resultBuilder
public enum SingleWidgetBuilder {
    /// The widget.
    public static func buildExpression(_ widget: consuming some Widget) -> any Widget { widget }

    /// A widget of several types, as in `isOpen ? text("Open") : errorText("Closed")`.
    @_disfavoredOverload
    public static func buildExpression(_ widget: any Widget) -> any Widget { widget }

    /// The only statement of a block.
    public static func buildPartialBlock(first: any Widget) -> any Widget { first }

    /// The branches of `if` with `else`, and of `switch`.
    public static func buildEither(first: any Widget) -> any Widget { first }

    /// The branches of `if` with `else`, and of `switch`.
    public static func buildEither(second: any Widget) -> any Widget { second }

    /// `if #available`.
    public static func buildLimitedAvailability(_ widget: any Widget) -> any Widget { widget }
}

/// Statements that don't belong here, each with a message from the compiler.
extension SingleWidgetBuilder {
    /// Not available: something must be shown.
    @available(*, unavailable, message: "one widget belongs here: write it, or empty() for nothing")
    public static func buildBlock() -> any Widget { empty() }

    /// Not available: only one widget can be shown.
    @available(*, unavailable, message: "only one widget belongs here: put them into column { … } or form { … }")
    public static func buildPartialBlock(accumulated: any Widget, next: any Widget) -> any Widget { next }

    /// Not available: some widget must be shown in any case.
    @available(*, unavailable, message: "one widget belongs here in any case: add else { … }, or else { empty() }")
    public static func buildOptional(_ widget: (any Widget)?) -> any Widget { empty() }

    /// Not available: only one widget can be shown.
    @available(*, unavailable, message: "only one widget belongs here: put the loop into column { … } or form { … }")
    public static func buildArray(_ rounds: [any Widget]) -> any Widget { empty() }

    /// Not available: only one widget can be shown.
    @available(*, unavailable, message: "only one widget belongs here: put the array into column { … } or form { … }")
    public static func buildExpression(_ widgets: [any Widget]) -> any Widget { empty() }

    /// Not available: a text must be put into a widget.
    @available(*, unavailable, message: "a string is not a widget: write text(…)")
    public static func buildExpression(_ string: String) -> any Widget { empty() }

    /// Not available: clients know a back button only at a nav page's start.
    @available(
        *,
        unavailable,
        message: "a back button stands only at a page's start: navPage(…) { … }.start { backButton { … } }"
    )
    public static func buildExpression(_ button: BackButton) -> any Widget { empty() }

    /// Not available: an action must be put into a widget.
    @available(*, unavailable, message: "an action is not a widget: write it between the braces of a button")
    public static func buildExpression(_ action: any Action) -> any Widget { empty() }

    /// Not available: add the page to the app, and let other pages lead to its path.
    @available(
        *,
        unavailable,
        message: "a page can't stand in a page: add it with app.page(…), and lead to it with push(…)"
    )
    public static func buildExpression(_ page: any Page) -> any Widget { empty() }

    /// Not available: the statement has no value.
    @available(*, unavailable, message: "only widgets stand here: write this above the page, or as let _ = print(…)")
    public static func buildExpression(_ nothing: Void) -> any Widget { empty() }
}

// Calls without the braces that they need, each with a message from the compiler.

/// Not available: a button's actions are missing.
@available(*, unavailable, message: "write its actions between braces: button(\"Save\") { rpc(\"/save\") }")
public func button(_ text: String) -> Button { button(text) {} }

/// Not available: a button's actions are missing.
@available(*, unavailable, message: "write its actions between braces: formButton(\"Save\") { rpc(\"/save\") }")
public func formButton(_ text: String) -> FormButton { formButton(text) {} }

/// Not available: a button's actions are missing.
@available(*, unavailable, message: "write its actions between braces: navButton(\"Terms\") { push(\"/terms\") }")
public func navButton(_ text: String) -> NavButton { navButton(text) {} }

/// Not available: a button's actions are missing.
@available(*, unavailable, message: "write its actions between braces: modalButton(\"Yes\") { rpc(\"/remove\") }")
public func modalButton(_ text: String) -> ModalButton { modalButton(text) {} }

/// Not available: the page's widget is missing.
@available(*, unavailable, message: "write its widget between braces: navPage(\"Terms\") { text(\"None.\") }")
public func navPage(_ title: String) -> NavPage { navPage(title) { empty() } }

/// Not available: the page's widget is missing.
@available(*, unavailable, message: "write its widget between braces: plainPage(\"Terms\") { text(\"None.\") }")
public func plainPage(_ title: String) -> PlainPage { plainPage(title) { empty() } }

/// Not available: an action leads to a page by its path.
@available(*, unavailable, message: "write the page's path: push(\"/terms\")")
public func push(_ page: any Page) -> Push { push("") }

/// Not available: the path's parameter is missing.
@available(*, unavailable, message: "the page's path has a parameter: write push(page, id: …)")
public func push<ID: RouteID>(_ page: PageRoute<ID>) -> Push { push("") }

/// Not available: an rpc is called.
@available(*, unavailable, message: "this is an rpc: write rpc(…)")
public func push<ID>(_ rpc: RPCRoute<ID>) -> Push { push("") }

/// Not available: an action leads to a page by its path.
@available(*, unavailable, message: "write the page's path: replaceAll(\"/\")")
public func replaceAll(_ page: any Page) -> ReplaceAll { replaceAll("") }
