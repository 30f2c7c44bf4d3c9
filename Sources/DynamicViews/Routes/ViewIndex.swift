import Backlot

/// Answers the names of all views: `{"views":["dashboard"]}`.
struct ViewIndex: Handler {
    let names: [String]

    func answer(_ request: Request) -> Answer {
        let list = JSONValue.object(["views": .array(names.sorted().map(JSONValue.string))])
        return .ready(Response(headers: [.contentType: "application/json"], body: .bytes(list.bytes)))
    }
}
