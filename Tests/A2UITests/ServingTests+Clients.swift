import Backlot
import Testing

@testable import A2UI
@testable import A2UIServing

/// The clients of a server, without requests.
extension ServingTests {
    private static func surface(bytes: Int = 0) -> ClientState.Open {
        ClientState.Open(
            id: "s",
            name: "s",
            version: .v0_9,
            catalogID: Catalog.basic0_9.id,
            sendsDataModel: true,
            model: ["text": .string(String(repeating: "x", count: bytes))],
            tree: []
        )
    }

    @Test func `A client that is forgotten while its state changes counts for nothing`() throws {
        var limits = A2UILimits()
        (limits.clients, limits.bytes) = (1, 10_000)
        let table = ClientTable(limits)
        for _ in 0..<20 {
            let client = table.newClient()
            _ = try table.change(client, isPushed: false) { state in
                // It takes the only place.
                _ = table.newClient()
                return state.open(Self.surface(bytes: 1000))
            }
            #expect(table.client(client.id) == nil)
        }
        let client = table.newClient()
        _ = try table.change(client, isPushed: false) { $0.open(Self.surface(bytes: 1000)) }
        #expect(table.client(client.id) === client)
    }
}
