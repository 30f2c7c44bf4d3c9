@testable import Backlot

extension FuzzTarget {
    /// Ranges: what is sent of a file are just the bytes that were asked for, counted one by one.
    static let ranges = FuzzTarget(name: "ranges") { input async throws(Violation) in
        guard let request = RequestWith.field("Range", input), let field = request.headers[.range] else { return false }
        let asked = RangeGrammar.members(of: field)
        guard let ranges = ByteRanges(field) else {
            try require(asked == nil, "\(field.debugDescription) is refused")
            return false
        }
        guard let asked else { throw Violation(description: "\(field.debugDescription) is taken") }
        for size in [0, 1, 10, 1000] {
            let wanted = asked.map { member in (0..<size).filter { member.holds($0, of: size) } }
            let total = wanted.reduce(0) { $0 + $1.count }
            switch ranges.select(fromSize: size) {
            case .excessive:
                let isExcessive = asked.count > ByteRanges.most || total > size
                try require(isExcessive, "\(field.debugDescription) is too much of \(size)")
            case .unsatisfiable:
                try require(total == 0, "\(field.debugDescription) is nothing of \(size)")
            case .parts(let parts):
                try require(total > 0 && total <= size, "\(field.debugDescription) of \(size) is answered")
                let isWanted = Set(parts.joined()) == Set(wanted.joined())
                try require(isWanted, "\(field.debugDescription) of \(size): \(parts)")
                let ordered = parts.sorted { $0.lowerBound < $1.lowerBound }
                for (part, next) in zip(ordered, ordered.dropFirst()) {
                    try require(part.upperBound < next.lowerBound, "\(part) and \(next) touch")
                }
            }
        }
        return true
    }
}
