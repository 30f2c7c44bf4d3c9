/// A version of a client, such as `0.34` or `0.34.1`.
public struct ClientVersion: Comparable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    private let parts: [Int]

    /// Reads a version; nil for a text that isn't one to three numbers with points between them.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt16($0).map(Int.init) }
        guard (1...3).contains(parts.count), !parts.contains(nil), !text.contains("+") else { return nil }
        let numbers = parts.compactMap(\.self)
        self.parts = numbers + Array(repeating: 0, count: 3 - numbers.count)
    }

    /// Creates a version in source code. Any other text stops the program.
    public init(stringLiteral text: String) {
        guard let version = ClientVersion(text) else { preconditionFailure("'\(text)' is not a version") }
        self = version
    }

    /// Compares number by number: 0.9 comes before 0.30.
    public static func < (left: ClientVersion, right: ClientVersion) -> Bool {
        left.parts.lexicographicallyPrecedes(right.parts)
    }

    /// The version without its third number if that is 0.
    public var description: String {
        (parts[2] == 0 ? parts.dropLast() : parts).map { "\($0)" }.joined(separator: ".")
    }

    /// The version as one number: versions compare as these numbers do.
    package var packed: Int { parts[0] << 32 | parts[1] << 16 | parts[2] }

    package init(packed: Int) {
        parts = [packed >> 32 & 0xFFFF, packed >> 16 & 0xFFFF, packed & 0xFFFF]
    }

    /// The version with all three numbers, like the names of releases.
    package var fullDescription: String { parts.map { "\($0)" }.joined(separator: ".") }
}
