import Testing

@testable import BacklotHTTP

@Suite(.timeLimit(.minutes(5))) struct ByteSetTests {
    private static let alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    @Test(
        arguments: [
            (ByteSet.token, "!#$%&'*+-.^_`|~"),
            (ByteSet.pathOrQuery, "!$&'()*+,-./:;=@_~"),
            (ByteSet.host, "!$&'()*+-.;=_~"),
        ]
    )
    func `A set has its members and no others`(_ set: ByteSet, symbols: String) {
        let expected = Set((Self.alphanumeric + symbols).utf8)
        #expect(Set((UInt8.min...UInt8.max).filter(set.contains)) == expected)
    }

    @Test func `A run ends where its set does`() {
        let bytes = Array("abc def".utf8)
        #expect(bytes.span.endOfRun(of: .token, from: 0, to: 7) == 3)
        #expect(bytes.span.endOfRun(of: .token, from: 1, to: 2) == 2)
        #expect(bytes.span.endOfRun(of: .token, from: 3, to: 7) == 3)
        #expect(bytes.span.endOfRun(of: .token, from: 4, to: 7) == 7)
    }

    @Test func `Every control byte is found at every place`() {
        for length in 1...24 {
            for place in 0..<length {
                for byte in UInt8.min...UInt8.max {
                    var bytes = [UInt8](repeating: 0x80, count: length)
                    bytes[place] = byte
                    let isForbidden = byte < 0x20 && byte != 0x09 || byte == 0x7F
                    let found = bytes.span.firstForbiddenControl(from: 0)
                    #expect(found == (isForbidden ? place : length))
                }
            }
        }
    }

    @Test func `A search for control bytes begins at its start`() {
        let bytes: [UInt8] = [0x00, 0x41, 0x09, 0x09, 0x7F, 0x00, 0x41, 0x41, 0x41, 0x41, 0x41, 0x0D]
        #expect(bytes.span.firstForbiddenControl(from: 0) == 0)
        #expect(bytes.span.firstForbiddenControl(from: 1) == 4)
        #expect(bytes.span.firstForbiddenControl(from: 5) == 5)
        #expect(bytes.span.firstForbiddenControl(from: 6) == 11)
        #expect(bytes.span.firstForbiddenControl(from: 12) == 12)
    }

    // MARK: FieldTable

    @Test(arguments: [0, 1, 11, 12, 13, 40])
    func `A field table holds any number of fields`(_ count: Int) {
        let fields = (0..<count).map { FieldRange(name: $0..<($0 + 1), value: ($0 + 2)..<($0 + 3)) }
        let table = FieldTable(fields, of: FieldTable())
        #expect(table.count == count)
        #expect(Array(table) == fields)
        #expect(table.indices.map { table[$0] } == fields)
    }

    @Test func `A field table knows names that it lacks`() {
        var table = FieldTable()
        #expect(!table.mayHave("via") && !table.mayHaveName(beginningWith: UInt8(ascii: "v")))
        table.append(FieldRange(name: 0..<3, value: 5..<8), initial: UInt8(ascii: "V"))
        for table in [table, FieldTable([], of: table)] {
            #expect(table.mayHave("via") && table.mayHaveName(beginningWith: UInt8(ascii: "v")))
            #expect(!table.mayHave("vary") && !table.mayHave("age"))
        }
        table.removeAll()
        #expect(!table.mayHave("via") && !table.mayHaveName(beginningWith: UInt8(ascii: "v")))
    }
}
