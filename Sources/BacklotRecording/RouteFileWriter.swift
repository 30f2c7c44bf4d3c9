import Backlot
import BacklotMocks

/// Writes recorded routes as files.
struct RouteFileWriter {
    private let resources: RecordedResources
    /// The names of the resources' scenarios, by request number; nil for a resource without states.
    private var scenarios: [String?] = []
    /// The method and the path of each request.
    private var titles: [Int: String] = [:]
    /// The credentials in header fields, with the field's whole value, such as `Bearer abc`.
    private var tokens: [String: String] = [:]
    private let pages: PageFormat?
    private let options: RouteRecording.Options
    private(set) var files: [RecordedFile] = []
    /// The files of bodies, by content.
    private var bodyFiles: [[UInt8]: String] = [:]
    /// The files with braces that aren't tags.
    private var taggedFiles: Set<String> = []
    /// The number of body files with each name.
    private var bodyNames: [String: Int] = [:]

    /// Smaller bodies may be repeated in a file.
    private static let smallBody = 120
    /// Longer texts get separate files.
    private static let largestText = 2000
    private static let deepestDocument = 40

    init(_ resources: RecordedResources, pages: PageFormat?, options: RouteRecording.Options) {
        self.resources = resources
        self.pages = pages
        self.options = options
        nameScenarios()
        let steps = Dictionary(grouping: resources.events.indices) { resources.events[$0].route }
        for (index, route) in resources.steps.routes.enumerated() { write(route, steps[index] ?? []) }
        // Clients with a token and without cookies are identified by the token.
        let fields = resources.steps.steps.lazy.compactMap { RecordedClients.credentialFields(of: $0.exchange).first }
        if resources.haveStates, let field = fields.first {
            files.append(
                RecordedFile(path: RecordedFile.settings, bytes: Array("stateBy: \(field.name.rawName)\n".utf8))
            )
        }
    }

    private mutating func nameScenarios() {
        var counts: [String: Int] = [:]
        scenarios = resources.states.map { _ in nil }
        for (event, step) in zip(resources.events, resources.steps.steps) {
            let states = resources.states[event.request].states
            titles[event.request] = titles[event.request] ?? step.exchange.title
            if let field = RecordedClients.credentialFields(of: step.exchange).first,
                let credential = RecordedClients.credentials(of: step.exchange), credential.utf8.count >= 8
            {
                tokens[credential] = field.value
            }
            guard scenarios[event.request] == nil, states.count > 1 || states[0].responses.count > 1 else { continue }
            let title = "\(options.scenario): \(step.exchange.title)"
            counts[title, default: 0] += 1
            scenarios[event.request] = counts[title] == 1 ? title : "\(title) (\(counts[title] ?? 0))"
        }
    }

    /// The name of a state, with the request that first leads to it.
    ///
    /// - Parameter place: the index of the state's next response.
    private func name(_ state: Int, _ place: Int, of request: Int) -> String {
        let states = resources.states[request].states
        if state == 0, place == 0 { return ScenarioStates.started }
        let number = states[..<state].reduce(place) { $0 + max(1, $1.responses.count) }
        return "\(number) after \(title(place > 0 ? request : states[state].cause ?? request))"
    }

    /// The method and the path of a request.
    private func title(_ request: Int) -> String {
        titles[request] ?? ""
    }

    /// One response of a file.
    private struct Item: Equatable {
        var scenario: String?
        var required: String?
        var new: String?
        let response: Int
        var delay = Duration.zero
        /// The other scenarios that it moves.
        var moves = JSONObject()
        /// The number of a request without a recorded response after it.
        var unrecorded: Int?
    }

    private typealias Choice = (matchers: JSONObject, item: Item)

    private mutating func write(_ route: RecordedSteps.Route, _ steps: [Int]) {
        var numbers = Numbering<Int>()
        for step in steps { _ = numbers.number(of: resources.events[step].request) }
        let requests = numbers.elements
        let items = requests.map { request in
            self.items(request, options.withDelays ? steps.filter { resources.events[$0].request == request } : [])
        }
        let groups = items.map { own in items.firstIndex(of: own) ?? 0 }
        let guards = guards(steps)
        let telling = RecordedRequest.telling(
            requests.map { resources.requests[$0] },
            groups: groups,
            isGuarded: guards != nil
        )
        let refused = refused(requests, steps, telling)
        var seen: [(matchers: JSONObject, items: [Item])] = []
        for (request, own) in zip(requests, items) where !refused.contains(request) {
            let matchers = resources.requests[request].matchers(telling)
            if !seen.contains(where: { $0.matchers == matchers }) { seen.append((matchers, own)) }
        }
        var all: [Choice] = seen.flatMap { matchers, items in items.map { (matchers: matchers, item: $0) } }
        if let other = others(all, telling) { all.append(other) }
        all += refusals(requests, items, refused, guards, telling)
        if all.count == 1, all[0].matchers.count == 0, let bytes = bareBody(route, all[0].item) {
            files.append(RecordedFile(path: "\(route.name).\(route.kind.rawValue).json", bytes: bytes))
            return
        }
        let same = Dictionary(grouping: all, by: \.item.response)
        let responses = all.map { matchers, item in
            response(item, matchers, route, isRepeated: same[item.response, default: []].count > 1)
        }
        writeYAML(responses, to: route)
    }

    /// The final responses of a route: for rejected requests, and for requests without others' credentials.
    private func refusals(
        _ requests: [Int],
        _ items: [[Item]],
        _ refused: Set<Int>,
        _ guards: Int?,
        _ telling: [RecordedRequest.Feature]
    ) -> [Choice] {
        var values: [RecordedRequest.Feature: [JSONValue]] = [:]
        for request in requests where !refused.contains(request) {
            for (feature, value) in resources.requests[request].credentials
            where telling.contains(feature) && values[feature]?.contains(value) != true {
                values[feature, default: []].append(value)
            }
        }
        let credentials = values.isEmpty ? [] : Array(telling.filter(\.isCredential).prefix(1))
        let matchers = RecordedRequest.matchers(credentials, without: values)
        let own = requests.firstIndex(where: refused.contains).map { items[$0] }
        let others = values.isEmpty ? [] : guards.map { [Item(response: $0)] } ?? []
        return (own ?? others).map { (matchers: matchers, item: $0) }
    }

    /// The number of a route's 401 response, if other clients succeed with credentials; nil otherwise. Requests without
    /// credentials get it too.
    private func guards(_ steps: [Int]) -> Int? {
        let isGuarded = steps.contains { step in
            resources.steps.steps[step].exchange.status < 400
                && !resources.requests[resources.events[step].request].credentials.isEmpty
        }
        let refusal = steps.first { resources.steps.steps[$0].exchange.status == 401 }
        return isGuarded ? refusal.map { resources.events[$0].response } : nil
    }

    /// The rejected requests of a route, if all have one reason: unrecorded requests are then rejected too. For example, an
    /// unknown log-in is rejected, and a request with missing or unknown credentials.
    private func refused(_ requests: [Int], _ steps: [Int], _ telling: [RecordedRequest.Feature]) -> Set<Int> {
        guard !telling.isEmpty else { return [] }
        let isLogIn = steps.contains { resources.steps.steps[$0].isLogIn }
        let statuses: Set<Int> = isLogIn ? [400, 401, 403, 404, 409, 422] : [401, 403]
        let refused = requests.filter { request in
            let states = resources.states[request].states
            guard states.count == 1, states[0].responses.count == 1,
                statuses.contains(resources.responses[states[0].responses[0]].status)
            else { return false }
            // A request with credentials was rejected for another reason.
            return isLogIn || telling.contains(where: \.isCredential) && resources.requests[request].credentials.isEmpty
        }
        let responses = Set(refused.map { resources.states[$0].states[0].responses[0] })
        return responses.count == 1 && refused.count < requests.count ? Set(refused) : []
    }

    /// The response to unrecorded changes, if all others respond alike. It changes nothing, and the log says so.
    private func others(_ all: [Choice], _ telling: [RecordedRequest.Feature]) -> Choice? {
        guard telling.contains(where: \.isOfContent), let first = all.first?.item,
            all.contains(where: { $0.item.moves.count > 0 }),
            all.allSatisfy({ $0.item.response == first.response && $0.item.scenario == nil })
        else { return nil }
        var item = Item(response: first.response, delay: first.delay)
        for choice in all { for member in choice.item.moves.members { item.moves[member.key] = .object([:]) } }
        return (matchers: [:], item: item)
    }

    /// The responses to a request: first those for a state, last the one for all other states.
    ///
    /// - Parameter steps: the steps with the request, for responses with the recorded delays.
    private func items(_ request: Int, _ steps: [Int]) -> [Item] {
        func delay(_ response: Int) -> Duration {
            steps.first { resources.events[$0].response == response }
                .map { resources.steps.steps[$0].exchange.duration } ?? .zero
        }
        let moves = moves(by: request)
        let states = resources.states[request].states
        var items: [Item] = []
        var responses = Tally<Int>()
        for (state, known) in states.enumerated() {
            for (place, response) in known.responses.enumerated() {
                var item = Item(response: response, delay: delay(response), moves: moves)
                item.scenario = scenarios[request]
                item.required = name(state, place, of: request)
                if place + 1 < known.responses.count {
                    item.new = name(state, place + 1, of: request)
                } else if let next = known.next[request], next != state {
                    item.new = name(next, 0, of: request)
                }
                if !known.isRecorded, states.count > 1 { item.unrecorded = known.cause }
                items.append(item)
                if item.new == nil, item.unrecorded == nil { responses.add(response) }
            }
        }
        guard let usual = responses.mostFrequent ?? items.first?.response else { return [] }
        items.removeAll { $0.response == usual && $0.new == nil && $0.unrecorded == nil }
        return items + [Item(response: usual, delay: delay(usual), moves: moves)]
    }

    /// The other scenarios that a request moves, in the format under `moves`.
    private func moves(by request: Int) -> JSONObject {
        var moves = JSONObject()
        for (other, states) in resources.states.enumerated() where other != request && states.movers.contains(request) {
            guard let scenario = scenarios[other] else { continue }
            var own = JSONObject()
            for (number, state) in states.states.enumerated() {
                guard let next = state.next[request] else { continue }
                for place in 0..<max(1, state.responses.count) {
                    let name = name(number, place, of: other)
                    own[name] = .string(next == number ? name : self.name(next, 0, of: other))
                }
            }
            moves[scenario] = .object(own)
        }
        return moves
    }

    // MARK: Responses

    /// The body of a file that only contains the response's body; nil if the file needs more.
    private func bareBody(_ route: RecordedSteps.Route, _ item: Item) -> [UInt8]? {
        let response = resources.responses[item.response]
        guard route.kind != .sse, route.kind != .ws, item.required == nil, item.new == nil, item.moves.count == 0,
            item.delay == .zero,
            response.status == 200,
            response.session == .none,
            let text = String(validating: response.body, as: UTF8.self), !Template.hasTags(text),
            let document = try? JSONValue(parsing: response.body), document["$schema"] == nil,
            !text.hasPrefix("\u{FEFF}")
        else { return nil }
        let usual = route.kind.holdsPages ? pages?.contentType : "application/json"
        guard headers(response, usual: usual).count == 0, rules(document, route).isEmpty else { return nil }
        return response.body
    }

    private mutating func response(
        _ item: Item,
        _ matchers: JSONObject,
        _ route: RecordedSteps.Route,
        isRepeated: Bool
    ) -> JSONObject {
        let response = resources.responses[item.response]
        var object = JSONObject()
        if matchers.count > 0 { object["request"] = .object(matchers) }
        if let scenario = item.scenario { object["scenarioName"] = .string(scenario) }
        if let required = item.required { object["requiredScenarioState"] = .string(required) }
        if let new = item.new { object["newScenarioState"] = .string(new) }
        if item.moves.count > 0 {
            object["moves"] = .object(item.moves)
            let text = tokens.isEmpty ? "" : String(decoding: response.body, as: UTF8.self)
            let given = tokens.keys.filter(text.contains).min()
            if let client = given.flatMap({ tokens[$0] }) { object["newClient"] = .string(client) }
        }
        if let request = item.unrecorded {
            object["log"] = .string(
                "nothing was recorded between \(title(request)) and the next change; this is the response before it"
            )
        }
        // A stream's delays are between its events.
        if item.delay >= .milliseconds(1), route.kind != .sse, response.status != 101 {
            object["fixedDelayMilliseconds"] = JSONValue(Int((item.delay / .milliseconds(1)).rounded()))
        }
        if case .logIn(let user) = response.session { object["logIn"] = .string(user) }
        if response.status != 200, response.status != 101 { object["status"] = JSONValue(response.status) }
        let (body, usual) = body(response, route, isRepeated: isRepeated)
        let headers = headers(response, usual: usual)
        if headers.count > 0 { object["headers"] = .object(headers) }
        if let document = try? JSONValue(parsing: response.body), (200...299).contains(response.status) {
            let rules = rules(document, route)
            if !rules.isEmpty { object["expect"] = .array(rules.map(JSONValue.string)) }
        }
        if let body { object[body.key] = body.value }
        return object
    }

    /// The header fields, in the format under `headers`.
    ///
    /// - Parameter usual: the default media type without the field.
    private func headers(_ response: RecordedResponse, usual: String?) -> JSONObject {
        let fields = response.headers.filter { field in
            guard field.name == .contentType, let usual else { return true }
            return Self.plain(field.value) != Self.plain(usual)
        }
        return JSONValue.texts(fields.map { ($0.name.rawName, $0.value) }).object ?? JSONObject()
    }

    /// A media type without irrelevant differences.
    private static func plain(_ type: String) -> String {
        let plain = type.lowercased().filter { $0 != " " && $0 != "\"" }
        return plain.contains("json") || plain.contains("vnd.") ? plain.replacing(";charset=utf-8", with: "") : plain
    }

    /// The rules that a page breaks.
    private func rules(_ document: JSONValue, _ route: RecordedSteps.Route) -> [String] {
        route.kind.rules(brokenBy: document, at: PathPattern(route.pattern).text, pages)
    }

    /// The key and the value of a body, and the default media type for them; nil for no body.
    private mutating func body(
        _ response: RecordedResponse,
        _ route: RecordedSteps.Route,
        isRepeated: Bool
    ) -> (body: (key: String, value: JSONValue)?, usual: String?) {
        guard !response.body.isEmpty else { return (nil, nil) }
        if response.status == 101, let steps = try? JSONValue(parsing: response.body) {
            return (("steps", steps), nil)
        }
        if route.kind == .sse, response.status == 200, let steps = RecordedEvents.steps(response.body) {
            return (("steps", steps), RecordedEvents.type)
        }
        let pageType = route.kind.holdsPages && (200...299).contains(response.status) ? pages?.contentType : nil
        let isShared = isRepeated && response.body.count > Self.smallBody
        if !isShared, let document = try? JSONValue(parsing: response.body),
            document.bytes == response.body || document.bytes == response.body.withoutBlanks,
            document.depth <= Self.deepestDocument, !document.isNull, YAMLText.keeps(document)
        {
            return route.kind.written(document, status: response.status, pages)
        }
        let type = response.headers[.contentType] ?? ""
        if !isShared, response.body.count <= Self.largestText, !type.lowercased().contains("json"),
            let text = String(validating: response.body, as: UTF8.self),
            text.unicodeScalars.allSatisfy({ $0.value >= 0x20 || $0 == "\n" || $0 == "\t" || $0 == "\r" }),
            YAMLText.keeps(.string(text))
        {
            return (("body", .string(text)), "text/plain; charset=utf-8")
        }
        let isJSON = (try? JSONValue(parsing: response.body)) != nil
        let ending = isJSON ? "json" : Self.ending(of: type)
        let file = bodyFile(response.body, name: "\(route.name).\(route.kind.rawValue)", ending: ending)
        let own = file.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return (
            ("bodyFileName", .string(file)), pageType ?? MediaType.byEnding[own] ?? MediaType.unknown
        )
    }

    private mutating func bodyFile(_ bytes: [UInt8], name: String, ending: String) -> String {
        if let known = bodyFiles[bytes] { return known }
        let plain = name.replacing("[", with: "").replacing("]", with: "")
        let number = (bodyNames["\(plain).\(ending)"] ?? 0) + 1
        bodyNames["\(plain).\(ending)"] = number
        let file = number == 1 ? "\(plain).\(ending)" : "\(plain)-\(number).\(ending)"
        bodyFiles[bytes] = file
        if Template.hasTags(String(decoding: bytes, as: UTF8.self)) { taggedFiles.insert(file) }
        files.append(RecordedFile(path: "__files/\(file)", bytes: bytes))
        return file
    }

    /// The file name extension for a media type.
    private static func ending(of type: String) -> String {
        let plain = type.prefix { $0 != ";" }.lowercased()
        let preferred = [
            "json", "html", "txt", "png", "jpg", "gif", "webp", "svg", "xml", "pdf", "js", "css", "mp4", "zip",
        ]
        if let found = preferred.first(where: { MediaType.byEnding[$0]?.hasPrefix(plain) ?? false }), !plain.isEmpty {
            return found
        }
        let endings = MediaType.byEnding.filter { $0.value.prefix { $0 != ";" } == plain }.keys.sorted()
        return endings.first ?? "bin"
    }

    // MARK: YAML

    private mutating func writeYAML(_ responses: [JSONObject], to route: RecordedSteps.Route) {
        var document: JSONObject
        let hasTags = responses.contains { response in
            Template.hasTags(JSONValue.object(response.withoutLogIn).description)
                || taggedFiles.contains(response["bodyFileName"]?.string ?? "")
        }
        if responses.count == 1 {
            document = responses[0]
            if hasTags { document["template"] = false }
        } else {
            document = JSONObject()
            if hasTags { document["template"] = false }
            document["responses"] = .array(responses.map { .object($0) })
        }
        var text = ""
        if let schemas = options.schemas {
            let depth = route.name.split(separator: "/").count - 1
            let path =
                "\(String(repeating: "../", count: depth))\(schemas)/\(route.kind == .page ? "page" : "route").json"
            text = "# yaml-language-server: $schema=\(path)\n# $schema: \(path)\n"
        }
        if document.count > 0 { text += YAMLText.of(.object(document)) }
        files.append(RecordedFile(path: "\(route.name).\(route.kind.rawValue).yaml", bytes: Array(text.utf8)))
    }
}

extension RouteFileName.Kind {
    /// The key and the value of JSON in a file, and the default media type for them.
    func written(
        _ document: JSONValue,
        status: Int,
        _ pages: PageFormat?
    ) -> (body: (key: String, value: JSONValue)?, usual: String?) {
        guard holdsPages, (200...299).contains(status), let pages else {
            return (("jsonBody", document), "application/json")
        }
        let page = document.object?.count == 1 ? document[pages.envelope] : nil
        return (page.map { ("page", $0) } ?? ("jsonBody", document), pages.contentType)
    }

    /// The rules that a page breaks.
    func rules(brokenBy document: JSONValue, at path: String, _ pages: PageFormat?) -> [String] {
        guard holdsPages, let pages, document[pages.envelope] != nil else { return [] }
        return Set(pages.errors(in: document, path: path, app: RouteLookup { _ in nil }).map(\.rule)).sorted()
    }
}

extension [UInt8] {
    /// The JSON text without insignificant blanks.
    fileprivate var withoutBlanks: [UInt8] {
        var (isText, isEscaped) = (false, false)
        return filter { byte in
            if isText {
                if !isEscaped, byte == UInt8(ascii: "\"") { isText = false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                return true
            }
            isText = byte == UInt8(ascii: "\"")
            return !byte.isJSONSpace
        }
    }
}

extension JSONObject {
    /// The object without the log-in's tag, which is there on purpose.
    fileprivate var withoutLogIn: JSONObject {
        var object = self
        object["logIn"] = nil
        return object
    }
}

extension JSONValue {
    /// The nesting depth.
    fileprivate var depth: Int {
        switch self {
        case .array(let elements): 1 + (elements.map(\.depth).max() ?? 0)
        case .object(let object): 1 + (object.members.map(\.value.depth).max() ?? 0)
        default: 0
        }
    }
}
