public import Backlot
public import BacklotClients

/// What a tool has found out about a running server.
public protocol ServerReport: Sendable, CustomStringConvertible {
    /// The tool's name, as on the command line: `check`.
    static var tool: String { get }
    /// Why the server can't be judged; nil where it can.
    var unreachable: ClientError? { get }
    /// What was found.
    var findings: [Finding] { get }
    /// Whether something kept the tool from looking at all that it was to look at, so that finding nothing means little; false by
    /// default.
    var isCutShort: Bool { get }
    /// What was looked at, with what was found there; by default only places with findings.
    var subjects: [FindingReport.Page] { get }
    /// The report for programs. It has the findings in the array `findings`.
    var json: JSONValue { get }
}

/// How a report is written.
public enum ReportFormat: String, Sendable, CaseIterable {
    /// For people.
    case text
    /// For programs: one value of JSON (``ServerReport/json``).
    case json
    /// For CI: the XML of JUnit, with a test case for each place that was looked at.
    case junit
    /// For code scanning: SARIF 2.1.0 (OASIS), with a result for each finding.
    case sarif
}

extension ServerReport {
    /// Whether the server was reached and nothing was found.
    public var isClean: Bool { unreachable == nil && findings.isEmpty }

    /// `false`.
    public var isCutShort: Bool { false }

    /// Only the places with findings, in the order in which they were found.
    public var subjects: [FindingReport.Page] { Self.places(of: findings) }

    /// The report in a format, without a line break at its end.
    public func text(as format: ReportFormat) -> String {
        switch format {
        case .text: description
        case .json: "\(json)"
        case .junit: junit
        case .sarif: "\(sarif)"
        }
    }
}

extension ServerReport {
    /// The first ten of what was left out, and their number, in a line; no line without any.
    ///
    /// - Parameter more: how many further ones there are.
    static func list(_ title: String, _ items: [String], more: Int = 0) -> [String] {
        guard !items.isEmpty else { return [] }
        let shown = items.prefix(10).map { $0.cut(to: 80) }.joined(separator: ", ")
        return ["\(title): \(items.count + more): \(shown)\(items.count + more > 10 ? ", …" : "")"]
    }

    /// The places of the findings, each with its findings, and places without any.
    package static func places(of findings: [Finding], beside clean: some Sequence<String> = []) -> [FindingReport.Page]
    {
        let found = Dictionary(grouping: findings, by: \.path.page)
        var seen: Set<String> = []
        let places = (findings.map(\.path.page) + clean).filter { seen.insert($0).inserted }
        return places.map { FindingReport.Page(path: $0, findings: found[$0] ?? []) }
    }
}

extension Duration {
    /// Seconds with one digit behind the point: `1.5`.
    var inTenths: String { "\(milliseconds / 1000).\(milliseconds % 1000 / 100)" }
}

extension Int {
    /// A number of things: `1 request`, `2 requests`.
    func counting(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

extension Finding {
    /// The finding in reports for programs: an object with `page`, `path` (for people), `pointer` (RFC 6901), `severity`, `rule`,
    /// `message` and `fix`.
    package var json: JSONObject {
        [
            "page": .string(path.page),
            "path": .string("\(path)"),
            "pointer": .string(path.pointer),
            "severity": .string(severity.rawValue),
            "rule": .string(rule),
            "message": .string(message),
            "fix": .string(fix),
        ]
    }
}

extension JSONValue {
    /// A whole number.
    package static func count(_ number: Int) -> JSONValue { .number(JSONNumber(Int64(number))) }
    /// A value as a text; null where there is none.
    package static func text(_ value: (some CustomStringConvertible)?) -> JSONValue {
        value.map { .string("\($0)") } ?? .null
    }

    /// A list of texts.
    package static func texts(_ texts: some Sequence<String>) -> JSONValue { .array(texts.map { .string($0) }) }
}
