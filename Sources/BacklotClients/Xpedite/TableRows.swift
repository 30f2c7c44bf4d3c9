public import BacklotJSON

/// The content of the screen.
extension XpediteClient {
    /// The components from top to bottom. The components in a scrollview follow it.
    public var components: [JSONObject] { Self.flat(packet["components"]?.array ?? []) }

    private static func flat(_ components: [JSONValue]) -> [JSONObject] {
        components.compactMap(\.object).flatMap { object -> [JSONObject] in
            object["type"] == "scrollview" ? [object] + flat(object["components"]?.array ?? []) : [object]
        }
    }

    /// The texts of the labels, from top to bottom.
    public var labels: [String] { components.filter { $0["type"] == "label" }.compactMap { $0["text"]?.string } }

    /// The components of a type.
    public func components(_ type: String) -> [JSONObject] {
        components.filter { $0["type"]?.string == type }
    }

    /// The fields of a form. Without a name, the page's first form.
    public func fields(of form: String? = nil) -> [JSONObject] {
        let form = components("form").first { form == nil || $0["id"]?.string == form }
        return (form?["components"]?.array ?? []).compactMap(\.object)
    }

    /// The complete navigations on the page. Navigations that the server named only by id come from the client's store.
    public var menus: [JSONObject] {
        components("navigation").map { navigation in
            guard navigation["implementation"] == nil, let id = navigation["id"]?.string else { return navigation }
            return navigations[id] ?? navigation
        }
    }

    /// The methods that supply the rows of the tables.
    var tableMethods: [String] { components("table").compactMap { $0["data"]?["dynamic"]?.string } }

    var drawn: String { screen }

    /// The page as text, for errors.
    public var screen: String {
        var lines = ["page \(title.map { "\"\($0)\"" } ?? "without a title"), rc \(rc)"]
        for component in components {
            let name = ["text", "name", "id", "title"].lazy.compactMap { component[$0]?.string }.first
            lines.append("  \(component["type"]?.string ?? "?") \(name.map { "\"\($0)\"" } ?? "")")
            guard component["type"] == "form" else { continue }
            for field in (component["components"]?.array ?? []).compactMap(\.object) {
                let label = field["title"]?.string ?? ""
                lines.append("    \(field["type"]?.string ?? "?") \(field["name"]?.string ?? "") \"\(label)\"")
            }
        }
        for table in tables.sorted(by: { $0.key < $1.key }) {
            lines.append("  \(table.key): \(table.value.rows.count) rows\(table.value.hasMore ? " and more" : "")")
        }
        let tappables = tappables
        lines += tappables.map { "  can be tapped: \"\($0.text)\"" }
        if tappables.count >= Self.mostTappables {
            lines.append("  and the entries of further menus, which are left out")
        }
        return lines.joined(separator: "\n")
    }
}

/// The loaded rows of a table.
public struct TableRows: Sendable {
    /// The rows, from the first.
    public internal(set) var rows: [JSONObject] = []
    /// Whether the server has more.
    public internal(set) var hasMore = false
}

extension XpediteClient {
    /// The rows of the page's first table.
    public var rows: TableRows { tableMethods.first.flatMap { tables[$0] } ?? TableRows() }

    /// Scrolls a table to its end, so that the client loads the next rows.
    ///
    /// - Parameter method: the method of the table; nil for the page's first table.
    public func loadMore(of method: String? = nil, file: String = #fileID, line: Int = #line) async throws {
        guard let name = method ?? tableMethods.first, let table = tables[name], table.hasMore else {
            throw failure(StepCall("loadMore()", file, line), "the page has no table with more rows")
        }
        try await load(name, from: table.rows.count)
    }

    /// Pulls a table down, so that the client loads it again.
    ///
    /// - Parameter method: the method of the table; nil for the page's first table.
    public func refresh(_ method: String? = nil, file: String = #fileID, line: Int = #line) async throws {
        let table = components("table").first { method == nil || $0["data"]?["dynamic"]?.string == method }
        guard let name = table?["data"]?["dynamic"]?.string, table?["refresh"] != nil else {
            throw failure(StepCall("refresh()", file, line), "the page has no table that can be pulled down")
        }
        try await load(name, from: 0)
    }

    func load(_ method: String, from offset: Int) async throws {
        let parameters: JSONObject? =
            offset == 0 ? nil : [configuration.offsetKey: .number(JSONNumber(Int64(offset)))]
        let response = try await exchange(makePacket(method, parameters))
        guard response["rc"]?.number?.int64 == 0 else {
            rc = response["rc"]?.number?.int64.map { Int($0) } ?? 0
            return
        }
        guard let data = response["data"]?.array else { throw XpediteClientError.noPacket("it has no \"data\"") }
        let earlier = offset == 0 ? [] : tables[method]?.rows ?? []
        tables[method] = TableRows(rows: earlier + data.compactMap(\.object), hasMore: response["max"] != nil)
    }
}
