public import Backlot

// Statements that don't belong into a list, each with a message from the compiler.

extension ListBuilder where Element == any Component {
    /// Not available: a field without a form has no way to the server.
    @available(*, unavailable, message: "only a form has such a field: put it into form(id: \"…\") { … }")
    public static func buildExpression(_ field: some FormField) -> [Element] { [] }

    /// Not available: an entry belongs into a menu.
    @available(
        *,
        unavailable,
        message: "an entry belongs into a menu: put it into barButton(.right) { … } or slideFrom(.left) { … }"
    )
    public static func buildExpression(_ entry: MenuEntry) -> [Element] { [] }

    /// Not available: a column belongs into a table.
    @available(*, unavailable, message: "a column belongs into a table: put it into table(…) { … } or .header { … }")
    public static func buildExpression(_ column: some Column) -> [Element] { [] }

    /// Not available: clients preload pictures.
    @available(*, unavailable, message: "a preloaded picture belongs to the page: write .images([…]) after its braces")
    public static func buildExpression(_ picture: Preload) -> [Element] { [] }

    /// Not available: a page is a whole screen.
    @available(*, unavailable, message: "a page can't stand in a page: write its components here")
    public static func buildExpression(_ page: Page) -> [Element] { [] }

    /// Not available: a method is called by a tap.
    @available(*, unavailable, message: "a method is called by a tap: write button(\"Text\").method(…)")
    public static func buildExpression<Input>(_ method: Method<Input>) -> [Element] { [] }

    /// Not available: a method is called by a tap.
    @available(*, unavailable, message: "a method is called by a tap: write button(\"Text\").method(…)")
    public static func buildExpression(_ call: MethodCall) -> [Element] { [] }
}

extension ListBuilder where Element == any FormField {
    /// Not available: a form has fields and headings only.
    @available(
        *,
        unavailable,
        message: "only fields and section(…) stand in a form: put this above the form or below it"
    )
    public static func buildExpression(_ component: some Component) -> [Element] { [] }
}

extension ListBuilder where Element == MenuEntry {
    /// Not available: a menu has entries only.
    @available(
        *,
        unavailable,
        message: "only entries stand in a menu: write menuEntry(\"Text\", method), menuHeader(…) or menuDivider()"
    )
    public static func buildExpression(_ component: some Component) -> [Element] { [] }

    /// Not available: an entry calls the method.
    @available(*, unavailable, message: "an entry calls the method: write menuEntry(\"Text\", method)")
    public static func buildExpression<Input>(_ method: Method<Input>) -> [Element] { [] }

    /// Not available: an entry calls the method.
    @available(*, unavailable, message: "an entry calls the method: write menuEntry(\"Text\", method)")
    public static func buildExpression(_ call: MethodCall) -> [Element] { [] }
}

extension ListBuilder where Element == CellColumn {
    /// Not available: headings are above the columns.
    @available(*, unavailable, message: "a heading belongs into .header { … } after the columns")
    public static func buildExpression(_ heading: HeaderColumn) -> [Element] { [] }

    /// Not available: a table shows fields of its rows.
    @available(*, unavailable, message: "only columns stand in a table: write cell(\"field\")")
    public static func buildExpression(_ component: some Component) -> [Element] { [] }
}

extension ListBuilder where Element == HeaderColumn {
    /// Not available: a column is below its heading.
    @available(
        *,
        unavailable,
        message: "only headings stand here: write heading(\"Text\"), and the cell in the table's braces"
    )
    public static func buildExpression(_ cell: CellColumn) -> [Element] { [] }
}
