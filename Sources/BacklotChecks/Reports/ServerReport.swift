public import Backlot
public import BacklotClients

/// The findings of a tool about a running server.
public protocol ServerReport: Sendable, CustomStringConvertible {
    /// The tool's name, as on the command line: `check`.
    static var tool: String { get }
    /// The reason why the server can't be checked; nil if it can.
    var unreachable: ClientError? { get }
    /// The findings.
    var findings: [Finding] { get }
    /// Whether the tool stopped before it had checked everything, so that an empty list of findings means little; false by
    /// default.
    var isCutShort: Bool { get }
    /// The checked subjects with their findings; by default only subjects with findings.
    var subjects: [FindingReport.Page] { get }
    /// The report for programs. The array `findings` has the findings.
    var json: JSONValue { get }
}

/// The format of a report.
public enum ReportFormat: String, Sendable, CaseIterable {
    /// Text for people.
    case text
    /// One JSON value for programs: ``ServerReport/json``.
    case json
    /// JUnit XML for CI, with a test case for each subject.
    case junit
    /// SARIF 2.1.0 (OASIS) for code scanning, with a result for each finding.
    case sarif
}

extension ServerReport {
    /// Whether the server could be reached and there are no findings.
    public var isClean: Bool { unreachable == nil && findings.isEmpty }

    /// The default, `false`.
    public var isCutShort: Bool { false }

    /// The subjects with findings, in the order of the findings.
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
    /// A line with the first ten of the omitted items and their number; no line without items.
    ///
    /// - Parameter more: the number of further items.
    static func list(_ title: String, _ items: [String], more: Int = 0) -> [String] {
        guard !items.isEmpty else { return [] }
        let shown = items.prefix(10).map { $0.cut(to: 80) }.joined(separator: ", ")
        return ["\(title): \(items.count + more): \(shown)\(items.count + more > 10 ? ", …" : "")"]
    }

    /// The subjects of the findings with their findings, followed by the subjects without any.
    package static func places(of findings: [Finding], beside clean: some Sequence<String> = []) -> [FindingReport.Page]
    {
        let found = Dictionary(grouping: findings, by: \.path.page)
        var seen: Set<String> = []
        let places = (findings.map(\.path.page) + clean).filter { seen.insert($0).inserted }
        return places.map { FindingReport.Page(path: $0, findings: found[$0] ?? []) }
    }
}

extension Duration {
    /// Seconds with one decimal place: `1.5`.
    var inTenths: String { "\(milliseconds / 1000).\(milliseconds % 1000 / 100)" }
}

extension Int {
    /// A number with its noun: `1 request`, `2 requests`.
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
    /// An integer.
    package static func count(_ number: Int) -> JSONValue { .number(JSONNumber(Int64(number))) }
    /// A value as text; null for nil.
    package static func text(_ value: (some CustomStringConvertible)?) -> JSONValue {
        value.map { .string("\($0)") } ?? .null
    }

    /// A list of texts.
    package static func texts(_ texts: some Sequence<String>) -> JSONValue { .array(texts.map { .string($0) }) }
}
