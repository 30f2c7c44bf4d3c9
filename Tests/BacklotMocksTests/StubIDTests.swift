import Testing

@testable import BacklotMocks

@Suite(.timeLimit(.minutes(5))) struct StubIDTests {
    @Test func `An id is read as it is written`() throws {
        let id = StubID()
        #expect(StubID(id.description) == id)
        #expect(StubID(id.description.uppercased()) == id)
        #expect(id != StubID())
    }

    @Test func `The id of a name is the same each time`() {
        #expect(StubID(name: "users/[id].get.json#0") == StubID(name: "users/[id].get.json#0"))
        #expect(StubID(name: "users/[id].get.json#0") != StubID(name: "users/[id].get.json#1"))
    }

    @Test(arguments: ["", "x", "00000000-0000-0000-0000-00000000000", "0000000g-0000-0000-0000-000000000000"])
    func `Other texts are no ids`(text: String) {
        #expect(StubID(text) == nil)
    }
}
