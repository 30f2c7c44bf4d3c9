import Backlot
import BacklotJSON
import Xpedite

extension FuzzTarget {
    /// The packets of Xpedite clients, in a session with a form, a table and a menu: each gets HTTP 200 and a packet, which has the
    /// session's token if that was sent, and never another than the one that was sent. `TOKEN` stands for the session's.
    static let packets = FuzzTarget(name: "packets") { input async throws(Violation) in
        let (own, sent, response): (String, [UInt8], (status: Int, packet: JSONValue?))
        do {
            let app = try PacketApp()
            own = try await app.connect()
            sent = input.replacing(Array("TOKEN".utf8), with: Array(own.utf8))
            response = try await app.send(sent)
        } catch {
            throw Violation(description: "\(error)")
        }
        try require(response.status == 200, "the status is \(response.status)")
        let result = response.packet
        try require(result?["rc"]?.number?.int64 != nil, "the answer has no rc: \(String(describing: result))")
        guard let packet = (try? JSONValue(parsing: sent))?.object, let method = packet["method"]?.string else {
            return false
        }
        if method != "setConnection", let token = packet["token"]?.string {
            let received = result?["token"]?.string
            try require(
                received == token || received == nil && token != own,
                "\(token) comes back as \(received ?? "nil")"
            )
        }
        return result?["rc"] == 0
    }
}

/// An app whose first page has a form.
private struct PacketApp {
    private struct Entry: Decodable {
        var name: String
        var count: Int?
        var day: Day?
        var isOn: Bool?
    }

    private let handler: any Handler

    init() throws {
        let router = Router()
        router.use(Decompression())
        var configuration = XpediteConfiguration()
        configuration.validation = .off
        router.xpedite("/x", version: 1, configuration: configuration) { app in
            app.connect { _ in
                page {
                    slideFrom(.left, id: "menu") { menuEntry("Home", "home") }
                    form(id: "f") {
                        textbox(name: "name")
                        date(name: "day")
                        checkbox(name: "isOn")
                        select(name: "s", options: ["a": "A"])
                    }
                    .save("save").cancel("home")
                }
            }
            app.method("save", Entry.self, form: "f") { entry, _ in
                entry.name == "taken" ? ["name": "is taken"] : [:]
            } handler: { entry, _ in
                page { label(entry.name) }
            }
            app.method("home", Entry.self, selected: "name") { entry, _ in page { label(entry.name) } }
            app.table("rows", batch: 2) { offset, _, _ in offset == 0 ? [["a": 1]] : [] }
        }
        handler = router.handler()
    }

    /// Begins a session.
    ///
    /// - Returns: its token.
    func connect() async throws -> String {
        try await send(Array(#"{"method":"setConnection","uuid":"u"}"#.utf8)).packet?["token"]?.string ?? ""
    }

    func send(_ body: [UInt8]) async throws -> (status: Int, packet: JSONValue?) {
        let result = try handler.respond(to: try Request(.post, "/x", body: body))
        let response = try await result.response()
        guard case .bytes(let bytes) = response.body else { return (Int(response.status.code), nil) }
        return (Int(response.status.code), try? JSONValue(parsing: bytes))
    }
}
