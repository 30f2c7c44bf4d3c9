internal import Dispatch
package import Logging
internal import Synchronization

/// What a server does with a page or document that clients would refuse.
public enum Validation: Sendable {
    /// `response` in debug builds, `log` in others.
    case automatic
    /// The answer is an error that lists what is wrong, instead of the page.
    case response
    /// Pages are sent, and their findings are logged a moment later: of the first answer of a page, or once for each shape where
    /// a method sends pages of several shapes.
    case log
    /// Pages are not judged.
    case off

    /// What `automatic` stands for.
    fileprivate var resolved: Validation {
        guard case .automatic = self else { return self }
        return BuildDefaults.refusesInvalidPages ? .response : .log
    }
}

/// Judges the answers of one page: before they go out, where they may be refused, and otherwise beside that.
package final class ResponseValidator: Sendable {
    private let validation: Validation
    private let noun: String
    private let logger: Logger
    /// Whether the first answer of a page of one shape has been judged and logged.
    private let isFirstSeen = Atomic(false)
    /// The shapes of answers that have been judged and logged, of a page of several.
    private let seenShapes = Locked<Set<UInt64>>([])
    /// Where answers are judged that go out anyway, one at a time: no client waits for that, and no event loop.
    private static let queue = DispatchQueue(label: "backlot.validation", qos: .utility)
    /// The most shapes that are judged: an answer without end of shapes would make each request slow.
    private static let maximumShapes = 256

    /// - Parameter noun: what is judged: `page`.
    package init(_ validation: Validation, of noun: String, logger: Logger) {
        self.validation = validation.resolved
        self.noun = noun
        self.logger = logger
    }

    /// Waits until everything has been judged that goes out anyway.
    package static func finish() { queue.sync {} }

    /// Judges an answer to a request.
    ///
    /// - Parameters:
    ///   - answer: the answer as JSON, where one route has answers of different shapes; nil where the first answer stands for all.
    ///   - judge: gives the findings, perhaps after the answer was sent. It is made for an answer that is to be judged only.
    /// - Returns: the text to answer instead; nil when the answer may go out.
    package func refusal(
        of request: Request,
        response: [UInt8]? = nil,
        by judge: @autoclosure () -> @Sendable () -> [Finding]
    ) -> String? {
        switch validation {
        case .off: return nil
        case .log:
            guard isNewShape(of: response) else { return nil }
            let (judge, path) = (judge(), request.path)
            Self.queue.async { self.report(judge(), at: path) }
            return nil
        case .response, .automatic:
            if request.isCheck { return nil }  // a check judges the answer itself
            let isNew = isNewShape(of: response)
            let findings = judge()()
            if isNew { report(findings, at: request.path) }
            guard findings.contains(where: { $0.severity == .error }) else { return nil }
            let list = findings.map(\.details).joined(separator: "\n\n")
            return "This \(noun) breaks rules that clients rely on.\n\n\(list)\n"
        }
    }

    private func report(_ findings: [Finding], at path: String) {
        guard !findings.isEmpty else { return }
        let list = findings.map { "\n\($0.details)" }.joined()
        logger.warning("\(path) breaks rules that clients rely on:\(list)")
    }

    private func isNewShape(of response: [UInt8]?) -> Bool {
        guard let response else {
            // Most requests end here. A plain load leaves the cache line shared; an exchange would take it from the other loops.
            return !isFirstSeen.load(ordering: .relaxed) && !isFirstSeen.exchange(true, ordering: .relaxed)
        }
        let shape = PageShape.fingerprint(response)
        return seenShapes.withLock { $0.count < Self.maximumShapes && $0.insert(shape).inserted }
    }
}

/// The shape of a JSON document: which keys its objects have, of which types they say they are, and what stands in what. Texts,
/// numbers and the lengths of lists don't count, so that one page with other data has the same shape.
enum PageShape {
    private static let typeKeys = [#""type""#, #""typ""#].map { Array($0.utf8) }

    /// A number that two different shapes almost never share.
    static func fingerprint(_ json: [UInt8]) -> UInt64 {
        var levels = [Level(path: 1)]
        var seen: Set<UInt64> = []
        var position = 0
        func note(_ mark: UInt64) { if seen.count < maximumMembers { seen.insert(mark) } }
        while position < json.count {
            let byte = json[position]
            let path = levels[levels.count - 1].member
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                note(mix(path, UInt64(byte)))
                levels.append(Level(path: mix(path, UInt64(byte))))
            case UInt8(ascii: "}"), UInt8(ascii: "]"): if levels.count > 1 { levels.removeLast() }
            case UInt8(ascii: "\""):
                let end = endOfString(at: position, in: json)
                let mark = FNV1a.hash(json.span.extracting(position..<end))
                if end < json.count, json[end] == UInt8(ascii: ":") {
                    levels[levels.count - 1].begin(
                        mark,
                        isType: typeKeys.contains { json[position..<end].elementsEqual($0) }
                    )
                } else if levels[levels.count - 1].isType {
                    levels[levels.count - 1].take(type: mark)
                    note(levels[levels.count - 1].path)
                } else {
                    note(mix(path, UInt64(UInt8(ascii: "\""))))
                }
                position = end
                continue
            case UInt8(ascii: "t"), UInt8(ascii: "f"): note(mix(path, UInt64(UInt8(ascii: "t"))))
            case UInt8(ascii: "n"): note(mix(path, UInt64(byte)))
            // All digits of a number leave one mark.
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): note(mix(path, UInt64(UInt8(ascii: "0"))))
            default: break
            }
            position += 1
        }
        return seen.reduce(UInt64(seen.count)) { $0 &+ $1 }
    }

    private static let maximumMembers = 10_000

    /// An object or array that is open.
    private struct Level {
        /// Where it stands, and its type.
        var path: UInt64
        /// Where the value stands that comes next.
        var member: UInt64
        /// Whether the value that comes next names the type.
        var isType = false

        init(path: UInt64) { (self.path, member) = (path, path) }

        mutating func begin(_ key: UInt64, isType: Bool) {
            member = PageShape.mix(path, key)
            self.isType = isType
        }

        mutating func take(type: UInt64) {
            path = PageShape.mix(path, type)
            isType = false
        }
    }

    private static func endOfString(at start: Int, in json: [UInt8]) -> Int {
        var position = start + 1
        while position < json.count, json[position] != UInt8(ascii: "\"") {
            position += json[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(position + 1, json.count)
    }

    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        var value = left &* 0x9E37_79B9_7F4A_7C15 ^ right &* 0xC2B2_AE3D_27D4_EB4F
        value ^= value >> 29
        return value &* 0xBF58_476D_1CE4_E5B9
    }
}
