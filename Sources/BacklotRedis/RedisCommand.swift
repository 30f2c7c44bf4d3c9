/// A command for Redis: its name and arguments, each any bytes.
struct RedisCommand: Equatable, Sendable {
    /// The arguments one after the other.
    private(set) var bytes: [UInt8] = []
    /// How long each is.
    private(set) var lengths: [Int] = []

    /// A command of texts.
    init(_ words: String...) {
        for word in words { append(word) }
    }

    mutating func append(_ text: String) {
        bytes += text.utf8
        lengths.append(text.utf8.count)
    }

    mutating func append(_ argument: [UInt8]) {
        bytes += argument
        lengths.append(argument.count)
    }

    mutating func append(_ number: Int) { append(String(number)) }
}
