import A2UIServing
import Applin
import Backlot
import BacklotJSON
import BacklotTesting

// Asks a router in process for a page of Applin and for surfaces of A2UI with the same texts, and has the surfaces updated. It prints what
// each request takes, one JSON object a line: {"name":"surface","ns":1234}. Names as arguments choose some of them. All take turns, and the fastest of many rounds counts, so that
// other work on the machine does not decide the ratios.

struct Row: Codable, Sendable {
    var title = "A slot with Dr Ito on Monday"
    var isTaken = false
}

struct Screen: Codable, Sendable {
    var count = 1
    var rows: [Row] = []
}

struct Change: Codable, Sendable { var row = 0 }

let count = SurfaceAction<NoContext>("count")
let take = SurfaceAction<Change>("take")
let takeInModel = SurfaceAction<Change>("takeInModel")

let texts = (1...30).map { "Line \($0) of the page, with some words for the reader" }

@TreeBuilder func tree(_ m: Dynamic<Screen>) -> Element {
    column {
        for line in texts { text(verbatim: line) }
        text("Count \(m.count)")
        for number in 1...4 { button("Count \(number)", count.event()) }
    }
}

let router = Router()
router.applin("/") { app in
    app.page("/") { _ in
        Applin.navPage("Lines") {
            Applin.scroll {
                Applin.column {
                    for line in texts { Applin.text(line) }
                    Applin.text("Count 1")
                    for number in 1...4 { Applin.button("Count \(number)") { Applin.rpc("/count") } }
                }
            }
        }
    }
    app.rpc("/count") { _ in }
}
router.a2ui("/assistant/") { app in
    for (name, isFixed) in [("made", false), ("fixed", true)] {
        let surface =
            isFixed
            ? app.surface(name) { _ in
                Screen()
            } tree: { m in
                tree(m)
            }
            : app.surface(name) { _ in
                Screen()
            } tree: { m, _ in
                tree(m)
            }
        surface.on(count) { _, turn in turn.model.count += 1 }
    }
    for size in [10, 1000] {
        // The client's model stays with the client: a request with 1,000 rows would be as long as they are.
        let rows = app.surface("rows\(size)", sendsDataModel: false) { _ in
            Screen(rows: Array(repeating: Row(), count: size))
        } tree: { m in
            column {
                list(m.rows) { row in
                    column {
                        text(row.title)
                        button("Take", take.event())
                    }
                }
            }
        }
        rows.on(take) { change, m, values in
            let isTaken = m.rows[change.row].isTaken
            try values.set(isTaken, to: !values.value(isTaken))
        }
        rows.on(takeInModel) { change, turn in turn.model.rows[change.row].isTaken.toggle() }
    }
}

guard let field = HTTPField.Name("A2UI-Client") else { fatalError("a field has another form") }
let transport = try InProcessTransport(router.handler())

/// - Parameter client: the client's id; nil for a new one.
func get(_ path: String, _ client: String?) throws -> ClientRequest {
    var headers: HTTPFields = [:]
    headers[field] = client
    return try ClientRequest(.get, HTTPURL("http://localhost\(path)"), headers: headers)
}

func post(_ action: String, on surface: String, _ context: String, _ client: String?) throws -> ClientRequest {
    var headers: HTTPFields = [.contentType: "application/a2ui+json"]
    headers[field] = client
    let body =
        #"{"version":"v0.9","action":{"name":"\#(action)","surfaceId":"\#(surface)","sourceComponentId":"b","#
        + #""timestamp":"2026-01-01T00:00:00Z","context":\#(context)}}"#
    return try ClientRequest(
        .post,
        HTTPURL("http://localhost/assistant/actions"),
        headers: headers,
        body: Array(body.utf8)
    )
}

func ask(_ request: ClientRequest) async throws -> ClientResponse {
    let response = try await transport.response(to: request, limits: ClientLimits())
    guard response.status == .ok, response.body.count > 2 else {
        fatalError("\(request.url): \(response.status) \(response.text)")
    }
    return response
}

let client = try await ask(get("/assistant/surfaces/made", nil)).headers[field]
for name in ["fixed", "rows10", "rows1000"] { _ = try await ask(get("/assistant/surfaces/\(name)", client)) }

let requests = try [
    ("page", get("/", nil)), ("surface", get("/assistant/surfaces/made", client)),
    ("surface with a fixed tree", get("/assistant/surfaces/fixed", client)),
    ("update of a value", post("count", on: "fixed", "{}", client)),
    ("update of a value, with its tree", post("count", on: "made", "{}", client)),
    ("update of 1 of 10", post("take", on: "rows10", #"{"row":7}"#, client)),
    ("update of 1 of 1000", post("take", on: "rows1000", #"{"row":7}"#, client)),
    ("update of 1 of 1000, with its model", post("takeInModel", on: "rows1000", #"{"row":7}"#, client)),
].filter { name, _ in CommandLine.arguments.count == 1 || CommandLine.arguments.contains(name) }

/// Nanoseconds for one request, away from the main actor.
@concurrent func measure(_ request: ClientRequest, over transport: InProcessTransport) async throws -> Double {
    let start = ContinuousClock.now
    for _ in 0..<100 { _ = try await transport.response(to: request, limits: ClientLimits()) }
    return (ContinuousClock.now - start) / .nanoseconds(100)
}

var best = [Double](repeating: .infinity, count: requests.count)
for _ in 0..<30 {
    for (index, (_, request)) in requests.enumerated() {
        _ = try await ask(request)
        best[index] = min(best[index], try await measure(request, over: transport))
    }
}
for ((name, _), nanoseconds) in zip(requests, best) {
    var line = JSONWriter()
    line.object {
        $0.field("name", name)
        $0.field("ns", nanoseconds.rounded())
    }
    print(String(decoding: line.bytes, as: UTF8.self))
}
