internal import BacklotJSON

extension XpediteClient {
    /// The rows of the only table on the page.
    public var rows: TableRows { tableMethods.first.flatMap { tables[$0] } ?? TableRows() }

    /// Scrolls a table to its end, so that the next rows are loaded; nil for the only table on the page.
    public func loadMore(of method: String? = nil, file: String = #fileID, line: Int = #line) async throws {
        guard let name = method ?? tableMethods.first, let table = tables[name], table.hasMore else {
            throw failure("loadMore()", "there is no table that has more rows", file, line)
        }
        try await load(name, from: table.rows.count)
    }

    /// Pulls a table down, so that it is loaded anew; nil for the only table on the page.
    public func refresh(_ method: String? = nil, file: String = #fileID, line: Int = #line) async throws {
        let table = components("table").first { method == nil || $0["data"]?["dynamic"]?.string == method }
        guard let name = table?["data"]?["dynamic"]?.string, table?["refresh"] != nil else {
            throw failure("refresh()", "there is no table that can be pulled down", file, line)
        }
        try await load(name, from: 0)
    }

    func load(_ method: String, from offset: Int) async throws {
        let parameters: JSONObject? =
            offset == 0 ? nil : [configuration.offsetKey: .number(JSONNumber(Int64(offset)))]
        let answer = try await exchange(makePacket(method, parameters))
        guard answer["rc"]?.number?.int64 == 0 else {
            rc = answer["rc"]?.number?.int64.map { Int($0) } ?? 0
            return
        }
        guard let data = answer["data"]?.array else { throw XpediteFailure.noPacket("it has no \"data\"") }
        let earlier = offset == 0 ? [] : tables[method]?.rows ?? []
        tables[method] = TableRows(rows: earlier + data.compactMap(\.object), hasMore: answer["max"] != nil)
    }
}
