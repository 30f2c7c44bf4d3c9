/// Which text has which number on the wire.
///
/// Numbers begin with 1 and have few gaps, since clients keep texts in an array. A name keeps its number for as long as the app
/// has it; a new name gets the lowest number that is free.
struct TextNumbers: Sendable, Equatable {
    /// The most texts of an app: the numbers from 10000 on are reserved.
    static let maximumCount = 9_999

    /// The numbers of the app's own texts, by their names.
    private(set) var numbers: [String: Int]

    /// - Parameters:
    ///   - names: the names, in the order in which new ones get their numbers.
    ///   - earlier: the numbers of the build before.
    init(_ names: [String], earlier: [String: Int] = [:]) {
        let present = Set(names)
        numbers = [:]
        var taken: Set<Int> = []
        for (name, number) in earlier.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            guard present.contains(name), (1...Self.maximumCount).contains(number), taken.insert(number).inserted else {
                continue
            }
            numbers[name] = number
        }
        var next = 1
        for name in names where numbers[name] == nil {
            while taken.contains(next) { next += 1 }
            taken.insert(next)
            numbers[name] = next
        }
    }

    subscript(name: TextName) -> Int? { name.reserved ?? numbers[name.name] }
}
