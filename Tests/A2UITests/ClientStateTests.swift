import Backlot
import TestSupport
import Testing

@testable import A2UI
@testable import A2UIServing

/// A server's idea of a client, and a real client behind channels that lose messages.
@Suite(.timeLimit(.minutes(2))) struct ClientStateTests {
    private struct Run {
        var random: RandomModel
        var state = ClientState()
        var client = Processor(strictness: .lenient)
        /// Whether a stream is open.
        var listening = false
        /// The messages that the stream has not delivered yet, with their revisions.
        var stream: [(messages: [ServerMessage], revision: Int)] = []
        var lastRevision = -1
        /// Whether a response was lost without anybody's noticing. The client then starts anew.
        var isLost = false
        let version: ProtocolVersion

        var catalogID: String { (version.isOne ? Catalog.basic1_0 : .basic0_9).id }

        mutating func tree(_ model: JSONValue) -> [JSONObject] {
            ElementWriter(random.element(depth: 3), version: version, model: [:]).components
        }

        mutating func deliver(_ messages: [ServerMessage]) throws {
            for message in messages {
                do {
                    try client.apply(try ServerMessage(message.json))
                } catch {
                    // A client that has lost something can't apply everything.
                    guard isLost else { throw error }
                }
            }
        }

        /// A response to a request: what was missed, and then its own messages. A stream takes them, if one is open.
        mutating func respond(_ change: (inout Run) throws -> [ServerMessage]) throws {
            let missed = listening ? [] : state.recover(since: lastRevision)
            let messages = missed + (try change(&self))
            if listening { return push(messages) }
            switch Int.random(in: 0...5, using: &random.random) {
            case 0: if !messages.isEmpty { state.keep(messages, isMissed: true) }
            case 1: isLost = isLost || !messages.isEmpty
            default: try deliver(messages)
            }
        }

        mutating func push(_ messages: [ServerMessage]) {
            guard !messages.isEmpty else { return }
            if listening {
                state.keep(messages, isMissed: false)
                stream.append((messages, state.revision))
            } else {
                state.keep(messages, isMissed: true)
            }
        }

        mutating func drain() throws {
            for (messages, revision) in stream {
                try deliver(messages)
                lastRevision = revision
            }
            stream = []
        }

        mutating func listen(since revision: Int?) {
            let messages = state.reconnect(since: revision)
            (listening, stream) = (true, [(messages, state.revision)])
        }

        mutating func step() throws {
            let id = ["s", "t"].randomElement(using: &random.random) ?? "s"
            // A client that has lost something unnoticed knows nothing, until it listens anew.
            if isLost, !listening {
                (client, isLost, lastRevision) = (Processor(strictness: .lenient), false, -1)
                listen(since: nil)
            }
            switch Int.random(in: 0...10, using: &random.random) {
            case 0:
                let model = random.object(depth: 2).withoutNullMembers
                let tree = tree(model)
                try respond { run in
                    run.state.open(
                        ClientState.Open(
                            id: id,
                            name: id,
                            version: run.version,
                            catalogID: run.catalogID,
                            sendsDataModel: true,
                            model: model,
                            tree: tree
                        )
                    )
                }
            case 1: try respond { run in run.state.close(id) }
            case 2: (listening, stream) = (false, [])
            case 3: if !listening { listen(since: lastRevision) }
            case 4:
                guard state[id] != nil, let surface = client.surfaces[id] else { return }
                try client.write("typed", at: DataPath("/typed"), surface: surface.id)
                state.received(client.surfaces[id]?.model.value ?? .null, of: id, at: lastRevision)
            case 5, 6: try respond { run in try run.change(id) }
            case 7: push(try change(id))
            case 8:
                try respond { run in
                    guard run.version.isOne, run.state[id] != nil else { return [] }
                    return [ClientStateTests.call(run.state.countCall(), on: id)]
                }
            default: try drain()
            }
        }

        mutating func change(_ id: String) throws -> [ServerMessage] {
            guard let open = state[id] else { return [] }
            let new = random.changed(open.model, depth: 3).withoutNullMembers
            let writes = Difference.writes(from: open.model, to: new.object == nil ? [:] : new)
            let tree = tree(new)
            return try state.change(id, writes) { _ in tree }
        }

        func check() {
            #expect(Set(client.surfaces.keys) == Set(state.surfaces.map(\.id)))
            let bytes = state.surfaces.map { open in
                open.components.values.reduce(open.model.footprint + ClientState.inputWeight * open.inputBytes) {
                    $0 + JSONValue.object($1).approximateBytes
                }
            }
            #expect(state.bytes == bytes.reduce(0, +))
            for open in state.surfaces {
                let surface = client.surfaces[open.id]
                #expect(surface?.model.value == open.model)
                for component in open.tree {
                    #expect(surface?.components[component["id"]?.string ?? ""]?.properties == component)
                }
            }
        }
    }

    @Test(arguments: 0..<60) func `A client has the server's state after any order of changes and losses`(
        seed: UInt64
    ) throws {
        let version: ProtocolVersion = seed % 2 == 0 ? .v0_9 : .v1_0
        var run = Run(random: RandomModel(random: SeededGenerator(seed: seed)), version: version)
        for _ in 0..<120 {
            try run.step()
            // Without undelivered messages, both are equal.
            if !run.isLost, run.stream.isEmpty, run.state.unseen(since: run.lastRevision) == [] { run.check() }
        }
        if run.isLost || !run.listening { run.listen(since: nil) }
        try run.drain()
        run.check()
    }

    private func open(_ count: Int, _ version: ProtocolVersion = .v0_9) -> ClientState.Open {
        let tree = column { for index in 0..<count { text("\(index)") } }
        return ClientState.Open(
            id: "s",
            name: "s",
            version: version,
            catalogID: (version.isOne ? Catalog.basic1_0 : .basic0_9).id,
            sendsDataModel: true,
            model: [:],
            tree: ElementWriter(tree, version: version, model: [:]).components
        )
    }

    /// A call of a function of the client.
    private static func call(_ number: Int, on id: String) -> ServerMessage {
        let call = RemoteCall(
            id: RendererCallID(surfaceID: id, function: "now", number: number).text,
            surfaceID: id,
            function: "now",
            catalogID: Catalog.basic1_0.id,
            arguments: [:]
        )
        return ServerMessage(.v1_0, .callRendererFunction(call))
    }

    @Test func `A model that comes before a call has gone out is taken over`() {
        var state = ClientState()
        _ = state.open(open(1, .v1_0))
        let call = Self.call(state.countCall(), on: "s")
        state.keep([call], isMissed: true)
        state.received(["name": "Ada"], of: "s")
        #expect(state["s"]?.model == ["name": "Ada"])
        #expect(state.recover(since: nil) == [call])
    }

    @Test func `Nothing goes out for the same state, and only what differs for another`() throws {
        var state = ClientState()
        #expect(state.open(open(2)).count == 3)
        let revision = state.revision
        #expect(try state.change("s", []) { _ in open(2).tree } == [])
        #expect(state.revision == revision)
        let write = Difference.Write(path: DataPath("/a"), value: 1)
        #expect(
            try state.change("s", [write]) { _ in open(3).tree } == [
                ServerMessage(.v0_9, .updateDataModel("s", path: "/a", value: 1)),
                ServerMessage(.v0_9, .updateComponents("s", Array(open(3).tree.suffix(2)))),
            ]
        )
        // The third text is an orphan then, which the client keeps.
        #expect(try state.change("s", []) { _ in open(2).tree }.count == 1)
        #expect(
            try state.change("s", []) { _ in open(3).tree } == [
                ServerMessage(.v0_9, .updateComponents("s", Array(open(3).tree.suffix(1))))
            ]
        )
        #expect(try state.change("t", [write]) { _ in [] } == [])
    }

    @Test func `Too many orphans make a new surface`() throws {
        var state = ClientState()
        _ = state.open(open(200))
        let messages = try state.change("s", []) { _ in open(1).tree }
        #expect(messages.first == ServerMessage(.v0_9, .deleteSurface("s")))
        #expect(messages.count == 4)
        #expect(state["s"]?.components.count == 2)
    }

    @Test func `A client that listens anew learns in a surface's own version that it is closed`() {
        var state = ClientState()
        _ = state.open(open(1, .v1_0))
        let deletion = [ServerMessage(.v1_0, .deleteSurface("s"))]
        #expect(state.close("s") == deletion)
        #expect(state.reconnect(since: nil) == deletion)
    }

    @Test func `Messages wait for the client, and too many become the whole state`() throws {
        var state = ClientState()
        let creation = state.open(open(1))
        state.keep(creation, isMissed: true)
        #expect(state.recover(since: nil) == creation)
        #expect(state.recover(since: nil) == [])
        for number in 0..<101 {
            let write = Difference.Write(path: DataPath("/n"), value: .number(JSONNumber(Int64(number))))
            state.keep(try state.change("s", [write]) { _ in open(1).tree }, isMissed: true)
        }
        #expect(state.recover(since: nil).first == ServerMessage(.v0_9, .deleteSurface("s")))
        let revision = state.revision
        #expect(state.reconnect(since: revision) == [])
        #expect(state.reconnect(since: revision - 1).count == 4)
        #expect(state.reconnect(since: nil).count == 4)
    }

    @Test func `A new stream leaves the others of the client their revision, unless they lack something`() {
        var state = ClientState()
        let creation = state.open(open(1))
        state.keep(creation, isMissed: false)
        let revision = state.revision
        #expect(state.reconnect(since: nil).count == 4)
        #expect(state.revision == revision)
        #expect(state.reconnect(since: revision) == [])
        #expect(state.reconnect(since: revision - 1).count == 4)
        state.keep(creation, isMissed: true)
        let missed = state.revision
        #expect(state.reconnect(since: nil).count == 4)
        #expect(state.reconnect(since: missed).count == 4)
    }
}
