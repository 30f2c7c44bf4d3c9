internal import Applin
internal import Backlot
import BacklotClients
internal import BacklotJSON
internal import HTTPTypes
internal import Xpedite

/// A crawl of an Xpedite app: one session, in which each method is called once with the same parameters. An ``XpediteClient`` keeps
/// what a device keeps, and says what can be tapped.
struct XpediteWalk {
    /// The most rows of a table that are looked at.
    private static let lookedAtRows = 100

    private let url: HTTPURL
    private let client: XpediteClient
    private var channel: CrawlChannel
    private var frontier: CrawlFrontier<JSONValue>
    /// Methods that take what was typed.
    private var calls: CrawlFrontier<JSONValue>
    private var tables: Set<String> = []
    private var refused: [CrawlReport.Refused] = []
    /// The methods that don't do their work, told at the end, when all links to them are known.
    private var failures: [(links: Links, code: Int64, text: String, path: String)] = []

    /// The links to something.
    private enum Links {
        /// To a page.
        case page(JSONValue)
        /// To the rows of a table.
        case table(FindingPath)
    }

    init(_ channel: CrawlChannel, url: HTTPURL) {
        self.url = url
        self.channel = channel
        let options = channel.options
        client = XpediteClient(channel.watch, url)
        var connect: JSONObject = ["method": "setConnection"]
        for member in client.configuration.device.members { connect[member.key] = member.value }
        frontier = CrawlFrontier(
            from: .init(path: "setConnection", key: .object(connect)),
            maximum: options.maximumPages
        )
        calls = CrawlFrontier(maximum: options.callsRPCs ? options.maximumPages : 0)
    }

    mutating func report(_ progress: (CrawlProgress) -> Void) async -> CrawlReport {
        while channel.isOpen {
            if let target = frontier.next() {
                progress(CrawlProgress(pages: frontier.taken - 1, waiting: frontier.waiting, path: target.path))
                if !(await visit(target)) { frontier.giveBack() }
            } else if let target = calls.next() {
                if !(await visit(target)) { calls.giveBack() }
            } else {
                break
            }
        }
        for failure in failures {
            channel.findings.add(
                XpediteWalkRule.fails(found(failure.links), failure.code, failure.text, failure.path)
            )
        }
        return channel.report(.xpedite, of: url, frontier, refused: refused, calls: calls)
    }

    /// Calls a method, and follows what can be tapped on its page.
    ///
    /// - Returns: whether it could be called before the time was over.
    private mutating func visit(_ target: CrawlFrontier<JSONValue>.Target) async -> Bool {
        guard let response = await send(target.key.object ?? [:], target.path) else { return channel.end != .time }
        channel.findings.begin(target.path)
        guard let answer = take(response, target.path, links: .page(target.key)) else { return true }
        channel.findings.add(client.receive(answer, named: target.path))
        for link in client.links {
            let takesInput = link.takesInput
            add(
                link.packet,
                at: FindingPath(page: target.path, steps: ["tap \(link.text.cut(to: 40).inQuotes)"]),
                takesInput
            )
        }
        for table in client.components("table") where channel.isOpen { await load(table, on: target.path) }
        return true
    }

    private mutating func add(_ packet: JSONObject, at place: FindingPath, _ takesInput: Bool) {
        var packet = packet
        packet["token"] = nil
        let parameters = packet["parameters"].map { " \($0)".cut(to: 80) } ?? ""
        let link = PageLink(
            kind: takesInput ? .rpc : .page,
            action: "a tap",
            target: "\(packet["method"]?.string ?? "")\(parameters)",
            place: place
        )
        if takesInput { calls.add(link, to: .object(packet)) } else { frontier.add(link, to: .object(packet)) }
    }

    private func found(_ links: Links) -> [PageLink] {
        switch links {
        case .page(let key): frontier.links(to: key) + calls.links(to: key)
        case .table(let place): [PageLink(kind: .page, action: "the table", target: "", place: place)]
        }
    }

    private mutating func send(_ packet: JSONObject, _ path: String) async -> ClientResponse? {
        var packet = packet
        packet["token"] = client.token.map(JSONValue.string)
        let body = JSONValue.object(packet).bytes
        let request = ClientRequest(.post, url, headers: [.contentType: "application/json"], body: body)
        guard let response = await channel.send(request, path) else { return nil }
        channel.noteSlowness(of: response, "slow-page", path)
        return response
    }

    /// The packet in an answer; nil where clients drop it, or show an error dialog.
    private mutating func take(_ response: ClientResponse, _ path: String, links: Links) -> JSONObject? {
        guard response.status == .ok else {
            channel.findings.add([XpediteWalkRule.status(response, path)])
            return nil
        }
        guard let answer = (try? JSONValue(parsing: response.body))?.object else {
            channel.findings.add(XpediteInspector().findings(inBody: response.body, path: path, app: nil))
            return nil
        }
        let code = answer["rc"]?.number?.int64
        if let token = answer["token"]?.string, !token.isEmpty {
            client.token = token
        } else if client.token != nil || code == 0 {
            channel.findings.add([XpediteWalkRule.noToken(path)])
            if client.token == nil { channel.end = .backend }
            return nil
        }
        guard let code, code != 0 else { return answer }
        let text = answer["components"]?[0]?["text"]?.string ?? ""
        if code == ReturnCodes().application, client.token != nil {
            refused.append(CrawlReport.Refused(path: path, status: Int(code)))
        } else {
            failures.append((links, code, text, path))
        }
        return nil
    }

    // MARK: Tables

    /// Asks for the rows of a table, and for more of them where there are more, and taps the first.
    private mutating func load(_ table: JSONObject, on page: String) async {
        guard let method = table["data"]?["dynamic"]?.string, tables.insert(method).inserted else { return }
        let place = FindingPath(page: page, steps: ["table \(method.cut(to: 40).inQuotes)"])
        guard let (first, hasMore) = await rows(of: method, from: 0, place) else { return }
        channel.findings.add(XpediteWalkRule.fields(of: table, in: first.prefix(Self.lookedAtRows), place))
        if let click = table["clickRow"]?.object, let row = first.first {
            add(client.packet(for: click, row: row), at: place, false)
        }
        guard hasMore, channel.isOpen, let (second, _) = await rows(of: method, from: first.count, place) else {
            return
        }
        if second.isEmpty || second == first { channel.findings.add([XpediteWalkRule.repeats(method, place)]) }
    }

    private mutating func rows(
        of method: String,
        from offset: Int,
        _ place: FindingPath
    ) async -> (rows: [JSONObject], hasMore: Bool)? {
        let key = client.configuration.offsetKey
        let parameters: JSONObject? = offset == 0 ? nil : [key: .number(JSONNumber(Int64(offset)))]
        guard let response = await send(client.makePacket(method, parameters), method) else { return nil }
        guard let answer = take(response, method, links: .table(place)) else { return nil }
        guard let data = answer["data"]?.array else {
            channel.findings.add([XpediteWalkRule.noRows(method, place)])
            return nil
        }
        channel.findings.add(XpediteRules.findings(inPage: .object(answer), name: method))
        return (data.compactMap(\.object), answer["max"] != nil)
    }
}

/// The rules for what only a session shows.
enum XpediteWalkRule {
    static func status(_ response: ClientResponse, _ path: String) -> Finding {
        error(
            "not-200",
            FindingPath(page: path),
            "It answers \(response.status), and clients take the server for unreachable and show a kept page, or nothing.",
            fix: "Answer 200 with a packet, whose \"rc\" says what went wrong."
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

    /// A method that doesn't do its work, at each link to it.
    static func fails(_ links: [PageLink], _ code: Int64, _ text: String, _ path: String) -> [Finding] {
        let places = links.isEmpty ? [FindingPath(page: path)] : links.map(\.place)
        return places.enumerated().map { index, place in
            let caller =
                links.isEmpty
                ? "The client" : links[index].action.prefix(1).uppercased() + links[index].action.dropFirst()
            return error(
                "method-fails",
                place,
                "\(caller) calls \(path.cut(to: 100).inQuotes), which answers rc \(code) and \(text.cut(to: 200).inQuotes), so "
                    + "clients show an error dialog.",
                fix: "Correct the method's name, or mend what fails; the log of the server may say more."
            )
        }
    }

    static func noRows(_ method: String, _ place: FindingPath) -> Finding {
        error(
            "no-rows",
            place,
            "The table asks \(method.cut(to: 40).inQuotes) for its rows, and the answer has no list \"data\".",
            fix: "Answer {\"rc\":0,\"data\":[…]}."
        )
    }

    static func repeats(_ method: String, _ place: FindingPath) -> Finding {
        error(
            "rows-repeat",
            place,
            "\(method.cut(to: 40).inQuotes) says that there are more rows, and answers with no others, so clients ask without end.",
            fix: "Skip as many rows as the packet says, and leave \"max\" out of the last answer."
        )
    }

    /// Fields that columns and taps need, and no row has.
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
                fix: "Answer rows with this field, or correct the column."
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
                fix: "Answer each row with this field."
            )
        ]
    }

    private static func error(_ rule: String, _ place: FindingPath, _ message: String, fix: String) -> Finding {
        Finding(.error, rule: rule, path: place, message: message, fix: fix)
    }
}
