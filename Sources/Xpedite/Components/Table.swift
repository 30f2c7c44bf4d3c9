public import Backlot

/// Rows that the client requests from a method, batch by batch.
///
/// ```swift
/// table("listCustomers") { cell("name").width(60); cell("score").align(.right) }
///     .header { heading("Name").width(60); heading("Score").align(.right) }
///     .clickRow("viewCustomer", selected: "id")
/// ```
/// Source: Xpedite API reference, component-table.
public struct Table: Component, Sized, Backed, KeyedPart {
    /// The method that returns the rows.
    public let dynamic: String
    /// The query, which the session keeps; nil for a table without one.
    var query: JSONValue?
    /// The columns.
    public let cells: [CellColumn]
    var headings: [HeaderColumn] = []
    var headingsAgree = true
    var click: MethodCall?
    var refresh: String?
    /// The background's colour.
    public var background: String?
    /// The place and the size.
    public var size: Size?
    /// The name for error messages.
    public var id: String?

    /// `table`
    public var type: StaticString { "table" }

    static let vocabulary = Kind(
        Table(dynamic: "", cells: []),
        "Rows that the client asks a method for, batch by batch."
    )

    /// Writes the component as one JSON object.
    public func encode(into writer: inout JSONWriter) { writer.write(self) }

    @inline(__always) package func ownKeys(_ keys: inout some Keys) {
        keys("data", TableData(dynamic: dynamic)).required("The source of the rows.")
        keys("refresh", refresh).optional("The text beside the table when people pull it down to load it anew.")
        // [reading] All headings must agree, so the value of one is the value of all.
        let scroll = headingsAgree ? headings.lazy.compactMap(\.scroll).first : nil
        let headings = headings.map { scroll == nil || $0.scroll != nil ? $0 : $0.scroll(scroll) }
        keys("header", headings.isEmpty ? nil : headings).optional("The headings of the columns.")
        keys("cell", cells.isEmpty ? nil : cells).optional("The columns.")
        keys("clickRow", click).optional("The method that a tap on a row calls.")
        keys.background(background)
    }

    /// Puts headings above the columns.
    ///
    /// - Parameter agreeing: whether all headings get the `scroll` of the first that has one, because "all header entries must
    ///   agree"; with false, each heading keeps its own.
    public consuming func header(
        agreeing: Bool = true,
        @ListBuilder<HeaderColumn> _ headings: () -> [HeaderColumn]
    ) -> Table {
        self.headings = headings()
        headingsAgree = agreeing
        return consume self
    }

    /// Sets the method that a tap on a row calls, and the field of the row that is sent with the call.
    public consuming func clickRow(_ method: MethodCall, selected field: String? = nil) -> Table {
        click = method
        if let field { click?.selected = field }
        return consume self
    }

    /// Sets the method that a tap on a row calls, and the property of its input for the row's field with the same name.
    ///
    /// ```swift
    /// table(customerRows) { cell("name") }.clickRow(viewCustomer, by: \.id)
    /// ```
    public consuming func clickRow<Input, Value>(
        _ method: Method<Input>,
        by field: KeyPath<Input, Value>
    ) -> Table { clickRow(method.withoutInput, selected: field.fieldName ?? "") }

    /// Sets the method that a tap on any row calls.
    public consuming func clickRow(_ method: Method<Void>) -> Table { clickRow(method()) }

    /// Not available: the method needs to know the tapped row.
    @available(*, unavailable, message: "this method takes an input: name the field of the row, as in by: \\.id")
    public consuming func clickRow<Input>(_ method: Method<Input>) -> Table { self }

    /// Lets people pull the table down to load it anew, with this text.
    public consuming func refresh(_ text: String?) -> Table { changing(self) { $0.refresh = text } }
}

/// The member `data` of a table.
struct TableData: KeyedObject {
    let dynamic: String

    var wireName: StaticString { "data" }
    static var roles: [Role] { [.tableData] }
    static let vocabulary = Kind(
        TableData(dynamic: ""),
        "The source of a table's rows.",
        noun: "the data of a table"
    )

    func keys(_ keys: inout some Keys) {
        keys("dynamic", dynamic).required("The method that returns the rows.", .filled)
    }
}

extension Role {
    static let tableData = Role("data", hasStep: false)
}

/// Makes a ``Table`` from the method that returns its rows; the app registers it with `app.table`.
///
/// ```swift
/// let customerRows = TableMethod("customerRows")
/// table(customerRows) { cell("name") }.refresh("Pull to refresh")
/// ```
/// - Parameter cells: the columns.
public func table(
    _ method: TableMethod<Void>,
    @ListBuilder<CellColumn> _ cells: () -> [CellColumn] = { [] }
) -> Table {
    Table(dynamic: method.name, cells: cells())
}

/// Makes a ``Table`` with the results of a query. The session keeps the query, and the method gets it with each batch.
///
/// ```swift
/// let matchingRows = TableMethod<CustomerQuery>("matchingRows")
/// table(matchingRows, CustomerQuery(text: "Ann")) { cell("name") }
/// ```
/// - Parameters:
///   - method: returns the rows; the app registers it with `app.table`.
///   - query: the query, an object of at most 4 KB. A later page with another query for the same method changes it.
///   - cells: the columns.
public func table<Query: Encodable>(
    _ method: TableMethod<Query>,
    _ query: Query,
    @ListBuilder<CellColumn> _ cells: () -> [CellColumn] = { [] }
) -> Table {
    var table = Table(dynamic: method.name, cells: cells())
    table.query = JSONValue(parameters: query)
    return table
}

/// Not available: the method needs its query.
@available(
    *,
    unavailable,
    message: "this table needs a query: write it after the method, as in table(rows, CustomerQuery(…))"
)
public func table<Query>(
    _ method: TableMethod<Query>,
    @ListBuilder<CellColumn> _ cells: () -> [CellColumn] = { [] }
) -> Table {
    Table(dynamic: method.name, cells: cells())
}

/// Makes a ``Table``.
///
/// ```swift
/// table("listCustomers") { cell("name") }
/// ```
/// - Parameters:
///   - method: returns the rows; the app registers it with `app.table`.
///   - cells: the columns.
public func table(
    _ method: String,
    @ListBuilder<CellColumn> _ cells: () -> [CellColumn] = { [] }
) -> Table {
    Table(dynamic: method, cells: cells())
}
