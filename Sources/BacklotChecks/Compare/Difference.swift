public import Backlot
internal import BacklotMocks

/// Something that differs between two backends, or between mocks and their backend.
public struct Difference: Sendable, Equatable {
    /// What a difference means for the clients that are there.
    public enum Kind: String, Sendable, CaseIterable, Comparable {
        /// Users don't see it.
        case neutral
        /// Users see it.
        case visible
        /// Clients, or pages that they have kept, stop working: a page or a variable is gone, an rpc requires more, a version of the
        /// client refuses a page that it loaded.
        case breaking

        /// Whether one is worse than the other.
        public static func < (left: Kind, right: Kind) -> Bool {
            left.severity != right.severity && (left == .neutral || right == .breaking)
        }

        /// How bad it is as a finding.
        var severity: Finding.Severity {
            switch self {
            case .breaking: .error
            case .visible: .warning
            case .neutral: .note
            }
        }

        init(_ severity: Finding.Severity) { self = Self.allCases.first { $0.severity == severity } ?? .neutral }
    }

    /// What it means for the clients that are there.
    public internal(set) var kind: Kind
    /// What is different, as a sentence.
    private(set) var message: String
    /// What to do about it, as a sentence.
    var fix = ""
    /// Its rule, which stays the same from version to version: `widget-removed`.
    private(set) var rule: String
    /// Where it is: in the second document; for what was removed, in the first.
    var path: FindingPath
    /// What the first side has; nil where it has nothing there.
    public internal(set) var was: String?
    /// What the second side has; nil where it has nothing there.
    public internal(set) var now: String?
    /// The file that holds the mock's response; nil for a mock without one, and between deployments.
    public internal(set) var file: String?
    /// The variable that it is about; nil for none. Of a variable with another name, the name it had.
    let variable: String?
    /// The place in the first document; for what was added, that of the part around it. Empty where it is the same wherever it is.
    private let knownPlace: String
    private let name: String
    /// Whether a value that is another each time may be why it differs.
    var isOfDocument = false

    /// A difference.
    ///
    /// - Parameters:
    ///   - place: the place in the first document; for what was added, that of the part around it.
    ///   - name: the key that was added or removed, or what else tells it from others at its place.
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

    /// What it is, and where: for what is gone the place is one of the first side's. The page is what was requested.
    public var finding: Finding {
        Finding(kind.severity, rule: rule, path: path, message: message, fix: fix, isRejection: false)
    }

    var pointer: String { path.pointer }

    /// The place in the first document; for what was added, that of the part around it.
    var place: String { knownPlace.isEmpty ? pointer : knownPlace }

    /// What makes it the same difference in two passes over a backend whose values change.
    var identity: [String] { [rule, knownPlace, name] }

    /// The same, and for a key that was added, that of the key.
    var ownPlace: String { rule == "key-added" ? place + JSONPointer.step(name) : place }

    /// Whether it is only about what stands at a place.
    var isOfValue: Bool { ["value-changed", "order-changed", "target-changed"].contains(rule) }

    /// The same in other words.
    func retold(as rule: String? = nil, _ kind: Kind, _ message: String) -> Difference {
        var other = self
        (other.rule, other.kind, other.message) = (rule ?? self.rule, kind, message)
        return other
    }

    /// Adds what clients make of it.
    mutating func explain(_ reason: String, _ kind: Kind) {
        self.kind = kind
        if !message.contains(reason) { message += " " + reason }
    }

    /// What is found in every list: a difference that comes and goes is none.
    static func lasting(_ lists: [[Difference]]) -> [Difference] {
        guard var lasting = lists.first else { return [] }
        for list in lists.dropFirst() {
            var counts = Counts(list.map(\.identity))
            lasting = lasting.filter { counts.take($0.identity) }
        }
        return lasting
    }
}

/// How often there is what, to be matched one by one.
struct Counts<Element: Hashable> {
    private var counts: [Element: Int] = [:]

    init(_ elements: some Sequence<Element>) { for element in elements { counts[element, default: 0] += 1 } }

    /// Takes one away; false where none is left.
    mutating func take(_ element: Element) -> Bool {
        guard let count = counts[element], count > 0 else { return false }
        counts[element] = count - 1
        return true
    }

    /// As many of each as the one or the other has.
    mutating func merge(_ other: Counts) { counts.merge(other.counts) { max($0, $1) } }
}

// MARK: - Rules

extension Difference.Kind {
    /// Of these the mocks' own clients notice nothing.
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

    /// The kind of a difference between a mock and its backend, which are to have the same structure.
    init(ofMock rule: String) {
        let isAddition = rule.hasSuffix("-added") && rule != "variable-added"
        self = isAddition || Self.harmlessToMocks.contains(rule) ? .visible : .breaking
    }

    /// The kind of a difference between two deployments.
    ///
    /// - Parameter isPlainJSON: whether it is in JSON that no vocabulary knows, whose readers may need every key.
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

    /// The kind of another status of a deployment.
    init(ofStatus was: HTTPResponse.Status, _ now: HTTPResponse.Status) {
        self = was.kind == .successful && now.kind != .successful ? .breaking : .visible
    }

    /// What to do about a difference between deployments.
    func fix(_ rule: String) -> String {
        switch (self, rule) {
        case (.breaking, "page-gone"), (.breaking, "route-gone"):
            "Answer there for as long as clients may keep pages that lead there, or redirect."
        case (.breaking, "variable-removed"), (.breaking, "variable-changed"):
            "Keep the variable, or let everything that reads it do without."
        case (.breaking, "variable-required"), (.breaking, "status-changed"):
            "Accept what clients send from the pages that they have kept."
        case (.breaking, "version-refused"), (.breaking, "version-sends-nothing"):
            "Leave out what these clients don't know, or tell their users to update first."
        case (.breaking, "protocol-changed"): "Compare two deployments of the same app."
        case (.breaking, _): "Mend it before this is released."
        case (.visible, _): "Make sure that it is meant."
        case (.neutral, _): "There is nothing to do."
        }
    }
}

/// How closely two sides are compared, and what they are called.
struct ComparisonTerms: Sendable {
    enum Depth: Sendable {
        /// By what parts there are.
        case structure
        /// By texts, numbers and booleans, too.
        case values
        /// By everything, such as how many rows of data there are, and in which order.
        case all
    }

    var depth = Depth.structure
    /// The sides in sentences.
    var was = "the mock"
    var now = "the backend"
    /// How many differences of a document are kept; the others are counted.
    var most = 200
    /// Whether two texts that differ mean the same.
    var isSameText: @Sendable (String, String) -> Bool = { $0 == $1 }
    /// The route that a path leads to, in which values such as ids don't count.
    var route: @Sendable (String) -> String

    /// Two deployments, of which everything is compared.
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

/// Puts the rules that a second document breaks, and a first doesn't, to the differences between the two: a difference that breaks a
/// rule is explained by it.
struct BrokenRules {
    private(set) var differences: [Difference]
    /// The rules that clients refuse the document for.
    private(set) var refusals: Set<String> = []
    /// How many rules aren't listed.
    private(set) var notListed = 0
    private let terms: ComparisonTerms

    init(_ terms: ComparisonTerms, in differences: [Difference]) {
        (self.terms, self.differences) = (terms, differences)
    }

    /// The first difference that is at a place, around it or just below it.
    private func index(near pointer: String) -> Int? {
        differences.firstIndex { difference in
            guard difference.isOfDocument, difference.rule != "widget-moved" else { return false }
            let own = difference.pointer
            guard !own.isEmpty, !pointer.isEmpty else { return false }
            return own == pointer || pointer.hasPrefix(own + "/") || VolatilePlaces.parent(of: own) == pointer
        }
    }

    /// Adds what the second document breaks.
    ///
    /// - Parameters:
    ///   - known: how often the first breaks each rule.
    ///   - lasting: how often the second broke each rule another time; nil where it wasn't asked again.
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
                // What clients pass over is no worse for a warning.
                let known = differences[index].kind
                let isHarmless = known == .neutral && kind != .breaking
                differences[index].explain(reason, isHarmless ? .neutral : max(known, kind))
                continue
            }
            let sides = isOfDeployments ? ("B's page", "A's") : ("The backend's answer", "the mock's")
            let message = "\(sides.0) breaks a rule that \(sides.1) follows: \(reason)"
            var difference = Difference(finding.rule, kind, at: finding.path, name: "", message)
            difference.isOfDocument = !isOfDeployments
            differences.append(difference)
        }
    }
}
