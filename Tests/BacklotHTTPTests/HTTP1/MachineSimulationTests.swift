import Foundation
import TestSupport
import Testing

@testable import BacklotHTTP

/// Clients, handlers, time and the server's own wishes in any order: what must hold of a connection holds.
@Suite(.timeLimit(.minutes(5))) struct MachineSimulationTests {
    /// The number of random steps. BACKLOT_MACHINE_STEPS makes it larger.
    private static let steps =
        ProcessInfo.processInfo.environment["BACKLOT_MACHINE_STEPS"].flatMap(Int.init) ?? 1_000_000
    private static let stepsOfConnection = 60

    /// A client's requests: their targets are numbers, in order, and the body of each is its target.
    private static func wire(_ random: inout SeededGenerator, _ count: Int) -> [UInt8] {
        var wire = ""
        for number in 0..<count {
            let version = Int.random(in: 0..<8, using: &random) == 0 ? "HTTP/1.0" : "HTTP/1.1"
            switch Int.random(in: 0..<6, using: &random) {
            case 0: wire += request("PUT /\(number)", "Content-Length: 3", body: "abc")
            case 1:
                wire += request("PUT /\(number)", "Transfer-Encoding: chunked", body: "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n")
            case 2: wire += request("PUT /\(number)", "Content-Length: 3", "Expect: 100-continue", body: "abc")
            case 3: wire += request("HEAD /\(number)", "Connection: keep-alive", version: version)
            default: wire += request("GET /\(number)", version: version)
            }
        }
        if Int.random(in: 0..<4, using: &random) == 0 { wire += "bad\r\n" }
        return bytes(wire)
    }

    /// A few clients, since to write their requests takes longer than to read them.
    static let wires = {
        var random = SeededGenerator(seed: 1)
        return (0..<64).map { _ in wire(&random, 8) }
    }()

    @Test(arguments: 0..<4) func `A connection keeps its rules in random interleavings`(_ part: UInt64) {
        for seed in 0..<UInt64(Self.steps / Self.stepsOfConnection / 4) {
            let seed = seed * 4 + part
            guard let violation = Self.run(seed: seed) else { continue }
            Issue.record("seed \(seed): \(violation)")
            return
        }
    }

    /// Runs one connection to its end.
    ///
    /// - Returns: what went wrong.
    private static func run(seed: UInt64) -> String? {
        var random = SeededGenerator(seed: seed)
        var rest = wires[Int(seed % UInt64(wires.count))][...]
        var connection = MachineConnection()
        var choices = SeededGenerator(seed: ~seed)
        connection.handling = { _ in MachineConnection.Handling.allCases.randomElement(using: &choices) ?? .atOnce }
        for _ in 0..<stepsOfConnection where !connection.isClosed {
            step(&connection, &rest, &random)
            if let violation = connection.violation { return violation }
        }
        return finish(&connection)
    }

    static func step(
        _ connection: inout MachineConnection,
        _ rest: inout ArraySlice<UInt8>,
        _ random: inout SeededGenerator
    ) {
        switch Int.random(in: 0..<64, using: &random) {
        case 0: connection.end()
        case 1: connection.drain()
        case 2: connection.relinquish()
        case 3, 4: connection.timeOut()
        case 5..<10: connection.now += Int64.random(in: 0..<2000, using: &random)
        case 10..<20: connection.respond(closes: random.next() % 8 == 0, isWhole: random.next() % 2 == 0)
        case 20..<28: connection.endResponse()
        case 28..<34: connection.readBody()
        case 34..<42: connection.takeResponses()
        case 42..<46: connection.takeTurn()
        case 46..<48: connection.receive()
        default:
            guard !connection.hasClientEnded else { return }
            let piece = rest.prefix(Int.random(in: 1..<120, using: &random))
            rest = rest.dropFirst(piece.count)
            connection.send(piece)
        }
    }

    /// The client does nothing more, and the handler responds: the connection has to close.
    private static func finish(_ connection: inout MachineConnection) -> String? {
        for _ in 0..<40 where !connection.isClosed {
            connection.takeTurn()
            connection.respond()
            connection.endResponse()
            connection.timeOut()
            if let violation = connection.violation { return violation }
        }
        guard connection.isClosed else { return "the connection stays open: \(connection.machine.phase)" }
        // Those that were handled are the first that came, each once.
        let targets = connection.handled.map { String($0.split(separator: "/")[1]) }
        guard targets == connection.handled.indices.map(String.init) else { return "handled: \(connection.handled)" }
        let ended = connection.ended.map { String($0.dropFirst()) }
        guard ended == Array(targets.prefix(ended.count)) else { return "responses to \(ended)" }
        return nil
    }
}
