import Backlot
import BacklotJSON

/// One answer of a route file in YAML: `request`, and the answer's own keys beside it or below `response`.
struct RouteFileForm {
    /// The keys beside the answer's own.
    static let keys: [Key] =
        [
            .optional("request", .object(.ownRequest), "The requests that are answered; without it, all."),
            .optional("response", .object(.ownAnswer), "The answer; its keys may also stand beside this one."),
        ] + Stub.sharedKeys + [
            DataChange.key,
            .optional(
                "expect",
                .either([.string, .array(.string)]),
                "Rules that the page breaks on purpose, such as duplicate-var-name."
            ),
        ]
    static let responses = Key.optional(
        "responses",
        .objects(.item),
        "Several answers: the first whose request matches is taken."
    )
    /// The keys beside `responses` that apply to all of them.
    private static let sharedKeys = ["scenarioName", "requiresLogin", "template"]
    private static let itemKeys = Set(keys.map(\.name))

    /// The answer with the keys beside it.
    let item: LocatedValue
    let request: LocatedValue?
    let answer: LocatedValue

    /// The answers of a file that has only keys of its kind, in their order.
    static func items(_ file: LocatedValue) throws(StubProblem) -> [RouteFileForm] {
        guard let responses = file["responses"] else { return [try RouteFileForm(file)] }
        for (key, member) in try file.members() where key != "responses" && !sharedKeys.contains(key) {
            throw member.keyProblem(
                "beside 'responses' stand \(sharedKeys.alternatives) only; move '\(key)' into one of the responses"
            )
        }
        var items: [RouteFileForm] = []
        for element in responses.each {
            var object = try element.object()
            for key in sharedKeys where object[key] == nil && file[key] != nil { object[key] = file[key]?.value }
            items.append(try RouteFileForm(LocatedValue(.object(object), at: element.path)))
        }
        guard !items.isEmpty else { throw responses.problem("the list is empty; write at least one answer") }
        return items
    }

    private init(_ item: LocatedValue) throws(StubProblem) {
        self.item = item
        request = item["request"]
        let own = try item.members().filter { !Self.itemKeys.contains($0.key) && $0.key != "responses" }
        // Keys that all answers of the file share may stand beside `response`.
        if item["response"] != nil, let extra = own.first(where: { !Self.sharedKeys.contains($0.key) }) {
            throw extra.field.keyProblem("there is a 'response' already; move '\(extra.key)' into it")
        }
        var merged = item["response"]?.value.object ?? JSONObject()
        for member in own where merged[member.key] == nil { merged[member.key] = member.field.value }
        answer = LocatedValue(.object(merged), at: item["response"]?.path ?? item.path)
    }
}
