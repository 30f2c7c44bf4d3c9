import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct FieldTableTests {
    @Test(arguments: [0, 1, 11, 12, 13, 40])
    func holdsAnyNumber(_ count: Int) {
        let fields = (0..<count).map { FieldRange(name: $0..<($0 + 1), value: ($0 + 2)..<($0 + 3)) }
        let table = FieldTable(fields)
        #expect(table.count == count)
        #expect(Array(table) == fields)
        #expect(table.indices.map { table[$0] } == fields)
    }
}
