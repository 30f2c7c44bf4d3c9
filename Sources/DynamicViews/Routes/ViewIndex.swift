import Backlot

/// Answers with the names of all views: `{"views":["dashboard"]}`.
struct ViewIndex: Handler {
    let names: [String]

    func handle(_ request: Request) async throws -> Response {
        let list = JSONValue.object(["views": .array(names.sorted().map(JSONValue.string))])
        return Response(headers: [.contentType: "application/json"], body: .bytes(list.bytes))
    }
}
