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

/// Not available: an action leads to a page by its path.
@available(*, unavailable, message: "write the page's path: replaceAll(\"/\")")
public func replaceAll(_ page: any Page) -> ReplaceAll { replaceAll("") }
