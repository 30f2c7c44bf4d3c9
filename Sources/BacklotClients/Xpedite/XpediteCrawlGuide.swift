internal import Backlot
internal import Xpedite

/// Leads a crawl through an Xpedite app: one session that makes each call with the same parameters once. An ``XpediteClient``
/// stores what a device stores, and finds the taps. For each table, the guide requests the rows and taps the first.
struct XpediteCrawlGuide: CrawlGuide {
    /// The maximum number of a table's rows to look at.
    private static let lookedAtRows = 100

    private let url: HTTPURL
    private let client: XpediteClient
    /// The requested tables with their rows so far, by method.
    private var tables: [String: (table: JSONObject, rows: [JSONObject])] = [:]

    init(_ url: HTTPURL) {
        self.url = url
        client = XpediteClient(SocketTransport(), url)
    }

    var start: CrawlStop {
        var connect: JSONObject = ["method": "setConnection"]
        for member in client.configuration.device.members { connect[member.key] = member.value }
        return CrawlStop("setConnection", url, "call", .object(connect))
    }

    func request(for stop: CrawlStop) -> ClientRequest {
        var packet = stop.detail.object ?? [:]
        packet["token"] = client.token.map(JSONValue.string)
        let body = JSONValue.object(packet).bytes
        return ClientRequest(.post, url, headers: [.contentType: "application/json"], body: body)
    }

    mutating func take(_ response: ClientResponse, of stop: CrawlStop) -> CrawlResult {
        var result = CrawlResult(isPage: stop.kind == "call")
        guard let packet = packet(response, stop, &result) else { return result }
        guard result.isPage else {
            takeRows(packet, stop, &result)
            return result
        }
        result.findings += client.receive(packet, named: stop.path)
        for link in client.links {
            let place = FindingPath(page: stop.path, steps: ["tap \(link.text.cut(to: 40).inQuotes)"])
            add(link.packet, at: place, takesInput: link.takesInput, &result)
        }
        let (count, most) = (client.tappables.count, XpediteClient.mostLinks)
        if count > most {
            result.findings.insert(CrawlRule.bounded("\(count) taps", to: most, FindingPath(page: stop.path)), at: 0)
        }
        for table in client.components("table") {
            guard let method = table["data"]?["dynamic"]?.string, tables[method] == nil else { continue }
            tables[method] = (table, [])
            let place = FindingPath(page: stop.path, steps: ["table \(method.cut(to: 40).inQuotes)"])
            askForRows(
                of: method,
                from: 0,
                PageLink(kind: .page, action: "the table", target: "", place: place),
                &result
            )
        }
        return result
    }

    private func add(_ packet: JSONObject, at place: FindingPath, takesInput: Bool, _ result: inout CrawlResult) {
        var packet = packet
        packet["token"] = nil
        let parameters = packet["parameters"].map { " \($0)".cut(to: 80) } ?? ""
        let target = "\(packet["method"]?.string ?? "")\(parameters)"
        let link = PageLink(kind: takesInput ? .rpc : .page, action: "a tap", target: target, place: place)
        result.links.append((link, CrawlStop(target, url, "call", .object(packet))))
    }

    /// The packet in a response; nil if clients drop it or show an error dialog.
    private func packet(_ response: ClientResponse, _ stop: CrawlStop, _ result: inout CrawlResult) -> JSONObject? {
        let path = stop.path
        guard response.status == .ok else {
            result.findings.append(XpediteCrawlRule.status(response, path))
            return nil
        }
        guard let packet = (try? JSONValue(parsing: response.body))?.object else {
            result.findings += XpediteInspector().findings(inBody: response.body, path: path, app: nil)
            return nil
        }
        let code = packet["rc"]?.number?.int64
        if let token = packet["token"]?.string, !token.isEmpty {
            client.token = token
        } else if client.token != nil || code == 0 {
            result.findings.append(XpediteCrawlRule.noToken(path))
            result.endsCrawl = client.token == nil
            return nil
        }
        guard let code, code != 0 else { return packet }
        let text = packet["components"]?[0]?["text"]?.string ?? ""
        if code == ReturnCodes().application, client.token != nil {
            result.refusal = Int(code)
        } else {
            result.deadLink = { XpediteCrawlRule.fails($0, code, text, path) }
        }
        return nil
    }

    // MARK: Tables

    private func askForRows(of method: String, from offset: Int, _ link: PageLink, _ result: inout CrawlResult) {
        let key = client.configuration.offsetKey
        let parameters: JSONObject? = offset == 0 ? nil : [key: .number(JSONNumber(Int64(offset)))]
        var packet = client.makePacket(method, parameters)
        packet["token"] = nil
        let kind = offset == 0 ? "rows" : "more rows"
        result.followUps.append(CrawlStop(method, url, kind, .object(packet), from: link))
    }

    /// Takes in the rows of a table, requests more if there are more, and taps the first.
    private mutating func takeRows(_ response: JSONObject, _ stop: CrawlStop, _ result: inout CrawlResult) {
        let (method, place) = (stop.path, stop.link?.place ?? FindingPath(page: stop.path))
        guard let data = response["data"]?.array else {
            result.findings.append(XpediteCrawlRule.noRows(method, place))
            return
        }
        result.findings += XpediteRules.findings(in: .object(response), name: method)
        let rows = data.compactMap(\.object)
        guard let table = tables[method]?.table, stop.kind == "rows" else {
            if rows.isEmpty || rows == tables[method]?.rows {
                result.findings.append(XpediteCrawlRule.repeats(method, place))
            }
            return
        }
        tables[method] = (table, rows)
        result.findings += XpediteCrawlRule.fields(of: table, in: rows.prefix(Self.lookedAtRows), place)
        if let click = table["clickRow"]?.object, let row = rows.first {
            add(client.packet(for: click, row: row), at: place, takesInput: false, &result)
        }
        guard response["max"] != nil, let link = stop.link else { return }
        askForRows(of: method, from: rows.count, link, &result)
    }
}

/// The rules that need a session.
private enum XpediteCrawlRule {
    static func status(_ response: ClientResponse, _ path: String) -> Finding {
        error(
            "not-200",
            FindingPath(page: path),
            "It responds with \(response.status). Clients take the server for unreachable, and show a stored page or nothing.",
            fix: "Respond with 200 and a packet; its \"rc\" says what went wrong."
        )
    }

    static func noToken(_ path: String) -> Finding {
        error(
            "missing-token",
            FindingPath(page: path),
            "The response has no \"token\", so clients drop it.",
            fix: "Respond with the session's token: to setConnection and a log-in a new one, else that of the packet."
        )
    }

    /// A link to a method that fails.
    static func fails(_ link: PageLink?, _ code: Int64, _ text: String, _ path: String) -> Finding {
        let caller = link?.action.capitalizedFirst ?? "The client"
        return error(
            "method-fails",
            link?.place ?? FindingPath(page: path),
            "\(caller) calls \(path.cut(to: 100).inQuotes), which responds with rc \(code) and \(text.cut(to: 200).inQuotes), so "
                + "clients show an error dialog.",
            fix: "Correct the method's name, or fix the cause of the error; the server's log may say more."
        )
    }

    static func noRows(_ method: String, _ place: FindingPath) -> Finding {
        error(
            "no-rows",
            place,
            "The table requests its rows with \(method.cut(to: 40).inQuotes), and the response has no list \"data\".",
            fix: "Respond with {\"rc\":0,\"data\":[…]}."
        )
    }

    static func repeats(_ method: String, _ place: FindingPath) -> Finding {
        error(
            "rows-repeat",
            place,
            "\(method.cut(to: 40).inQuotes) says that there are more rows, but sends no others, so clients request them endlessly.",
            fix: "Skip as many rows as the packet says, and leave \"max\" out of the last response."
        )
    }

    /// The fields that columns and taps need, but rows lack.
    static func fields(of table: JSONObject, in rows: ArraySlice<JSONObject>, _ place: FindingPath) -> [Finding] {
        guard !rows.isEmpty else { return [] }
        let shown = (table["cell"]?.array ?? []).compactMap { $0["field"]?.string }.filter { field in
            rows.allSatisfy { $0[field] == nil }
        }
        let columns = shown.map { field in
            Finding(
                .warning,
                rule: "missing-field",
                path: place,
                message: "A column shows \(field.cut(to: 40).inQuotes), which no row has.",
                fix: "Send rows with this field, or correct the column."
            )
        }
        guard let selected = table["clickRow"]?["selected"]?.string, rows.contains(where: { $0[selected] == nil })
        else {
            return columns
        }
        return columns + [
            error(
                "missing-selected",
                place,
                "A tap sends \(selected.cut(to: 40).inQuotes) of its row, which not every row has.",
                fix: "Send this field in each row."
            )
        ]
    }

    private static func error(_ rule: String, _ place: FindingPath, _ message: String, fix: String) -> Finding {
        Finding(.error, rule: rule, path: place, message: message, fix: fix)
    }
}
