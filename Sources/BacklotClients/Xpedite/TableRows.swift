public import BacklotJSON

/// What is on the screen.
extension XpediteClient {
    /// The components, from top to bottom; what stands in a scrollview comes after it.
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

    /// The fields of a form, or of the only one.
    public func fields(of form: String? = nil) -> [JSONObject] {
        let form = components("form").first { form == nil || $0["id"]?.string == form }
        return (form?["components"]?.array ?? []).compactMap(\.object)
    }

    /// The navigations on the page, whole: those that came by id alone are the ones that were kept.
    public var menus: [JSONObject] {
        components("navigation").map { navigation in
            guard navigation["implementation"] == nil, let id = navigation["id"]?.string else { return navigation }
            return navigations[id] ?? navigation
        }
    }

    /// The methods from which the tables take their rows.
    var tableMethods: [String] { components("table").compactMap { $0["data"]?["dynamic"]?.string } }

    var drawn: String { screen }

    /// The page as a text, for failures.
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
        lines += tappables.map { "  can be tapped: \"\($0.text)\"" }
        return lines.joined(separator: "\n")
    }
}

/// The rows of a table that a client has.
public struct TableRows: Sendable {
    /// The rows, from the first.
    public internal(set) var rows: [JSONObject] = []
    /// Whether the server has more.
    public internal(set) var hasMore = false
}

extension XpediteClient {
    /// The rows of the only table on the page.
    public var rows: TableRows { tableMethods.first.flatMap { tables[$0] } ?? TableRows() }

    /// Scrolls a table to its end, so that the next rows are loaded; nil for the only table on the page.
    public func loadMore(of method: String? = nil, file: String = #fileID, line: Int = #line) async throws {
        guard let name = method ?? tableMethods.first, let table = tables[name], table.hasMore else {
            throw failure(StepCall("loadMore()", file, line), "there is no table that has more rows")
        }
        try await load(name, from: table.rows.count)
    }

    /// Pulls a table down, so that it is loaded again; nil for the only table on the page.
    public func refresh(_ method: String? = nil, file: String = #fileID, line: Int = #line) async throws {
        let table = components("table").first { method == nil || $0["data"]?["dynamic"]?.string == method }
        guard let name = table?["data"]?["dynamic"]?.string, table?["refresh"] != nil else {
            throw failure(StepCall("refresh()", file, line), "there is no table that can be pulled down")
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
