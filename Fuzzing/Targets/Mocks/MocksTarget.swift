import Backlot
import BacklotJSON
import TestSupport

@testable import BacklotHTTP
@testable import BacklotMocks

extension FuzzTarget {
    /// Folders of mocks with requests and commands (see `MockScript`): each request gets a response in time, a repetition after a
    /// reset gets the same stub, a near miss doesn't match, and a stub in the form in which commands list it means the same.
    static let mocks = FuzzTarget(name: "mocks") { input async throws(Violation) in
        let script = MockScript(input)
        guard !script.calls.isEmpty else { return false }
        do {
            return try await withTemporaryFolder { folder in
                // A name may be that of a folder.
                for file in script.files { _ = try? folder.write(file.bytes, to: file.name) }
                let mocks = try FuzzedMocks(folder.path, sharesState: script.sharesState)
                guard !mocks.isUnsuitable else { return false }
                let run = MocksRun(mocks: mocks, script: script, isRandom: isRandom(input))
                return try await run.check()
            }
        } catch let violation as Violation {
            throw violation
        } catch {
            throw Violation(description: "the folder: \(error)")
        }
    }

    /// Whether templates may have random values, with which conditions on data are met at random.
    private static func isRandom(_ input: [UInt8]) -> Bool {
        let text = spelled(input).lowercased()
        return ["random", "faker", "uuid"].contains { text.contains($0) }
    }
}

private struct MocksRun {
    let mocks: FuzzedMocks
    let script: MockScript
    let isRandom: Bool

    private var backend: MockBackend { mocks.backend }
    /// Whether commands may change files, which a reset doesn't restore.
    private var changesFiles: Bool {
        script.calls.contains { $0.isCommand && ($0.target.contains("/files") || $0.target.contains("/routes")) }
    }

    /// - Returns: whether some stub has matched.
    func check() async throws(Violation) -> Bool {
        let first = try await sendAll()
        try command(.post, "/reset")
        let second = try await sendAll()
        if !isRandom, first != second, !script.calls.contains(where: isGivenUp) {
            throw Violation(description: "after a reset, not \(first) but \(second) match")
        }
        for call in script.calls where !call.isCommand {
            try await send(call, alone: true)
            for other in call.nearMisses { try await send(other) }
        }
        try returnMappings()
        return first.contains { $0 != "no stub" }
    }

    /// Sends the requests of the script, and returns the matching stubs.
    private func sendAll() async throws(Violation) -> [String] {
        var stubs: [String] = []
        for call in script.calls { stubs.append(try await send(call)) }
        return stubs
    }

    /// Sends a request, and returns the stub that matches it.
    ///
    /// - Parameter alone: whether commands must find it in the journal.
    @discardableResult
    private func send(_ call: MockScript.Call, alone: Bool = false) async throws(Violation) -> String {
        guard let request = FuzzedMocks.request(call), let copy = FuzzedMocks.request(call) else { return "no request" }
        if call.isCommand {
            try await expectCommand(request)
            return "a command"
        }
        let expected = backend.probed(by: copy, body: call.body)?.id
        let title = expected.flatMap { backend.stubs.stub($0) }.map { description(of: $0) } ?? "no stub"
        try checkNearMisses(of: MockRequest(copy, body: call.body), call, expected)
        let former = mocks.journal.entries.first?.id
        let response = try await mocks.response(to: request)
        let isLate = spelled(response.body).contains("too many requests change the scenario at once")
        try require(!isLate || title.contains("too many"), "\(call.method) \(call.target) changes a scenario for ever")
        if let entry = mocks.journal.entries.first, entry.id != former, entry.fault == nil, !isRandom, !isGivenUp(call)
        {
            try require(
                entry.stub?.id == expected,
                "\(title) should respond, but \(entry.stub?.title ?? "no stub") does"
            )
            // Patterns have methods in capital letters.
            if alone, call.method == call.method.uppercased() { try findAgain(entry.request) }
        }
        return title
    }

    /// A stub, but for the id that may be new each time.
    private func description(of stub: Stub) -> String {
        var object = stub.json.object ?? [:]
        (object["id"], object["uuid"]) = (nil, nil)
        return "\(stub.source) \(JSONValue.object(object))"
    }

    /// Whether comparing a request takes so long that the result depends on the time.
    private func isGivenUp(_ call: MockScript.Call) -> Bool {
        guard let request = FuzzedMocks.request(call) else { return false }
        let made = MockRequest(request, body: call.body)
        var budget = MatchBudget(made)
        for stub in backend.stubs.all { _ = stub.request.match(made, &budget) }
        return budget.giveUps > 0
    }

    // MARK: Near misses

    private func checkNearMisses(
        of request: MockRequest,
        _ call: MockScript.Call,
        _ matching: StubID?
    ) throws(Violation) {
        for miss in backend.nearMisses(of: request, limit: 50) {
            try require(!miss.match.failures.isEmpty && !"\(miss)".isEmpty, "\(miss.stub.title) misses nothing")
            if isRandom || miss.match.failures.contains(where: \.isGivenUp) { continue }
            try require(miss.stub.id != matching, "\(miss) is a near miss of \(call.target), but matches")
            guard let entry = backend.stubs.entries.first(where: { $0.stub.id == miss.stub.id }) else { continue }
            var budget = MatchBudget(request)
            let scope = backend.scope(of: request, by: backend.stateKey(of: miss.stub.source))
            if backend.clocks.areSet { budget.now = backend.clocks.time(of: scope) }
            let matches = entry.stub.request.matches(request, &budget) && backend.allows(entry, request, scope, &budget)
            try require(!matches, "\(miss) is a near miss of \(call.target), but meets all conditions")
        }
    }

    /// Commands find a request in the journal, and its near misses.
    private func findAgain(_ request: MockRequest) throws(Violation) {
        let pattern: JSONObject = ["method": .string(request.method.rawValue), "url": .string(request.url)]
        let count = try command(.post, "/requests/count", .object(pattern))["count"]?.int ?? 0
        try require(count > 0, "\(request.title) isn't in the journal")
        var document = pattern
        document["body"] = .string(request.text)
        document["headers"] = .object(
            request.headers.reduce(into: [:]) { $0[$1.name] = .string($1.value) }
        )
        try command(.post, "/near-misses/request", .object(document))
        try command(.post, "/near-misses/request-pattern", .object(pattern))
    }

    // MARK: Commands

    /// Each command is carried out or refused with a reason.
    private func expectCommand(_ request: Request) async throws(Violation) {
        let (status, body) = try await mocks.response(to: request)
        try require(status != 500, "\(request.method) \(request.target): \(spelled(body))")
    }

    /// Gives a command that must be carried out.
    @discardableResult
    private func command(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: JSONValue? = nil
    ) throws(Violation) -> JSONValue {
        let (status, bytes) = try mocks.carryOut(method, path, body?.bytes ?? [])
        let title = "\(method) \(path) \(body.map { "\($0)" } ?? "")"
        try require((200...201).contains(status), "\(title): \(status) \(String(decoding: bytes, as: UTF8.self))")
        guard let json = try? JSONValue(parsing: bytes) else {
            throw Violation(description: "\(title): \(spelled(bytes))")
        }
        return json
    }

    /// Adds each stub once more in its listed form. Stubs of route files have keys that are only for files.
    private func returnMappings() throws(Violation) {
        for path in [
            "/scenarios", "/requests?limit=3", "/data", "/faults", "/requests/unmatched/near-misses", "/health",
        ] {
            try command(.get, path)
        }
        let requests = script.calls.compactMap { call in
            FuzzedMocks.request(call).map { MockRequest($0, body: call.body) }
        }
        for mapping in try command(.get, "/mappings")["mappings"]?.array ?? [] {
            guard let id = mapping["id"]?.string.flatMap({ StubID($0) }), let stub = backend.stubs.stub(id) else {
                throw Violation(description: "\(mapping) is listed, but isn't there")
            }
            if let file = stub.source.file, !file.hasPrefix("mappings/") { continue }
            if changesFiles, "\(mapping)".contains("bodyFileName") { continue }
            let again: Stub
            do throws(StubError) {
                again = try backend.stub(json: mapping)
            } catch {
                throw Violation(description: "\(mapping) is listed, but refused: \(error)")
            }
            try require(again.json == mapping, "\(mapping) becomes \(again.json)")
            for request in requests {
                var budgets = (MatchBudget(request), MatchBudget(request))
                let matches = (stub.request.matches(request, &budgets.0), again.request.matches(request, &budgets.1))
                if budgets.0.giveUps + budgets.1.giveUps > 0 { continue }
                try require(matches.0 == matches.1, "\(mapping) matches \(request.title) in one form only")
            }
            let added = try command(.post, "/mappings", mapping)
            try require(added == mapping, "\(mapping) is added as \(added)")
            try require(try command(.get, "/mappings/\(id)") == mapping, "\(mapping) isn't listed as it was added")
        }
    }
}
