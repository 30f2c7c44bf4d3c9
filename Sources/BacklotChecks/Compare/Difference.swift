public import Backlot
internal import BacklotClients
internal import BacklotMocks

/// A difference between two backends, or between mocks and their backend.
public struct Difference: Sendable, Equatable {
    /// The effect of a difference on existing clients.
    public enum Kind: String, Sendable, CaseIterable, Comparable {
        /// Users don't see the difference.
        case neutral
        /// Users see the difference.
        case visible
        /// Clients, or pages that they have stored, stop working: a page or a variable is gone, an rpc requires more, or a client
        /// version rejects a page that it loaded before.
        case breaking

        /// Whether the left kind is less severe than the right one.
        public static func < (left: Kind, right: Kind) -> Bool {
            left.severity != right.severity && (left == .neutral || right == .breaking)
        }

        /// The severity as a finding.
        var severity: Finding.Severity {
            switch self {
            case .breaking: .error
            case .visible: .warning
            case .neutral: .note
            }
        }

        init(_ severity: Finding.Severity) { self = Self.allCases.first { $0.severity == severity } ?? .neutral }
    }

    /// The effect on existing clients.
    public internal(set) var kind: Kind
    /// The difference, as a sentence.
    private(set) var message: String
    /// Advice, as a sentence.
    var fix = ""
    /// The rule, which stays the same from version to version: `widget-removed`.
    private(set) var rule: String
    /// The path in the second document; for a removed part, in the first.
    var path: FindingPath
    /// The first side's value; nil without one.
    public internal(set) var was: String?
    /// The second side's value; nil without one.
    public internal(set) var now: String?
    /// The file with the mock's response; nil for a mock without a file, and between deployments.
    public internal(set) var file: String?
    /// The affected variable; nil without one. For a renamed variable, its old name.
    let variable: String?
    /// The pointer in the first document; for an added part, the pointer of the part around it. Empty if the position doesn't
    /// matter.
    private let knownPlace: String
    /// The added or removed key, or another name that distinguishes the difference at its pointer.
    let name: String
    /// Whether the cause may be a value that changes each time.
    var isOfDocument = false

    /// Creates a difference.
    ///
    /// - Parameters:
    ///   - place: the pointer in the first document; for an added part, the pointer of the part around it.
    ///   - name: the added or removed key, or another name that distinguishes the difference at its pointer.
    init(
        _ rule: String,
        _ kind: Kind,
        at path: FindingPath = FindingPath(page: ""),
        place: String = "",
        was: String? = nil,
        now: String? = nil,
        name: String? = nil,
        variable: String? = nil,
        _ message: String
    ) {
        self.rule = rule
        self.kind = kind
        self.path = path
        self.was = was
        self.now = now
        self.variable = variable
        self.message = message
        knownPlace = place
        self.name = name ?? [was, now].compactMap(\.self).joined()
    }

    /// The difference as a finding. The path of a removed part is the first side's. The page is the requested one.
    public var finding: Finding {
        Finding(kind.severity, rule: rule, path: path, message: message, fix: fix, isRejection: false)
    }

    var pointer: String { path.pointer }

    /// The pointer in the first document; for an added part, that of the part around it.
    var place: String { knownPlace.isEmpty ? pointer : knownPlace }

    /// The identity of the difference across two passes over a backend with changing values.
    var identity: [String] { [rule, knownPlace, name] }

    /// The pointer in the first document; for an added key, the key's own pointer.
    var ownPlace: String { rule == "key-added" ? place + JSONPointer.step(name) : place }

    /// Whether the difference concerns only the value at a pointer.
    var isOfValue: Bool { ["value-changed", "order-changed", "target-changed"].contains(rule) }

    /// Returns the difference with another rule, kind and message.
    func retold(as rule: String? = nil, _ kind: Kind, _ message: String) -> Difference {
        var other = self
        (other.rule, other.kind, other.message) = (rule ?? self.rule, kind, message)
        return other
    }

    /// Adds the effect on clients.
    mutating func explain(_ reason: String, _ kind: Kind) {
        self.kind = kind
        if !message.contains(reason) { message += " " + reason }
    }

    /// The differences that are in every list. A difference that comes and goes doesn't count.
    static func lasting(_ lists: [[Difference]]) -> [Difference] {
        guard var lasting = lists.first else { return [] }
        for list in lists.dropFirst() {
            var counts = Counts(list.map(\.identity))
            lasting = lasting.filter { counts.take($0.identity) }
        }
        return lasting
    }
}

/// A multiset, to match elements one by one.
struct Counts<Element: Hashable> {
    private var counts: [Element: Int] = [:]

    init(_ elements: some Sequence<Element>) { for element in elements { counts[element, default: 0] += 1 } }

    /// Removes one occurrence; false without one.
    mutating func take(_ element: Element) -> Bool {
        guard let count = counts[element], count > 0 else { return false }
        counts[element] = count - 1
        return true
    }

    /// Keeps for each element the larger of both counts.
    mutating func merge(_ other: Counts) { counts.merge(other.counts) { max($0, $1) } }
}

// MARK: - Rules

extension Difference.Kind {
    /// The rules that the mocks' own clients don't notice.
    private static let harmlessToMocks: Set = [
        "cookie-changed", "header-removed", "cache-control-changed", "order-changed", "value-changed",
    ]
    private static let breakingRules: Set = [
        "variable-removed", "variable-changed", "variable-required", "no-page", "not-json", "return-code-changed",
        "body-removed", "no-answer",
    ]
    private static let neutralRules: Set = [
        "header-removed", "cache-control-changed", "cookie-added", "cookie-changed", "cookie-removed",
    ]

    /// The kind of a difference between a mock and its backend, which should have the same structure.
    init(ofMock rule: String) {
        let isAddition = rule.hasSuffix("-added") && rule != "variable-added"
        self = isAddition || Self.harmlessToMocks.contains(rule) ? .visible : .breaking
    }

    /// The kind of a difference between two deployments.
    ///
    /// - Parameter isPlainJSON: whether the JSON follows no known vocabulary, so that its readers may need every key.
    init(ofDeployment rule: String, was: String?, isPlainJSON: Bool) {
        switch rule {
        case _ where Self.breakingRules.contains(rule): self = .breaking
        case "cookie-removed" where SecretNames.isSession(was ?? ""): self = .breaking
        case _ where Self.neutralRules.contains(rule): self = .neutral
        case "key-removed" where isPlainJSON, "type-changed" where isPlainJSON: self = .breaking
        case "key-added" where isPlainJSON: self = .neutral
        default: self = .visible
        }
    }

    /// The kind of a changed status of a deployment.
    init(ofStatus was: HTTPResponse.Status, _ now: HTTPResponse.Status) {
        self = was.kind == .successful && now.kind != .successful ? .breaking : .visible
    }

    /// Advice about a difference between deployments.
    func fix(_ rule: String) -> String {
        switch (self, rule) {
        case (.breaking, "page-gone"), (.breaking, "route-gone"):
            "Keep this path as long as clients may have pages that lead there, or redirect."
        case (.breaking, "variable-removed"), (.breaking, "variable-changed"):
            "Keep the variable, or change everything that reads it."
        case (.breaking, "variable-required"), (.breaking, "status-changed"):
            "Accept requests from the old pages that clients have stored."
        case (.breaking, "version-refused"), (.breaking, "version-sends-nothing"):
            "Leave out the parts that these clients don't know, or tell their users to update first."
        case (.breaking, "protocol-changed"): "Compare two deployments of the same app."
        case (.breaking, _): "Fix this before the release."
        case (.visible, "broken-mock-file"): CrawlRule.brokenFileFix
        case (.visible, _): "Make sure that this is intended."
        case (.neutral, _): "No action is needed."
        }
    }
}

/// The depth of a comparison, and the names of its sides.
struct ComparisonTerms: Sendable {
    enum Depth: Sendable {
        /// Compares the parts of the documents.
        case structure
        /// Compares texts, numbers and booleans too.
        case values
        /// Compares everything, including the number and order of rows of data.
        case all
    }

    var depth = Depth.structure
    /// The names of the sides in sentences.
    var was = "the mock"
    var now = "the backend"
    /// The maximum number of stored differences of a document; further ones are only counted.
    var most = 200
    /// Whether two different texts mean the same.
    var isSameText: @Sendable (String, String) -> Bool = { $0 == $1 }
    /// The route of a path, without values such as ids.
    var route: @Sendable (String) -> String

    /// Terms for two deployments, with everything compared.
    static func deployments(_ volatile: VolatileText) -> ComparisonTerms {
        ComparisonTerms(
            depth: .all,
            was: "A",
            now: "B",
            most: VolatilePlaces.mostChanges,
            isSameText: volatile.isSame,
            route: volatile.masked
        )
    }

    var wasFirst: String { was.capitalizedFirst }
    var nowFirst: String { now.capitalizedFirst }

    func kind(_ rule: String, was: String?, isPlainJSON: Bool = false) -> Difference.Kind {
        depth == .all
            ? Difference.Kind(ofDeployment: rule, was: was, isPlainJSON: isPlainJSON) : Difference.Kind(ofMock: rule)
    }
}

/// Attaches the rules that only the second document breaks to the differences between the documents: a broken rule explains the
/// difference near it.
struct BrokenRules {
    private(set) var differences: [Difference]
    /// The broken rules that make clients reject the document.
    private(set) var refusals: Set<String> = []
    /// The number of rules that aren't listed.
    private(set) var notListed = 0
    private let terms: ComparisonTerms

    init(_ terms: ComparisonTerms, in differences: [Difference]) {
        (self.terms, self.differences) = (terms, differences)
    }

    /// The first difference that is at a pointer, around it or just below it.
    private func index(near pointer: String) -> Int? {
        differences.firstIndex { difference in
            guard difference.isOfDocument, difference.rule != "widget-moved" else { return false }
            let own = difference.pointer
            guard !own.isEmpty, !pointer.isEmpty else { return false }
            return own == pointer || pointer.hasPrefix(own + "/") || VolatilePlaces.parent(of: own) == pointer
        }
    }

    /// Adds the rules that the second document breaks.
    ///
    /// - Parameters:
    ///   - known: the number of times that the first document breaks each rule.
    ///   - lasting: the number of times that the second document broke each rule at another request; nil without one.
    mutating func add(_ findings: [Finding], known: Counts<String>, lasting: Counts<String>? = nil) {
        var (known, lasting) = (known, lasting)
        let isOfDeployments = terms.depth == .all
        var listed: [Difference.Kind: Int] = [:]
        for finding in findings where !known.take(finding.rule) {
            if lasting != nil, lasting?.take(finding.rule) != true { continue }
            if finding.isRejection { refusals.insert(finding.rule) }
            let kind: Difference.Kind = finding.severity == .error ? .breaking : .visible
            listed[kind, default: 0] += 1
            guard !isOfDeployments || listed[kind, default: 0] <= FoundDifferences.mostPerPage else {
                notListed += 1
                continue
            }
            let reason = isOfDeployments ? "\(finding.message) \(finding.fix)" : finding.message
            if let index = index(near: finding.path.pointer) {
                // For clients that ignore the difference, a warning changes nothing.
                let known = differences[index].kind
                let isHarmless = known == .neutral && kind != .breaking
                differences[index].explain(reason, isHarmless ? .neutral : max(known, kind))
                continue
            }
            let sides = isOfDeployments ? ("B's page", "A's") : ("The backend's response", "the mock's")
            let message = "\(sides.0) breaks a rule that \(sides.1) follows: \(reason)"
            var difference = Difference(finding.rule, kind, at: finding.path, name: "", message)
            difference.isOfDocument = !isOfDeployments
            differences.append(difference)
        }
    }
}
