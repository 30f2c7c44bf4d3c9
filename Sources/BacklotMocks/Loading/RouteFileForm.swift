import Backlot
import BacklotJSON

/// One answer of a route file in YAML: `request`, and the answer's own keys beside it or below `response`.
struct RouteFileForm {
    static let itemKeys = [
        "request", "response", "name", "priority", "scenarioName", "requiredScenarioState", "newScenarioState",
        "data", "expect",
    ]
    static let requestKeys = RequestPattern.matcherKeys + ["query", "whenData"]
    static let answerKeys = StubAnswer.keys + StubAnswer.ownKeys
    /// The keys beside `responses` that apply to all of them.
    static let sharedKeys = ["scenarioName", "requiresLogin", "template"]

    /// The answer with the keys beside it.
    let item: Field
    let request: Field?
    let answer: Field

    /// The answers of a file, in their order.
    static func items(_ file: Field) throws(StubProblem) -> [RouteFileForm] {
        var reading = StubReading(.refused)
        guard let responses = file["responses"] else {
            try reading.check(file, knows: itemKeys + ["responses"] + answerKeys)
            return [try RouteFileForm(file)]
        }
        for (key, member) in try file.members() where key != "responses" && !sharedKeys.contains(key) {
            guard (itemKeys + answerKeys).contains(key) else { continue }
            throw StubProblem(
                "beside 'responses' stand \(sharedKeys.alternatives) only; move '\(key)' into one of the responses",
                at: member.path,
                isAboutKey: true
            )
        }
        try reading.check(file, knows: ["responses"] + sharedKeys)
        var items: [RouteFileForm] = []
        for element in try responses.elements() {
            try reading.check(element, knows: itemKeys + answerKeys)
            var object = try element.object()
            for key in sharedKeys where object[key] == nil && file[key] != nil { object[key] = file[key]?.value }
            items.append(try RouteFileForm(Field(.object(object), at: element.path)))
        }
        guard !items.isEmpty else { throw responses.problem("the list is empty; write at least one answer") }
        return items
    }

    private init(_ item: Field) throws(StubProblem) {
        self.item = item
        request = item["request"]
        let object = try item.object()
        let own = object.members.filter { Self.answerKeys.contains($0.key) }
        guard let response = item["response"] else {
            answer = Field(.object(Self.object(own)), at: item.path)
            return
        }
        // Keys that all answers of the file share may stand beside `response`.
        if let extra = own.first(where: { !Self.sharedKeys.contains($0.key) }) {
            throw StubProblem(
                "there is a 'response' already; move '\(extra.key)' into it",
                at: item.path + [.key(extra.key)],
                isAboutKey: true
            )
        }
        var merged = try response.object()
        for member in own where merged[member.key] == nil { merged[member.key] = member.value }
        answer = Field(.object(merged), at: response.path)
    }

    private static func object(_ members: [JSONObject.Member]) -> JSONObject {
        members.reduce(into: JSONObject()) { $0[$1.key] = $1.value }
    }
}
