import Backlot
import BacklotMocks

/// Writes recorded routes as files.
struct RouteFileWriter {
    private let machine: RecordedMachine
    private let pages: PageFormat?
    private let options: RouteRecording.Options
    private(set) var files: [RecordedFile] = []
    /// The files of bodies, by what they hold.
    private var bodyFiles: [[UInt8]: String] = [:]
    /// Those with braces that are no tags.
    private var taggedFiles: Set<String> = []
    /// How many of them have each name.
    private var bodyNames: [String: Int] = [:]

    /// Bodies of fewer bytes may stand in a file more than once.
    private static let smallBody = 120
    /// Longer texts are files of their own.
    private static let largestText = 2000
    private static let deepestDocument = 40

    init(_ machine: RecordedMachine, pages: PageFormat?, options: RouteRecording.Options) {
        self.machine = machine
        self.pages = pages
        self.options = options
        let steps = Dictionary(grouping: machine.steps.steps.indices) { machine.steps.steps[$0].route }
        for (index, route) in machine.steps.routes.enumerated() { write(route, steps[index] ?? []) }
    }

    /// One answer of a file.
    private struct Item: Equatable {
        var required: Int?
        var new: Int?
        let answer: Int
        let delay: Duration
    }

    private mutating func write(_ route: RecordedSteps.Route, _ steps: [Int]) {
        var numbers = Numbering<Int>()
        for step in steps { _ = numbers.number(of: machine.events[step].request) }
        let requests = numbers.elements
        let items = requests.map { request in
            self.items(request, options.withDelays ? steps.filter { machine.events[$0].request == request } : [])
        }
        let groups = items.map { own in items.firstIndex(of: own) ?? 0 }
        let telling = RecordedRequest.telling(requests.map { machine.requests[$0] }, groups: groups)
        var seen: [(matchers: JSONObject, items: [Item])] = []
        for (request, own) in zip(requests, items) {
            let matchers = machine.requests[request].matchers(telling)
            if !seen.contains(where: { $0.matchers == matchers }) { seen.append((matchers, own)) }
        }
        let all = seen.flatMap { matchers, items in items.map { (matchers: matchers, item: $0) } }
        if all.count == 1, all[0].matchers.count == 0, let bytes = bareBody(route, all[0].item) {
            files.append(RecordedFile(path: "\(route.name).\(route.kind.rawValue).json", bytes: bytes))
            return
        }
        let same = Dictionary(grouping: all, by: \.item.answer)
        let responses = all.map { matchers, item in
            response(item, matchers, route, isRepeated: same[item.answer, default: []].count > 1)
        }
        writeYAML(responses, to: route)
    }

    /// The answers to a request: those in some state first, and at last the one of all other states.
    ///
    /// - Parameter steps: those that had the request, where answers take as long as they took.
    private func items(_ request: Int, _ steps: [Int]) -> [Item] {
        func delay(_ answer: Int) -> Duration {
            steps.first { machine.events[$0].answer == answer }
                .map { machine.steps.steps[$0].exchange.duration } ?? .zero
        }
        var items: [Item] = []
        var answers = Tally<Int>()
        for (state, known) in machine.states.answers.enumerated() {
            guard let answer = known[request] else { continue }
            let next = machine.states.next(state, request)
            items.append(Item(required: state, new: next, answer: answer, delay: delay(answer)))
            answers.add(answer)
        }
        guard let usual = answers.mostFrequent else { return [] }
        items.removeAll { $0.answer == usual && $0.new == nil }
        return items + [Item(answer: usual, delay: delay(usual))]
    }

    // MARK: Answers

    /// The body of a file that is nothing but its answer's; nil where there is more to say.
    private func bareBody(_ route: RecordedSteps.Route, _ item: Item) -> [UInt8]? {
        let answer = machine.answers[item.answer]
        guard item.required == nil, item.new == nil, item.delay == .zero, answer.status == 200, answer.session == .none,
            let text = String(validating: answer.body, as: UTF8.self), !Template.hasTags(text),
            let document = try? JSONValue(parsing: answer.body), document["$schema"] == nil,
            !text.hasPrefix("\u{FEFF}")
        else { return nil }
        let usual = route.kind.holdsPages ? pages?.contentType : "application/json"
        guard headers(answer, usual: usual).count == 0, rules(document, route).isEmpty else { return nil }
        return answer.body
    }

    private mutating func response(
        _ item: Item,
        _ matchers: JSONObject,
        _ route: RecordedSteps.Route,
        isRepeated: Bool
    ) -> JSONObject {
        let answer = machine.answers[item.answer]
        var object = JSONObject()
        if matchers.count > 0 { object["request"] = .object(matchers) }
        if let required = item.required {
            object["scenarioName"] = .string(options.scenario)
            object["requiredScenarioState"] = .string(machine.states.names[required])
        }
        if let new = item.new { object["newScenarioState"] = .string(machine.states.names[new]) }
        if item.delay >= .milliseconds(1) {
            object["fixedDelayMilliseconds"] = JSONValue(Int((item.delay / .milliseconds(1)).rounded()))
        }
        switch answer.session {
        case .none: break
        case .logIn(let user): object["logIn"] = .string(user)
        case .logOut: object["logOut"] = true
        }
        if answer.status != 200 { object["status"] = JSONValue(answer.status) }
        let (body, usual) = body(answer, route, isRepeated: isRepeated)
        let headers = headers(answer, usual: usual)
        if headers.count > 0 { object["headers"] = .object(headers) }
        if let document = try? JSONValue(parsing: answer.body), (200...299).contains(answer.status) {
            let rules = rules(document, route)
            if !rules.isEmpty { object["expect"] = .array(rules.map(JSONValue.string)) }
        }
        if let body { object[body.key] = body.value }
        return object
    }

    /// The header fields, as they stand below `headers`.
    ///
    /// - Parameter usual: the media type without the field.
    private func headers(_ answer: RecordedAnswer, usual: String?) -> JSONObject {
        let fields = answer.headers.filter { field in
            guard field.name == .contentType, let usual else { return true }
            return Self.plain(field.value) != Self.plain(usual)
        }
        return JSONValue.texts(fields.map { ($0.name.rawName, $0.value) }).object ?? JSONObject()
    }

    /// A media type without what makes no difference.
    private static func plain(_ type: String) -> String {
        let plain = type.lowercased().filter { $0 != " " && $0 != "\"" }
        return plain.contains("json") || plain.contains("vnd.") ? plain.replacing(";charset=utf-8", with: "") : plain
    }

    /// The rules that a page breaks.
    private func rules(_ document: JSONValue, _ route: RecordedSteps.Route) -> [String] {
        route.kind.rules(brokenBy: document, at: PathPattern(route.pattern).text, pages)
    }

    /// The key and the value of a body, and the media type that goes with it; nil for no body.
    private mutating func body(
        _ answer: RecordedAnswer,
        _ route: RecordedSteps.Route,
        isRepeated: Bool
    ) -> (body: (key: String, value: JSONValue)?, usual: String?) {
        guard !answer.body.isEmpty else { return (nil, nil) }
        let pageType = route.kind.holdsPages && (200...299).contains(answer.status) ? pages?.contentType : nil
        let isShared = isRepeated && answer.body.count > Self.smallBody
        if !isShared, let document = try? JSONValue(parsing: answer.body), document.bytes == answer.body,
            document.depth <= Self.deepestDocument, !document.isNull, YAMLText.keeps(document)
        {
            return route.kind.written(document, status: answer.status, pages)
        }
        let type = answer.headers[.contentType] ?? ""
        if !isShared, answer.body.count <= Self.largestText, !type.lowercased().contains("json"),
            let text = String(validating: answer.body, as: UTF8.self),
            text.unicodeScalars.allSatisfy({ $0.value >= 0x20 || $0 == "\n" || $0 == "\t" || $0 == "\r" }),
            YAMLText.keeps(.string(text))
        {
            return (("body", .string(text)), "text/plain; charset=utf-8")
        }
        let isJSON = (try? JSONValue(parsing: answer.body)) != nil
        let ending = isJSON ? "json" : Self.ending(of: type)
        let file = bodyFile(answer.body, name: "\(route.name).\(route.kind.rawValue)", ending: ending)
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

    /// The ending of a file with a media type.
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
    /// The key and the value that JSON has in a file, and the media type that goes with it.
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

extension JSONObject {
    /// The object without the tag of a log-in, which is one on purpose.
    fileprivate var withoutLogIn: JSONObject {
        var object = self
        object["logIn"] = nil
        return object
    }
}

extension JSONValue {
    /// How deeply parts are nested.
    fileprivate var depth: Int {
        switch self {
        case .array(let elements): 1 + (elements.map(\.depth).max() ?? 0)
        case .object(let object): 1 + (object.members.map(\.value.depth).max() ?? 0)
        default: 0
        }
    }
}
