import Foundation
import Testing

@testable import bench

/// The entry to HttpArena and TechEmpower keeps their rules.
@Suite(.timeLimit(.minutes(5))) struct ArenaEntryTests {
    @Test(arguments: ArenaChecks.all.map(\.name))
    func `The arena's entry passes each check`(_ name: String) throws {
        let workspace = try Workspace()
        defer { workspace.remove() }
        let folder = try ArenaFolder(in: workspace)
        let process = try ChildProcess(
            "arena-entry",
            executable: workspace.program("arena-entry"),
            arguments: ["--host", "127.0.0.1", "--port", "0", "--data", folder.folder.path],
            in: workspace
        )
        let checks = ArenaChecks(port: try process.announcedPort(), folder: folder, workspace: workspace)
        for check in ArenaChecks.all where check.name == name { try check.run(checks) }
    }

    @Test func `An entry without data names the missing file`() throws {
        let workspace = try Workspace()
        defer { workspace.remove() }
        let process = try ChildProcess(
            "arena-entry",
            executable: workspace.program("arena-entry"),
            arguments: ["--port", "0", "--data", workspace.folder.path],
            in: workspace
        )
        let failure = #expect(throws: CheckFailure.self) { try process.finish() }
        #expect(failure?.description.contains("dataset.json") == true)
    }
}

@Suite(.timeLimit(.minutes(5))) struct ArenaRulesTests {
    private static let fields = [
        "server": "S", "content-type": "text/plain", "content-length": "13", "date": "",
    ]

    private func make(_ changes: [String: String?] = [:], status: Int = 200, body: String = "Hello, World!") -> Response
    {
        let form = DateFormatter()
        form.locale = Locale(identifier: "en_US_POSIX")
        form.timeZone = TimeZone(identifier: "GMT")
        form.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        var fields = Self.fields
        fields["date"] = form.string(from: Date())
        for (name, value) in changes { fields[name] = value }
        return Response(status: status, fields: fields, body: Array(body.utf8))
    }

    @Test(arguments: ["text/plain", "text/plain; charset=utf-8", "text/plain;charset=UTF-8"])
    func `A right text is accepted with each spelling of its type`(_ type: String) throws {
        try ArenaRules.requireText("Hello, World!", make(["content-type": type]))
    }

    @Test func `Another status, text or type is refused`() {
        for response in [
            make(status: 404), make(body: "Hello, World"), make(["content-type": "text/html"]),
            make(["content-type": nil]),
        ] {
            #expect(throws: CheckFailure.self) { try ArenaRules.requireText("Hello, World!", response) }
        }
    }

    @Test func `A response needs its server, date, length and type`() throws {
        try ArenaRules.requireFields(make())
        try ArenaRules.requireFields(make(["content-length": nil, "transfer-encoding": "chunked"]))
        for changes in [
            ["server": nil], ["date": nil], ["date": "Sun, 06 Nov 1994 08:49:37 GMT"], ["date": "now"],
            ["content-length": nil],
            ["content-type": nil],
        ] as [[String: String?]] {
            #expect(throws: CheckFailure.self) { try ArenaRules.requireFields(make(changes)) }
        }
    }

    @Test func `Items are accepted only with their count, order and totals`() throws {
        var items = Array(ArenaFolder.items.prefix(2))
        for index in items.indices { items[index].total = items[index].price * items[index].quantity * 3 }
        struct Body: Encodable { var items: [ArenaFolder.Item], count: Int }
        let encode = { (body: Body) in Array(try JSONEncoder().encode(body)) }
        try ArenaRules.requireItems(2, times: 3, try encode(Body(items: items, count: 2)))
        let others = [
            Body(items: items, count: 3), Body(items: [items[0]], count: 2), Body(items: items.reversed(), count: 2),
            Body(items: Array(ArenaFolder.items.prefix(2)), count: 2),
        ]
        for body in others {
            #expect(throws: CheckFailure.self) { try ArenaRules.requireItems(2, times: 3, try encode(body)) }
        }
        #expect(throws: CheckFailure.self) {
            try ArenaRules.requireItems(2, times: 4, try encode(Body(items: items, count: 2)))
        }
    }
}
