import Foundation
import TestSupport
import Testing

@testable import BacklotHTTP

/// Several connections share a small buffer budget, and their clients act at random. Load shedding frees enough bytes each time, and
/// cuts no connection with a handler at work.
@Suite(.timeLimit(.minutes(5))) struct BudgetSimulationTests {
    private static let connectionCount = 6
    /// The bytes that each connection may hold on average.
    private static let share = 60

    @Test(arguments: 0..<8) func `Memory stays within its bounds in random interleavings`(_ part: UInt64) {
        var sheddingCount = 0
        for seed in 0..<200 {
            let seed = UInt64(seed) * 8 + part
            let clients = Self.run(seed: seed)
            sheddingCount += clients.sheddingCount
            if let violation = clients.violation {
                Issue.record("seed \(seed): \(violation)")
                return
            }
        }
        #expect(sheddingCount > 100)
    }

    /// The connections, as `ServerContext` sees those of a loop.
    private struct Clients {
        var connections: [MachineConnection]
        var rests: [ArraySlice<UInt8>]
        let budget = BufferBudget(limit: connectionCount * share)
        var violation: String?
        var sheddingCount = 0

        /// Lets something happen to a connection, and counts what it holds then.
        mutating func change(_ index: Int, _ body: (inout MachineConnection, inout ArraySlice<UInt8>) -> Void) {
            let before = connections[index].held
            body(&connections[index], &rests[index])
            if budget.take(connections[index].held - before) == .pressed { shedLoad() }
            if let violation = connections[index].violation { self.violation = violation }
        }

        private mutating func shedLoad() {
            sheddingCount += 1
            for _ in 0..<20 where budget.excess > 0 {
                let candidates = connections.map {
                    LoadShedding.Candidate(waitsFor: $0.waitsFor, held: $0.held, stalled: $0.now - $0.machine.since)
                }
                for (index, _) in LoadShedding.shares(of: budget.excess, among: candidates, patience: 0) {
                    let before = connections[index].held
                    connections[index].relinquish()
                    budget.take(connections[index].held - before)
                    if candidates[index].waitsFor == .handler, connections[index].isClosed {
                        violation = "a handler at work lost its connection"
                    }
                }
            }
            if budget.excess > 0 { violation = "\(budget.excess) bytes too many: \(connections.map(\.held))" }
            if budget.use != connections.reduce(0, { $0 + $1.held }) { violation = "the budget miscounts" }
        }
    }

    private static func run(seed: UInt64) -> Clients {
        var random = SeededGenerator(seed: seed)
        var choices = SeededGenerator(seed: ~seed)
        var clients = Clients(connections: [], rests: [])
        for _ in 0..<connectionCount {
            var connection = MachineConnection()
            connection.handling = { _ in MachineConnection.Handling.allCases.randomElement(using: &choices) ?? .atOnce }
            clients.connections.append(connection)
            clients.rests.append(MachineSimulationTests.wires.randomElement(using: &random)?[...] ?? [])
        }
        for _ in 0..<300 where clients.violation == nil {
            let index = Int.random(in: 0..<connectionCount, using: &random)
            clients.change(index) { connection, rest in
                if !connection.isClosed { MachineSimulationTests.step(&connection, &rest, &random) }
            }
        }
        return clients
    }
}
