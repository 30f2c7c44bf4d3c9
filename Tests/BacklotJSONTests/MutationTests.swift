import BacklotJSON
import Testing

/// Documents that were damaged at random: nothing may trap, and what is still a document must survive writing and reading.
@Suite struct MutationTests {
    private static let seeds: [String] = [
        #"{"page":{"typ":"nav_page","title":"New Account","widget":{"typ":"form","widgets":[]}}}"#,
        #"[true,false,null,0,-1,12.5,1e10,-0.25E-3,18446744073709551615]"#,
        #"["\u0041\ud83d\ude00\n\"","é 日 😀",""," \\ \/ "]"#,
        #"{"a":[{"b":{"c":[[[]]]}}],"d":"\t","e":{}}"#,
    ]

    /// Bytes that mean something in JSON come more often than others.
    private static let spices =
        Array(#"{}[]",:\u0eE+-.d8 ntf"#.utf8) + [0x00, 0x1F, 0x7F, 0x80, 0xC3, 0xED, 0xF0, 0xFF]

    @Test(arguments: 0..<4)
    func mutatedDocumentsDoNotTrap(_ round: Int) throws {
        var random = SeededGenerator(seed: UInt64(round) + 1)
        var parsed = 0
        for _ in 0..<26_000 {
            let bytes = Self.mutated(Array(Self.seeds[round].utf8), using: &random)
            guard let value = try? JSONValue(parsing: bytes, depthLimit: 16) else { continue }
            parsed += 1
            let again = try JSONValue(parsing: value.bytes)
            if again != value || again.hashValue != value.hashValue {
                Issue.record("\(value) became \(again)")
            }
        }
        #expect(parsed > 500, "too few mutations were documents: the test says little")
    }

    private static func mutated(_ document: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var bytes = document
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes.remove(at: index)
            case 1: bytes[index] = spices.randomElement(using: &random) ?? 0
            case 2: bytes.insert(spices.randomElement(using: &random) ?? 0, at: index)
            case 3: bytes.swapAt(index, Int.random(in: 0..<bytes.count, using: &random))
            case 4: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            default: bytes.removeLast(min(bytes.count, Int.random(in: 0...2, using: &random)))
            }
        }
        return bytes
    }
}

/// The same numbers for the same seed, on every machine (SplitMix64).
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
