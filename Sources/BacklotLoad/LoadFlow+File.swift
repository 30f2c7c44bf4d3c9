internal import Backlot
internal import BacklotChecks
internal import BacklotRecording

/// Reads flows from files.
extension LoadFlow {
    /// The maximum number of steps of a flow in a file.
    private static let mostSteps = 10_000
    private static let usage =
        "a step is \"launch\", \"back\", \"wander\", or an object such as {\"tap\": \"New Account\"}, {\"enter\": \"ann\", \"into\": "
        + "\"Username\"}, {\"wait\": 2.5} (seconds, from 0.001), {\"request\": \"GET /path\"}"

    /// Reads flows from a file in one of four formats:
    /// - a list of steps
    /// - an object with `flows`, each with `name`, `weight` and `steps`
    /// - the report of `explore` as JSON
    /// - a recording as HAR
    ///
    /// A recording of an Applin app becomes the steps of its users if they can be reconstructed. Any other recording becomes one
    /// flow per client: its requests, with the waits between them.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - name: the file's name. Flows without a name get it.
    /// - Throws: `LoadError`.
    public static func read(_ bytes: [UInt8], name: String) async throws(LoadError) -> [LoadFlow] {
        let document: JSONValue
        do throws(JSONParseError) {
            document = try JSONValue(parsing: bytes)
        } catch {
            throw LoadError(description: "\(name):\(error.line):\(error.column): this is no JSON: \(error)")
        }
        if document["log"] != nil {
            let recording: HARRecording
            do {
                recording = try HARRecording(bytes)
            } catch {
                throw LoadError(description: "\(name): \(error)")
            }
            // Clients of a load don't open WebSockets.
            return try await recorded(recording.exchanges.filter { !$0.opensWebSocket }, name: name)
        }
        if document.array != nil { return [try flow(document, name, 1)] }
        if let findings = document["findings"]?.array { return try explored(findings, name) }
        guard let flows = document["flows"]?.array ?? document["steps"].map({ _ in [document] }), !flows.isEmpty else {
            throw LoadError(
                description: "\(name): this isn't a list of steps, an object with \"flows\", or a HAR: \(usage)"
            )
        }
        var read: [LoadFlow] = []
        for (index, value) in flows.enumerated() {
            let own = value["name"]?.string ?? (flows.count == 1 ? name : "\(name) \(index + 1)")
            read.append(try flow(value["steps"] ?? .null, own, value["weight"]?.number?.double ?? 1))
        }
        return read
    }

    private static func flow(_ steps: JSONValue, _ name: String, _ weight: Double) throws(LoadError) -> LoadFlow {
        guard let list = steps.array, !list.isEmpty else {
            throw LoadError(description: "the flow '\(name)' has no list of steps: \(usage)")
        }
        guard list.count <= mostSteps else {
            throw LoadError(description: "the flow '\(name)' has \(list.count) steps: \(mostSteps) are taken at most")
        }
        var read: [LoadStep] = []
        for (index, value) in list.enumerated() {
            guard let step = LoadStep(value) else {
                throw LoadError(
                    description: "the flow '\(name)', step \(index + 1): \("\(value)".prefix(100)) is unknown: \(usage)"
                )
            }
            read.append(step)
        }
        let flow = LoadFlow(name, weight: weight, steps: read)
        try flow.check()
        return flow
    }

    /// The flows in a report of `explore`, one for each finding that has a flow. Leaves out the steps of all devices but the first,
    /// and steps that only a test can take.
    private static func explored(_ findings: [JSONValue], _ name: String) throws(LoadError) -> [LoadFlow] {
        var flows: [LoadFlow] = []
        for finding in findings.prefix(1000) {
            var steps: [LoadStep] = []
            for line in finding["flow"]?.array?.prefix(mostSteps) ?? [] {
                var call = line.string ?? ""
                if call.hasPrefix("app1: ") { call.removeFirst(6) }
                if let remark = call.firstRange(of: " (the network: ") { call.removeSubrange(remark.lowerBound...) }
                if let step = LoadStep(call: call) { steps.append(step) }
            }
            let flow = LoadFlow("\(name) \(flows.count + 1)", steps: steps)
            if (try? flow.check()) != nil { flows.append(flow) }
        }
        guard !flows.isEmpty else {
            throw LoadError(description: "\(name): none of its findings has a flow for Applin")
        }
        return flows
    }

    // MARK: Recordings

    private static func recorded(_ exchanges: [RecordedExchange], name: String) async throws(LoadError) -> [LoadFlow] {
        let played = await RecordedFlow.flows(of: exchanges)
        if !played.isEmpty {
            return played.enumerated().map { index, steps in
                LoadFlow(played.count == 1 ? name : "\(name) \(index + 1)", steps: steps.map(LoadStep.init))
            }
        }
        var clients: [String?] = []
        var steps: [[LoadStep]] = []
        var last: [Duration] = []
        for (exchange, client) in zip(exchanges, RecordedClients(exchanges).senders) {
            var place = clients.firstIndex(of: client) ?? clients.count
            if place == clients.count, clients.count < 1000 {
                clients.append(client)
                steps.append([])
                last.append(exchange.began)
            }
            place = min(place, clients.count - 1)
            guard steps[place].count < mostSteps else { continue }
            if !steps[place].isEmpty { steps[place].append(.wait(max(.milliseconds(1), exchange.began - last[place]))) }
            last[place] = exchange.began
            let headers = exchange.requestHeaders.filter { !dropped.contains($0.name.canonicalName) }
            steps[place].append(
                .request(
                    LoadRequest(
                        exchange.method,
                        exchange.url,
                        headers: HTTPFields(headers),
                        body: exchange.requestBody
                    )
                )
            )
        }
        guard !steps.isEmpty else { throw LoadError(description: "\(name): the recording has no requests") }
        return steps.enumerated().map { LoadFlow(steps.count == 1 ? name : "\(name) \($0 + 1)", steps: $1) }
    }

    /// Header fields that describe a connection or a client's stored state rather than the request.
    private static let dropped: Set<String> = [
        "host", "content-length", "cookie", "connection", "transfer-encoding", "expect", "keep-alive", "te", "trailer",
        "upgrade",
        "if-none-match", "if-modified-since", "proxy-connection",
    ]
}

extension LoadStep {
    /// Reads a step of a file: a word, a call as tests write it, or an object with the step's name as a key.
    fileprivate init?(_ value: JSONValue) {
        if let word = value.string {
            self.init(call: word.contains("(") ? word : "\(word.inCamelCase)()")
            return
        }
        guard let object = value.object, let verb = object.keys.first(where: { Self.verbs.contains($0) }) else {
            return nil
        }
        if verb == "request" {
            guard let request = object[verb]?.string.flatMap({ LoadRequest($0, object) }) else { return nil }
            self = .request(request)
            return
        }
        let arguments = [verb, "number", "into", "from"].compactMap { key -> LoadArgument? in
            guard let value = object[key] else { return nil }
            let seconds = verb == "wait" ? value.number?.double : nil
            return LoadArgument(
                label: key == verb ? "" : key,
                text: value.string,
                number: value.number?.int64.map { Int($0) },
                word: value.bool.map { "\($0)" },
                duration: seconds.flatMap { (0.001...86_400).contains($0) ? .seconds($0) : nil }
            )
        }
        self.init(verb, arguments)
    }

    private static let verbs: Set<String> = [
        "launch", "open", "relaunch", "tap", "check", "uncheck", "enter", "choose", "wait", "request",
    ]
}

extension String {
    /// Turns `pull_to_refresh` into `pullToRefresh`.
    fileprivate var inCamelCase: String {
        let words = split(separator: "_")
        return words.prefix(1).joined() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}

extension LoadRequest {
    /// Reads a line such as `GET /path`. The step's object may add `headers` (an object of strings) and `body` (a string or a JSON
    /// value).
    fileprivate init?(_ line: String, _ object: JSONObject) {
        let words = line.split(separator: " ", omittingEmptySubsequences: true)
        guard let path = words.last, path.hasPrefix("/"), words.count <= 2,
            let method = HTTPRequest.Method(words.count == 2 ? String(words[0]) : "GET")
        else { return nil }
        var headers: HTTPFields = [:]
        for member in object["headers"]?.object?.members ?? [] {
            guard let name = HTTPField.Name(member.key), let value = member.value.string else { return nil }
            headers[name] = value
        }
        var body: [UInt8] = []
        switch object["body"] {
        case nil: break
        case .string(let text)?: body = Array(text.utf8)
        case let value?:
            body = value.bytes
            if headers[.contentType] == nil { headers[.contentType] = "application/json" }
        }
        self.init(method, String(path), headers: headers, body: body)
    }
}
