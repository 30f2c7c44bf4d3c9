public import Backlot

extension ClientMatrix: CustomStringConvertible {
    private static let widestPath = 40
    private static let widestTable = 110
    private static let listed = 200

    /// The matrix for people: a row for each page that a version rejects, and a column for neighbouring versions with the same
    /// verdicts.
    public var description: String {
        var lines = ["clients: \(clients)"]
        let rows = pages.filter { page in columns.indices.contains { page.reason($0) != nil } }
        if !rows.isEmpty {
            lines.append("")
            lines += table(rows.prefix(Self.listed).map(\.self))
            if rows.count > Self.listed {
                lines.append("… and \(rows.count - Self.listed) more pages; --format json lists them")
            }
            lines.append("")
        }
        let good = pages.count - rows.count
        lines.append(
            pages.isEmpty
                ? "no page was checked"
                : "\(good) of \(pages.count) \(pages.count == 1 ? "page loads" : "pages load") in all of them"
        )
        return lines.joined(separator: "\n")
    }

    /// Groups neighbouring columns with the same verdicts on all of these pages.
    private func runs(_ rows: [Page]) -> [ClosedRange<Int>] {
        var runs: [ClosedRange<Int>] = []
        for column in columns.indices {
            if let last = runs.last, columns[last.upperBound].client == columns[column].client,
                rows.allSatisfy({ word($0, last.upperBound) == word($0, column) })
            {
                runs[runs.count - 1] = last.lowerBound...column
            } else {
                runs.append(column...column)
            }
        }
        return runs
    }

    private func word(_ page: Page, _ column: Int) -> String {
        if page.cells[column] == Page.notAsked { return "-" }
        return page.reason(column).map { $0.isRefusal ? "no" : "no POST" } ?? "yes"
    }

    private func title(_ run: ClosedRange<Int>) -> String {
        guard let first = columns[run.lowerBound].version, let last = columns[run.upperBound].version else {
            return clients.clients[columns[run.lowerBound].client].name
        }
        return first == last ? first.releaseName : "\(first.releaseName)-\(last.releaseName)"
    }

    /// The lines of the table. A table that is too wide for a terminal is split into several, each with some of the columns.
    private func table(_ rows: [Page]) -> [String] {
        let pathWidth = max(4, rows.map { shown($0.path).count }.max() ?? 0)
        var blocks: [[ClosedRange<Int>]] = []
        var width = 0
        for run in runs(rows) {
            let columnWidth = max(7, title(run).count) + 2
            if blocks.isEmpty || width + columnWidth > Self.widestTable {
                blocks.append([])
                width = pathWidth
            }
            blocks[blocks.count - 1].append(run)
            width += columnWidth
        }
        return blocks.enumerated().flatMap { index, runs in
            let isLast = index == blocks.count - 1
            let header = line(["page"] + runs.map(title), runs, pathWidth)
            let body = rows.map { page in
                let needs = clients.clients.indices.compactMap { need(of: page, client: $0)?.text }
                let cells = line([shown(page.path)] + runs.map { word(page, $0.lowerBound) }, runs, pathWidth)
                return isLast && !needs.isEmpty ? cells + "needs \(needs.joined(separator: "; "))" : cells.trimmed
            }
            return (index == 0 ? [] : [""]) + [header.trimmed] + body
        }
    }

    private func line(_ cells: [String], _ runs: [ClosedRange<Int>], _ pathWidth: Int) -> String {
        let widths = [pathWidth] + runs.map { max(7, title($0).count) }
        return zip(cells, widths).map { $0.padded(to: $1 + 2) }.joined()
    }

    private func shown(_ path: String) -> String { path.excerpt(upTo: Self.widestPath - 1) }
}

extension ClientMatrix {
    /// The maximum number of pages in the JSON.
    private static let listedInJSON = 10_000

    /// The clients for programs: objects with `client` and `versions`, such as `"0.34.0"`. The versions are empty if all releases
    /// of a client read alike.
    public var clientsJSON: JSONValue {
        .array(
            clients.clients.map { client in
                [
                    "client": .string(client.name),
                    "versions": .array(client.versions.map { .string($0.fullDescription) }),
                ]
            }
        )
    }

    /// The verdicts for programs: an object for each page and client, at most 10,000.
    ///
    /// | key | value |
    /// |---|---|
    /// | `page`, `client` | the page's path, and the client's name |
    /// | `loads` | whether every requested version loads the page |
    /// | `accepts` | the versions that load it |
    /// | `rejects` | the versions that reject it, each with the first broken rule |
    /// | `post_refused` | the versions that load it but can't send anything from it, each with the rule; missing without such versions |
    /// | `needs` | the page's requirement, such as `≥ 0.36 because of reset_var`, or null |
    /// | `reasons` | objects with `versions`, `rule`, `pointer`, `message`, `fix` and `because`, which is null or a word |
    public var json: JSONValue {
        var rows: [JSONValue] = []
        for page in pages {
            for client in clients.clients.indices where rows.count < Self.listedInJSON {
                let own = columns.indices.filter { columns[$0].client == client && page.cells[$0] != Page.notAsked }
                if !own.isEmpty { rows.append(row(page, client, own)) }
            }
        }
        return .array(rows)
    }

    private func row(_ page: Page, _ client: Int, _ own: [Int]) -> JSONValue {
        func name(_ column: Int) -> String? { columns[column].version?.fullDescription }
        func rules(_ isRefusal: Bool) -> JSONObject {
            var object = JSONObject()
            for column in own {
                guard let name = name(column), let reason = page.reason(column), reason.isRefusal == isRefusal else {
                    continue
                }
                object[name] = .string(reason.finding.rule)
            }
            return object
        }
        let reasons = page.reasons.enumerated().compactMap { index, reason -> JSONValue? in
            let refusing = own.filter { page.cells[$0] == UInt8(index + 1) }
            guard !refusing.isEmpty else { return nil }
            return [
                "versions": .array(refusing.compactMap { name($0).map(JSONValue.string) }),
                "rule": .string(reason.finding.rule),
                "pointer": .string(reason.finding.path.pointer),
                "message": .string(reason.finding.message),
                "fix": .string(reason.finding.fix),
                "because": reason.cause.map(JSONValue.string) ?? .null,
            ]
        }
        var object: JSONObject = [
            "page": .string(page.path),
            "client": .string(clients.clients[client].name),
            "loads": .bool(own.allSatisfy(page.loads)),
            "accepts": .array(own.filter(page.loads).compactMap { name($0).map(JSONValue.string) }),
            "rejects": .object(rules(true)),
            "needs": need(of: page, client: client).map { .string($0.text) } ?? .null,
            "reasons": .array(reasons),
        ]
        let silent = rules(false)
        if silent.count > 0 { object["post_refused"] = .object(silent) }
        return .object(object)
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        let missing = width - count
        return missing > 0 ? self + String(repeating: " ", count: missing) : self
    }

    /// The text without trailing blanks.
    fileprivate var trimmed: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
