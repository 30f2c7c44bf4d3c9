import Backlot
import BacklotJSON

/// What rules have to say about a document.
struct Remarks {
    let page: String
    let readings: RuleReadings
    private(set) var findings: [Finding] = []

    init(page: String, readings: RuleReadings) {
        self.page = page
        self.readings = readings
    }

    /// Something that a client rejects, or that can't work.
    mutating func error(_ rule: String, _ scope: WireScope, _ key: String = "", _ message: String, fix: String) {
        add(.error, rule, scope, key, message, fix)
    }

    /// Something that works otherwise than it was meant to.
    mutating func warning(_ rule: String, _ scope: WireScope, _ key: String = "", _ message: String, fix: String) {
        add(.warning, rule, scope, key, message, fix)
    }

    private mutating func add(
        _ severity: Finding.Severity,
        _ rule: String,
        _ scope: WireScope,
        _ key: String,
        _ message: String,
        _ fix: String
    ) {
        let pointer = key.isEmpty ? scope.pointer : "\(scope.pointer)/\(key)"
        let path = FindingPath(page: page, steps: scope.steps, pointer: pointer)
        findings.append(
            Finding(severity, rule: rule, path: path, message: message, fix: fix, isRejection: false)
        )
    }

    /// Reports that nothing is there, or something of another type.
    private mutating func report(_ what: String, _ scope: WireScope, _ key: String, _ value: JSONValue?) {
        if let value {
            error("wrong-type", scope, key, "\"\(key)\" is \(value.description.excerpt).", fix: "Write \(what).")
        } else {
            error("missing-key", scope, key, "\"\(key)\" is required here.", fix: "Add \"\(key)\" with \(what).")
        }
    }

    /// A whole number within bounds; nil where there is none, which is reported unless it may be absent.
    @discardableResult
    mutating func integer(
        _ scope: WireScope,
        _ key: String,
        _ bounds: ClosedRange<Int64>,
        rule: String = "out-of-range",
        isRequired: Bool = false
    ) -> Int? {
        guard let value = scope[key] else {
            if isRequired { report("a whole number", scope, key, nil) }
            return nil
        }
        guard let number = value.number, number.isWhole else {
            report("a whole number", scope, key, value)
            return nil
        }
        guard let integer = number.int64, bounds.contains(integer) else {
            let range =
                bounds.upperBound == .max
                ? "\(bounds.lowerBound) or more" : "\(bounds.lowerBound) to \(bounds.upperBound)"
            error(rule, scope, key, "\"\(key)\" is \(value.description.excerpt).", fix: "Write \(range).")
            return nil
        }
        return Int(integer)
    }

    /// A text; nil where there is none, which is reported unless it may be absent.
    @discardableResult
    mutating func string(_ scope: WireScope, _ key: String, isRequired: Bool = false) -> String? {
        guard let value = scope[key] else {
            if isRequired { report("a string", scope, key, nil) }
            return nil
        }
        guard let string = value.string else {
            report("a string", scope, key, value)
            return nil
        }
        return string
    }

    /// `true` or `false`; nil where there is neither.
    @discardableResult
    mutating func bool(_ scope: WireScope, _ key: String) -> Bool? {
        guard let value = scope[key] else { return nil }
        guard let bool = value.bool else {
            report("true or false", scope, key, value)
            return nil
        }
        return bool
    }

    /// The elements of an array; nil where there is none, which is reported unless it may be absent.
    @discardableResult
    mutating func array(_ scope: WireScope, _ key: String, of what: String, isRequired: Bool = false) -> [JSONValue]? {
        guard let value = scope[key] else {
            if isRequired { report("an array of \(what)", scope, key, nil) }
            return nil
        }
        guard let elements = value.array else {
            report("an array of \(what)", scope, key, value)
            return nil
        }
        return elements
    }

    /// Whole numbers; nil where there are none, or others too, which is reported.
    @discardableResult
    mutating func integers(_ scope: WireScope, _ key: String) -> [Int]? {
        guard let elements = array(scope, key, of: "whole numbers") else { return nil }
        let integers = elements.compactMap { $0.number?.int64.map { Int($0) } }
        guard integers.count == elements.count else {
            report("an array of whole numbers", scope, key, scope[key])
            return nil
        }
        return integers
    }

    /// Texts; nil where there are none, or others too, which is reported.
    @discardableResult
    mutating func strings(_ scope: WireScope, _ key: String) -> [String]? {
        guard let elements = array(scope, key, of: "strings") else { return nil }
        let strings = elements.compactMap(\.string)
        guard strings.count == elements.count else {
            error(
                "wrong-type",
                scope,
                key,
                "\"\(key)\" has an element that is no string, and clients then drop all of it.",
                fix: "Write an array of strings."
            )
            return nil
        }
        return strings
    }

    /// Objects: elements of an array that are none are reported.
    mutating func objects(
        _ scope: WireScope,
        _ key: String,
        labelled label: String,
        isRequired: Bool = false
    ) -> [WireScope] {
        guard let elements = array(scope, key, of: "objects", isRequired: isRequired) else { return [] }
        let scopes = scope.scopes(key, labelled: label)
        if scopes.count != elements.count { report("an array of objects", scope, key, scope[key]) }
        return scopes
    }
}
