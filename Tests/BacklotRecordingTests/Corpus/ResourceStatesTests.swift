import Applin
import Backlot
import TestSupport
import Testing

@testable import BacklotMocks
@testable import BacklotRecording

/// The states of resources: tables, and random backends with their clients in between.
@Suite(.timeLimit(.minutes(5))) struct ResourceStatesTests {
    /// A timeline in letters: a digit is a response, a letter a change. What follows an arrow are the states: responses, and ways.
    @Test(arguments: [
        ("0", "0"), ("0a1", "0a1 1"), ("0a1a0a1", "0a1 1a0"), ("0aaa1", "0a1 0?a2 0?a3 1"), ("0ab1", "0a0b1 1"),
        ("0a1b0a2", "0a1 1b2 0a3 2"), ("a0b1", "0a0b1 1"), ("0a1c", "0a1 1"), ("0a0a1", "0a1 0a2 1"), ("a", ""),
        ("0a1b1b2", "0a1 1b2 1b3 2"),
    ])
    func `A timeline becomes its states`(timeline: String, expected: String) {
        let states = ResourceStates([Self.events(timeline)], isVolatile: false)
        #expect(states.isExplained)
        #expect(Self.text(states) == expected)
    }

    @Test(arguments: [
        ("0121", "0121"), ("000", "0"), ("01a22", "01a1 2"), ("01a0b3", "01a1 0b2 3"), ("0a11", "0a1 1"),
    ])
    func `Responses that change by themselves become a sequence`(timeline: String, expected: String) {
        #expect(Self.text(ResourceStates([Self.events(timeline)], isVolatile: true)) == expected)
    }

    @Test func `What nothing explains is said`() {
        #expect(!ResourceStates([Self.events("01")], isVolatile: false).isExplained)
        #expect(!ResourceStates([Self.events("0a1"), Self.events("0a2")], isVolatile: false).isExplained)
        #expect(ResourceStates([Self.events("0a1"), Self.events("0b2a1")], isVolatile: false).isExplained)
    }

    @Test func `A sequence that goes on for ever is cut`() {
        let events = (0..<5000).map { ResourceStates.Event.saw($0) }
        #expect(ResourceStates([events], isVolatile: true).states[0].responses.count == 100)
    }

    private static func events(_ text: String) -> [ResourceStates.Event] {
        text.map { sign in
            sign.wholeNumberValue.map { .saw($0) } ?? .changed(Int(sign.asciiValue ?? 0))
        }
    }

    private static func text(_ states: ResourceStates) -> String {
        states.states.map { state in
            state.responses.map(String.init).joined() + (state.isRecorded || state.responses.isEmpty ? "" : "?")
                + state.next.sorted { $0.key < $1.key }.map { "\(Character(Unicode.Scalar(UInt8($0.key))))\($0.value)" }
                .joined()
        }
        .joined(separator: " ")
    }

    /// A backend in which each client has some values, and changes that make others of them.
    private struct RandomBackend {
        let values: Int
        /// What each change makes of each value.
        let changes: [[Int]]
        let moduli: [Int]
        private(set) var worlds: [String: [Int]] = [:]

        init(_ generator: inout SeededGenerator) {
            let count = Int.random(in: 1...4, using: &generator)
            values = count
            moduli = (0..<count).map { _ in Int.random(in: 2...5, using: &generator) }
            changes = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                (0..<count).map { _ in Bool.random(using: &generator) ? Int.random(in: 1...3, using: &generator) : 0 }
            }
        }

        mutating func value(_ number: Int, of client: String) -> Int { worlds[client]?[number] ?? 0 }

        mutating func change(_ number: Int, by client: String) {
            var world = worlds[client] ?? Array(repeating: 0, count: values)
            for index in world.indices { world[index] = (world[index] + changes[number][index]) % moduli[index] }
            worlds[client] = world
        }
    }

    @Test(arguments: 0..<40)
    func `Random backends with random clients are replayed as they were recorded`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var backend = RandomBackend(&generator)
        let names = ["tasks", "notes", "cart", "me"]
        let clients = ["ann", "bob", "cid"].prefix(Int.random(in: 1...3, using: &generator))
        var lines: [String] = []
        for _ in 0..<Int.random(in: 10...80, using: &generator) {
            let client = clients.randomElement(using: &generator) ?? "ann"
            // One of them keeps cookies.
            let name = client == "bob" ? client : client.uppercased()
            if Bool.random(using: &generator) {
                let number = Int.random(in: 0..<backend.values, using: &generator)
                let value = backend.value(number, of: client)
                lines.append("\(name) GET /\(names[number]) @token-of-\(client) > 200 {\"v\":\(value)}")
            } else {
                let number = Int.random(in: 0..<backend.changes.count, using: &generator)
                backend.change(number, by: client)
                lines.append("\(name) POST /\(names[number])/change @token-of-\(client) > 204")
            }
        }
        let example = CorpusCase("", lines.joined(separator: "\n"))
        let recording = RouteRecording(example.exchanges, formats: [.applin()])
        try await withMocks(recording.texts) { mocks, _ in
            let differences = try await CorpusCase.differences(example.recorded, mocks)
            #expect(differences == [], "\(recording.hints)")
        }
    }

    @Test func `A light that is switched ten thousand times has two states`() {
        let events = (0..<10_000).flatMap { [ResourceStates.Event.saw($0 % 2), .changed(7)] }
        let states = ResourceStates([events], isVolatile: false)
        #expect(states.isExplained && states.states.count == 2)
    }

    @Test func `Tokens of a megabyte are written, and load`() async throws {
        let token = String(repeating: "t0k", count: 350_000)
        let example = CorpusCase(
            "",
            """
            A POST /login {"user":"ann"} > 200 {"token":"\(token)"}
            A GET /tasks @\(token) > 200 []
            A POST /tasks {"t":"x"} @\(token) > 201
            A GET /tasks @\(token) > 200 ["x"]
            A GET /tasks > 401 no
            """
        )
        let recording = RouteRecording(example.exchanges, formats: [.applin()])
        try await withMocks(recording.texts) { mocks, routes in
            #expect(routes.problems.isEmpty && mocks.backend.stubs.count >= 4)
            let status = try await mocks.ask(.get, "/tasks").status
            #expect(status == .unauthorized)
        }
    }

    @Test func `What was never recorded is said in the log`() async throws {
        let example = CorpusCase(
            "",
            """
            a GET /tasks > 200 []
            a POST /tasks {"t":"x"} > 201
            a GET /tasks > 200 ["x"]
            a DELETE /tasks/1 > 204
            a GET /tasks > 200 []
            """
        )
        let texts = RouteRecording(example.exchanges, formats: [.applin()]).texts
        try await withTemporaryFolder { folder in
            for (name, text) in texts { try folder.write(text, to: name) }
            let log = LogRecorder()
            let backend = MockBackend(MockConfiguration(formats: [.applin()]), logger: log.logger)
            try RouteFiles(folder.path, backend: backend).load()
            #expect(log.lines == [])
            _ = try await backend.response(to: Request(.delete, "/tasks/1"))
            #expect(log.lines.count == 1 && log.lines[0].contains("nothing was recorded there"), "\(log.lines)")
        }
    }
}
