import Backlot
import BacklotJSON

/// How an XML document is compared with an expected one: as XMLUnit does for WireMock. The order of elements with different names
/// doesn't count, nor do prefixes, comments and blanks around texts.
struct XMLComparison: Sendable {
    /// A kind of difference that can be exempted.
    enum Difference: String, Sendable, CaseIterable {
        case tagName = "ELEMENT_TAG_NAME"
        case schemaLocation = "SCHEMA_LOCATION"
        case noNamespaceSchemaLocation = "NO_NAMESPACE_SCHEMA_LOCATION"
        case nodeType = "NODE_TYPE"
        case namespace = "NAMESPACE_URI"
        case text = "TEXT_VALUE"
        case instructionTarget = "PROCESSING_INSTRUCTION_TARGET"
        case instructionData = "PROCESSING_INSTRUCTION_DATA"
        case attributeCount = "ELEMENT_NUM_ATTRIBUTES"
        case attributeValue = "ATTR_VALUE"
        case childCount = "CHILD_NODELIST_LENGTH"
        case child = "CHILD_LOOKUP"
        case attributeName = "ATTR_NAME_LOOKUP"
    }

    /// Kinds that XMLUnit knows and that never count here.
    private static let uncounted = [
        "XML_VERSION", "XML_STANDALONE", "XML_ENCODING", "HAS_DOCTYPE_DECLARATION", "DOCTYPE_NAME", "DOCTYPE_PUBLIC_ID",
        "DOCTYPE_SYSTEM_ID", "NAMESPACE_PREFIX", "CHILD_NODELIST_SEQUENCE", "ATTR_VALUE_EXPLICITLY_SPECIFIED",
    ]
    /// The keys beside the operator.
    static let options = [
        "enablePlaceholders", "placeholderOpeningDelimiterRegex", "placeholderClosingDelimiterRegex",
        "exemptedComparisons", "ignoreOrderOfSameNode", "namespaceAwareness",
    ]
    private static let schemaInstance = "http://www.w3.org/2001/XMLSchema-instance"
    /// How many pairs of siblings are compared where their order doesn't count.
    private static let mostPairs = 100_000

    let source: String
    private let expected: XMLElement
    private var placeholders: XMLPlaceholders?
    private var exempted: Set<Difference> = []
    private var ignoresOrder = false
    private let isPlain: Bool

    init(_ value: LocatedValue, _ matcher: LocatedValue) throws(StubProblem) {
        source = try value.string()
        isPlain = try matcher["namespaceAwareness"]?.word(of: ["LEGACY", "STRICT", "NONE"]) == "NONE"
        do throws(XMLProblem) {
            expected = try XMLElement(parsing: source, isPlain: isPlain)
        } catch {
            throw value.problem("the text is no XML: \(error)")
        }
        for element in try matcher["exemptedComparisons"]?.elements() ?? [] {
            let name = try element.word(of: Difference.allCases.map(\.rawValue) + Self.uncounted)
            if let difference = Difference(rawValue: name) { exempted.insert(difference) }
        }
        ignoresOrder = try matcher["ignoreOrderOfSameNode"]?.bool() ?? false
        if try matcher["enablePlaceholders"]?.bool() ?? false {
            var placeholders = try XMLPlaceholders(matcher)
            try placeholders.read(expected, value)
            self.placeholders = placeholders
        }
    }

    /// Whether a text is XML that has no difference that counts.
    func matches(_ text: String, _ budget: inout MatchBudget) -> Bool {
        guard
            let actual = budget.xml(
                source,
                { () throws(XMLProblem) in try XMLElement(parsing: text, isPlain: isPlain) }
            )
        else { return false }
        var pairs = Self.mostPairs
        return areEqual(expected, actual, &pairs, &budget)
    }

    private func counts(_ difference: Difference) -> Bool { !exempted.contains(difference) }

    private func areEqual(
        _ expected: XMLElement,
        _ actual: XMLElement,
        _ pairs: inout Int,
        _ budget: inout MatchBudget
    ) -> Bool {
        if counts(.tagName), expected.name != actual.name { return false }
        // An element that is expected without a namespace may have any.
        if counts(.namespace), let namespace = expected.namespace, namespace != actual.namespace { return false }
        guard haveEqualAttributes(expected, actual, &budget) else { return false }
        return areEqual(expected.children, actual.children, &pairs, &budget)
    }

    private func haveEqualAttributes(_ expected: XMLElement, _ actual: XMLElement, _ budget: inout MatchBudget) -> Bool
    {
        func own(_ element: XMLElement) -> [XMLElement.Attribute] {
            element.attributes.filter { $0.namespace != Self.schemaInstance || !$0.name.hasSuffix("chemaLocation") }
        }
        let (wanted, found) = (own(expected), own(actual))
        if counts(.attributeCount), wanted.count != found.count { return false }
        for attribute in wanted {
            let other = found.first { $0.name == attribute.name && $0.namespace == attribute.namespace }
            guard let other else {
                if counts(.attributeName) { return false }
                continue
            }
            if counts(.attributeValue), !areEqual(attribute.value, other.value, &budget) { return false }
        }
        for (name, difference) in [
            ("schemaLocation", Difference.schemaLocation), ("noNamespaceSchemaLocation", .noNamespaceSchemaLocation),
        ] where counts(difference) {
            func location(_ element: XMLElement) -> String? {
                element.attributes.first { $0.namespace == Self.schemaInstance && $0.name == name }?.value
            }
            if let wanted = location(expected), wanted != location(actual) { return false }
        }
        return true
    }

    private func areEqual(
        _ expected: [XMLTree],
        _ actual: [XMLTree],
        _ pairs: inout Int,
        _ budget: inout MatchBudget
    ) -> Bool {
        // A placeholder may stand for an empty text too.
        if expected.count == 1, actual.isEmpty, case .text(let text) = expected[0],
            placeholders?.stands(text, for: "", &budget) == true
        {
            return true
        }
        if counts(.childCount), expected.count != actual.count { return false }
        let wanted = expected.sorted { $0.name < $1.name }
        var found = actual.sorted { $0.name < $1.name }
        guard ignoresOrder else {
            if expected.count > actual.count, counts(.child) { return false }
            for (one, other) in zip(wanted, found) where !areEqual(one, other, &pairs, &budget) { return false }
            return true
        }
        for one in wanted {
            var match: Int?
            for (index, other) in found.enumerated() where match == nil && one.name == other.name {
                pairs -= 1
                guard pairs > 0 else { return false }
                if areEqual(one, other, &pairs, &budget) { match = index }
            }
            guard let match else { return false }
            found.remove(at: match)
        }
        return true
    }

    private func areEqual(_ one: XMLTree, _ other: XMLTree, _ pairs: inout Int, _ budget: inout MatchBudget) -> Bool {
        switch (one, other) {
        case (.element(let one), .element(let other)): areEqual(one, other, &pairs, &budget)
        case (.text(let one), .text(let other)): !counts(.text) || areEqual(one, other, &budget)
        case (.instruction(let target, let data), .instruction(let otherTarget, let otherData)):
            (!counts(.instructionTarget) || target == otherTarget) && (!counts(.instructionData) || data == otherData)
        case (.text(let text), _): placeholders?.isIgnored(text) == true || !counts(.nodeType)
        default: !counts(.nodeType)
        }
    }

    private func areEqual(_ expected: String, _ actual: String, _ budget: inout MatchBudget) -> Bool {
        placeholders?.stands(expected, for: actual, &budget) ?? (expected == actual)
    }
}

/// Texts in an expected document that stand for others: `${xmlunit.ignore}`.
private struct XMLPlaceholders: Sendable {
    enum Placeholder: Sendable {
        case ignore, isNumber, isDateTime
        case regex(Pattern)
    }

    private let opening: Pattern
    private let closing: Pattern
    private let openingSource: String
    private let closingSource: String
    /// The texts of the expected document that are placeholders.
    private var known: [String: Placeholder] = [:]

    init(_ matcher: LocatedValue) throws(StubProblem) {
        openingSource = try matcher["placeholderOpeningDelimiterRegex"]?.string() ?? #"\$\{"#
        closingSource = try matcher["placeholderClosingDelimiterRegex"]?.string() ?? #"\}"#
        do throws(PatternError) {
            opening = try Pattern("^\\s*(?:\(openingSource))\\s*(xmlunit\\..*)$")
            closing = try Pattern("^(.*?)\\s*(?:\(closingSource))\\s*$")
        } catch {
            throw matcher.problem("a delimiter of placeholders is no regular expression: \(error)")
        }
    }

    /// The word between the delimiters; nil for a text that is no placeholder.
    private func word(_ text: String) -> String? {
        guard text.contains("xmlunit."), let rest = opening.firstGroup(in: text) else { return nil }
        return closing.firstGroup(in: rest)
    }

    /// Reads the placeholders of an expected document.
    mutating func read(_ element: XMLElement, _ field: LocatedValue) throws(StubProblem) {
        for attribute in element.attributes { try read(attribute.value, field) }
        for child in element.children {
            switch child {
            case .element(let element): try read(element, field)
            case .text(let text): try read(text, field)
            case .instruction: break
            }
        }
    }

    private mutating func read(_ text: String, _ field: LocatedValue) throws(StubProblem) {
        guard let word = word(text) else { return }
        guard let placeholder = Self.placeholder(word) else {
            throw field.problem(
                "the placeholder '\(word)' is not known here; write xmlunit.ignore, xmlunit.isNumber, xmlunit.isDateTime or xmlunit.matchesRegex([a-z]+)"
            )
        }
        known[text] = placeholder
    }

    private static func placeholder(_ word: String) -> Placeholder? {
        switch word {
        case "xmlunit.ignore": return .ignore
        case "xmlunit.isNumber": return .isNumber
        case "xmlunit.isDateTime": return .isDateTime
        default:
            guard word.hasPrefix("xmlunit.matchesRegex("), word.hasSuffix(")") else { return nil }
            return (try? Pattern(String(word.dropFirst(21).dropLast()))).map(Placeholder.regex)
        }
    }

    func isIgnored(_ text: String) -> Bool {
        if case .ignore? = known[text] { true } else { false }
    }

    func stands(_ expected: String, for actual: String, _ budget: inout MatchBudget) -> Bool {
        guard let placeholder = known[expected] else { return expected == actual }
        switch placeholder {
        case .ignore: return true
        case .isNumber: return Double(actual) != nil
        case .isDateTime: return CivilTime(actual) != nil
        case .regex(let pattern): return budget.match(pattern, whole: actual) == .matches
        }
    }
}
