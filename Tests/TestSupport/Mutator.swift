/// Makes nasty inputs out of good ones.
public struct Mutator {
    /// The source of its choices.
    public var random: SeededGenerator
    /// The tokens that some changes insert.
    private let tokens: [[UInt8]]

    /// A mutator.
    ///
    /// - Parameter tokens: the tokens that some changes insert.
    public init(random: SeededGenerator, tokens: [[UInt8]]) {
        self.random = random
        self.tokens = tokens
    }

    /// The input after one to four random changes.
    public mutating func mutate(_ input: [UInt8]) -> [UInt8] {
        var bytes = input
        for _ in 0...Int.random(in: 0..<4, using: &random) { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 1...8, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1 where place < bytes.count: bytes[place] = .random(in: .min ... .max, using: &random)
        case 2: bytes.insert(.random(in: .min ... .max, using: &random), at: place)
        case 3: bytes.removeSubrange(place..<end)
        case 4: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
        case 5: bytes.removeLast(min(bytes.count, Int.random(in: 1...4, using: &random)))
        case 6: bytes.replaceSubrange(place..<end, with: tokens.randomElement(using: &random) ?? [])
        default: bytes.insert(contentsOf: tokens.randomElement(using: &random) ?? [], at: place)
        }
    }
}
