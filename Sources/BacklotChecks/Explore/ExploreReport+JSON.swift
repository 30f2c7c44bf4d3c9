internal import Backlot
internal import BacklotHTTP
public import BacklotJSON

extension ExploreReport {
    /// The report for programs. The keys stay the same from version to version; there may be more of them.
    ///
    /// | key | value |
    /// |---|---|
    /// | `protocol`, `url` | the protocol's name, such as `dynamic-views`; the app's URL |
    /// | `seed`, `parallel` | what repeats the run |
    /// | `unreachable` | why there was no connection, or null |
    /// | `steps`, `sessions`, `pages`, `requests`, `milliseconds` | how far it came |
    /// | `errors`, `warnings` | how many findings there are of each severity |
    /// | `findings` | the findings, each also with `flow` (steps), `test` (in Swift), `flaky`, `shortest`, `explorer` |
    /// | `more` | how many further findings there are |
    /// | `elsewhere` | the other servers that something led to, which weren't asked |
    /// | `stopped_by` | `steps`, `time`, `backend` or `interrupted` |
    public var json: JSONValue {
        let errors = discoveries.count { $0.finding.severity == .error }
        return [
            "protocol": .string(appProtocol.name),
            "url": .string("\(url)"),
            // Beyond what every reader of JSON takes as a number.
            "seed": .string("\(seed)"),
            "parallel": .count(explorers),
            "unreachable": unreachable.map { .string("\($0)") } ?? .null,
            "steps": .count(steps),
            "sessions": .count(sessions),
            "pages": .count(pages),
            "requests": .count(requests),
            "milliseconds": .count(Int(duration.milliseconds)),
            "errors": .count(errors),
            "warnings": .count(discoveries.count - errors),
            "findings": .array(
                discoveries.map { discovery in
                    var object = discovery.finding.json
                    for member in discovery.json.object?.members ?? [] { object[member.key] = member.value }
                    return .object(object)
                }
            ),
            "more": .count(more),
            "elsewhere": .array(elsewhere.map { .string($0) }),
            "stopped_by": .string(bound.rawValue),
        ]
    }
}
