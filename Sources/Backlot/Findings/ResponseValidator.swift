internal import Dispatch
package import Logging
internal import Synchronization

/// The handling of a page or document that clients would refuse.
public enum Validation: Sendable {
    /// `response` in debug builds, `log` in others.
    case automatic
    /// The server responds with an error that lists the findings, instead of the page.
    case response
    /// The server sends pages, and logs their findings a moment later. It checks the first response of each page. If one method
    /// sends pages of several shapes, it checks one response of each shape.
    case log
    /// Pages aren't checked.
    case off

    /// The value behind `automatic`.
    fileprivate var resolved: Validation {
        guard case .automatic = self else { return self }
        return BuildDefaults.refusesInvalidPages ? .response : .log
    }
}

/// Checks the responses of one page: before the server sends them if it may refuse them, and otherwise in the background.
package final class ResponseValidator: Sendable {
    private let validation: Validation
    private let noun: String
    private let logger: Logger
    /// Whether the first response of a page with one shape has been checked and logged.
    private let isFirstSeen = Atomic(false)
    /// The shapes of the page's responses that have been checked and logged.
    private let seenShapes = Locked<Set<UInt64>>([])
    /// The queue that checks responses in the background, one at a time: clients and event loops don't wait for it.
    private static let queue = DispatchQueue(label: "backlot.validation", qos: .utility)
    /// The maximum number of shapes to check. Without it, a page with ever new shapes would slow down each request.
    private static let maximumShapes = 256

    /// - Parameter noun: the word for a checked document, such as `page`.
    package init(_ validation: Validation, of noun: String, logger: Logger) {
        self.validation = validation.resolved
        self.noun = noun
        self.logger = logger
    }

    /// Waits for all background checks.
    package static func finish() { queue.sync {} }

    /// Checks the response to a request.
    ///
    /// - Parameters:
    ///   - response: the response as JSON, for a route with responses of different shapes; nil if the first response represents all.
    ///   - judge: returns the findings, perhaps only after the response was sent. Evaluated only for responses that are to be
    ///     checked.
    /// - Returns: the text to send instead; nil to send the response.
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
            if request.isCheck { return nil }  // a check inspects the response itself
            let isNew = isNewShape(of: response)
            let findings = judge()()
            if isNew { report(findings, at: request.path) }
            let errors = findings.filter { $0.severity == .error }
            guard !errors.isEmpty else { return nil }
            let list = (errors + findings.filter { $0.severity != .error }).map(\.details).joined(separator: "\n\n")
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
            // Most requests end here. The load lets all loops share the cache line; an exchange would take it away from the others.
            return !isFirstSeen.load(ordering: .relaxed) && !isFirstSeen.exchange(true, ordering: .relaxed)
        }
        let shape = PageShape.fingerprint(response)
        return seenShapes.withLock { $0.count < Self.maximumShapes && $0.insert(shape).inserted }
    }
}

/// The shape of a JSON document: the keys and types of its objects, and their nesting. Texts, numbers and the lengths of lists
/// don't count, so a page keeps its shape when only its data changes.
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
            // All digits of a number count as one mark.
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): note(mix(path, UInt64(UInt8(ascii: "0"))))
            default: break
            }
            position += 1
        }
        return seen.reduce(UInt64(seen.count)) { $0 &+ $1 }
    }

    private static let maximumMembers = 10_000

    /// An object or array that isn't closed yet.
    private struct Level {
        /// A hash of the object's position and type.
        var path: UInt64
        /// The position of the next value.
        var member: UInt64
        /// Whether the next value names the type.
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
