import Backlot

/// The options for comparing an XML document with an expected one, like XMLUnit for WireMock. The order of elements with different
/// names, prefixes, comments and blanks around texts don't count.
struct XMLComparison: Sendable {
    /// A kind of difference that can be exempted.
    fileprivate enum Difference: String, Sendable, CaseIterable {
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
    static let options: [Key] = [
        .optional("enablePlaceholders", .bool, "Whether ${xmlunit.ignore} and the like have meaning.", default: false),
        .optional("placeholderOpeningDelimiterRegex", .string, "The beginning of placeholders."),
        .optional("placeholderClosingDelimiterRegex", .string, "The end of placeholders."),
        .optional("exemptedComparisons", .array(.string), "The differences that don't count."),
        .optional("ignoreOrderOfSameNode", .bool, "Whether the order of equal elements doesn't count.", default: false),
        .optional("namespaceAwareness", .string, "STRICT, LEGACY or NONE."),
    ]

    let source: String
    private let expected: XMLElement
    fileprivate var placeholders = XMLPlaceholders()
    fileprivate var exempted: Set<Difference> = []
    fileprivate let ignoresOrder: Bool
    private let isPlain: Bool

    init(_ value: LocatedValue, _ matcher: LocatedValue) throws(StubError) {
        let source = try value.string()
        let isPlain = try matcher["namespaceAwareness"]?.word(of: ["LEGACY", "STRICT", "NONE"]) == "NONE"
        (self.source, self.isPlain) = (source, isPlain)
        expected = try mapErrors({ value.problem("the text isn't XML: \($0)") }) {
            try XMLElement(parsing: source, isPlain: isPlain)
        }
        for element in try matcher["exemptedComparisons"]?.elements() ?? [] {
            let name = try element.word(of: Difference.allCases.map(\.rawValue) + Self.uncounted)
            if let difference = Difference(rawValue: name) { exempted.insert(difference) }
        }
        ignoresOrder = matcher.value["ignoreOrderOfSameNode"]?.bool ?? false
        guard matcher.value["enablePlaceholders"]?.bool == true else { return }
        try placeholders.read(expected, value, try XMLPlaceholders.Delimiters(matcher))
    }

    /// Whether a text is XML without a difference that counts.
    func matches(_ text: String, _ budget: inout MatchBudget) -> Bool {
        let actual = budget.xml(source, { () throws(XMLError) in try XMLElement(parsing: text, isPlain: isPlain) })
        guard let actual else { return false }
        var run = XMLMatch(rules: self, budget: budget)
        defer { budget = run.budget }
        return run.areEqual(expected, actual)
    }
}

/// A comparison of two documents.
private struct XMLMatch {
    private static let schemaInstance = "http://www.w3.org/2001/XMLSchema-instance"

    let rules: XMLComparison
    var budget: MatchBudget
    /// The number of further pairs of siblings to compare if their order doesn't count.
    private var pairs = 100_000

    init(rules: XMLComparison, budget: MatchBudget) {
        (self.rules, self.budget) = (rules, budget)
    }

    private func counts(_ difference: XMLComparison.Difference) -> Bool { !rules.exempted.contains(difference) }

    mutating func areEqual(_ expected: XMLElement, _ actual: XMLElement) -> Bool {
        if counts(.tagName), expected.name != actual.name { return false }
        // An element that is expected without a namespace may have any.
        if counts(.namespace), let namespace = expected.namespace, namespace != actual.namespace { return false }
        return haveEqualAttributes(expected, actual) && areEqual(expected.children, actual.children)
    }

    private mutating func haveEqualAttributes(_ expected: XMLElement, _ actual: XMLElement) -> Bool {
        func own(_ element: XMLElement) -> [XMLElement.Attribute] {
            element.attributes.filter { $0.namespace != Self.schemaInstance || !$0.name.hasSuffix("chemaLocation") }
        }
        let (wanted, found) = (own(expected), own(actual))
        if counts(.attributeCount), wanted.count != found.count { return false }
        for attribute in wanted {
            if let other = found.first(where: { $0.name == attribute.name && $0.namespace == attribute.namespace }) {
                if counts(.attributeValue), !areEqual(attribute.value, other.value) { return false }
            } else if counts(.attributeName) {
                return false
            }
        }
        func location(_ name: String, of element: XMLElement) -> String? {
            element.attributes.first { $0.namespace == Self.schemaInstance && $0.name == name }?.value
        }
        return [
            ("schemaLocation", XMLComparison.Difference.schemaLocation),
            ("noNamespaceSchemaLocation", .noNamespaceSchemaLocation),
        ].allSatisfy { name, difference in
            guard counts(difference), let wanted = location(name, of: expected) else { return true }
            return wanted == location(name, of: actual)
        }
    }

    private mutating func areEqual(_ expected: [XMLTree], _ actual: [XMLTree]) -> Bool {
        // A placeholder may also stand for an empty text.
        if expected.count == 1, actual.isEmpty, case .text(let text) = expected[0],
            rules.placeholders.stands(text, for: "", &budget) == true
        {
            return true
        }
        if counts(.childCount), expected.count != actual.count { return false }
        let wanted = expected.sorted { $0.name < $1.name }
        var found = actual.sorted { $0.name < $1.name }
        guard rules.ignoresOrder else {
            if expected.count > actual.count, counts(.child) { return false }
            for (one, other) in zip(wanted, found) where !areEqual(one, other) { return false }
            return true
        }
        for one in wanted {
            let match = found.indices.first { index in
                guard one.name == found[index].name, pairs > 1 else { return false }
                pairs -= 1
                return areEqual(one, found[index])
            }
            guard let match else { return false }
            found.remove(at: match)
        }
        return true
    }

    private mutating func areEqual(_ one: XMLTree, _ other: XMLTree) -> Bool {
        switch (one, other) {
        case (.element(let one), .element(let other)): areEqual(one, other)
        case (.text(let one), .text(let other)): !counts(.text) || areEqual(one, other)
        case (.instruction(let target, let data), .instruction(let otherTarget, let otherData)):
            (!counts(.instructionTarget) || target == otherTarget) && (!counts(.instructionData) || data == otherData)
        case (.text(let text), _): rules.placeholders.isIgnored(text) || !counts(.nodeType)
        default: !counts(.nodeType)
        }
    }

    private mutating func areEqual(_ expected: String, _ actual: String) -> Bool {
        rules.placeholders.stands(expected, for: actual, &budget) ?? (expected == actual)
    }
}

/// Texts in an expected document that stand for others: `${xmlunit.ignore}`.
private struct XMLPlaceholders: Sendable {
    /// The delimiters of a placeholder.
    struct Delimiters {
        private let opening: PCRERegex
        private let closing: PCRERegex

        init(_ matcher: LocatedValue) throws(StubError) {
            let opening = matcher.value["placeholderOpeningDelimiterRegex"]?.string ?? #"\$\{"#
            let closing = matcher.value["placeholderClosingDelimiterRegex"]?.string ?? #"\}"#
            do throws(PatternError) {
                self.opening = try PCRERegex("^\\s*(?:\(opening))\\s*(xmlunit\\..*)$")
                self.closing = try PCRERegex("^(.*?)\\s*(?:\(closing))\\s*$")
            } catch {
                throw matcher.problem("a delimiter of placeholders isn't a regular expression: \(error)")
            }
        }

        /// The word between the delimiters; nil for a text that isn't a placeholder.
        func word(_ text: String) -> String? {
            guard text.contains("xmlunit."), let rest = opening.firstGroup(in: text) else { return nil }
            return closing.firstGroup(in: rest)
        }
    }

    /// The texts of the expected document that are placeholders.
    private var known: [String: Placeholder] = [:]

    /// Reads the placeholders of an expected document.
    mutating func read(_ element: XMLElement, _ field: LocatedValue, _ delimiters: Delimiters) throws(StubError) {
        var texts = element.attributes.map(\.value)
        for child in element.children {
            switch child {
            case .element(let element): try read(element, field, delimiters)
            case .text(let text): texts.append(text)
            case .instruction: break
            }
        }
        for text in texts {
            guard let word = delimiters.word(text) else { continue }
            guard let placeholder = Placeholder(xmlUnit: word) else {
                throw field.problem(
                    "the placeholder '\(word)' is not known here; write xmlunit.ignore, xmlunit.isNumber, xmlunit.isDateTime or xmlunit.matchesRegex([a-z]+)"
                )
            }
            known[text] = placeholder
        }
    }

    func isIgnored(_ text: String) -> Bool {
        if case .ignore? = known[text] { true } else { false }
    }

    /// Whether a text matches a placeholder; nil for an expected text that isn't a placeholder.
    func stands(_ expected: String, for actual: String, _ budget: inout MatchBudget) -> Bool? {
        known[expected]?.stands(for: actual, &budget)
    }
}
