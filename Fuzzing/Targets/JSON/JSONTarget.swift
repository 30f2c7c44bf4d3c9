import BacklotJSON
import FoundationEssentials

extension FuzzTarget {
    /// The JSON parser: what it takes survives writing and reading, is no deeper than allowed, and is what another parser
    /// reads; what it refuses is said with a place in the document.
    static let json = FuzzTarget(name: "json") { input async throws(Violation) in
        let value: JSONValue
        do throws(JSONParseError) {
            value = try JSONValue(parsing: input)
        } catch {
            try checkPlace(of: error, in: input)
            return false
        }
        try require(value.depth <= 64, "\(value.depth) levels")
        let written = value.bytes
        guard let again = try? JSONValue(parsing: written) else {
            throw Violation(description: "\(value) can't be read again")
        }
        try require(again == value && again.hashValue == value.hashValue, "\(value) became \(again)")
        try require(again.bytes == written, "\(value) is written in two ways")
        guard !mayUnderflow(input) else { return true }
        let peer = try? JSONDecoder().decode(PeerValue.self, from: Data(input))
        try require(peer != nil, "\(value) is no JSON for another parser")
        try require(peer.map { $0.equals(value) } ?? true, "\(value) is \(String(describing: peer)) for another parser")
        return true
    }

    /// Foundation refuses numbers that are too small for a `Double`, and with them some that are 0 and have an exponent, such as
    /// `0e6`. This parser takes them for 0.
    private static func mayUnderflow(_ input: [UInt8]) -> Bool {
        input.count > 300
            || zip(input, input.dropFirst()).contains {
                ($0 | 0x20, $1) == (0x65, 0x2D) || ($0, $1 | 0x20) == (0x30, 0x65)
            }
    }

    private static func checkPlace(of error: JSONParseError, in input: [UInt8]) throws(Violation) {
        try require((0...input.count).contains(error.offset), "offset \(error.offset) of \(input.count)")
        let before = input[..<error.offset]
        let lines = before.split(separator: 10, omittingEmptySubsequences: false)
        let column = 1 + (lines.last ?? []).count { $0 & 0xC0 != 0x80 }
        try require(error.line == lines.count && error.column == column, "\(error), not \(lines.count):\(column)")
    }
}

extension JSONValue {
    /// How many arrays and objects stand in each other.
    fileprivate var depth: Int {
        switch self {
        case .array(let elements): 1 + (elements.map(\.depth).max() ?? 0)
        case .object(let object): 1 + (object.members.map(\.value.depth).max() ?? 0)
        default: 0
        }
    }
}
