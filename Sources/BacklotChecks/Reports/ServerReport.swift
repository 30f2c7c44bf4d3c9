public import Backlot
public import BacklotClients
internal import BacklotHTTP
public import BacklotJSON

/// What a tool has found out about a running server.
public protocol ServerReport: Sendable, CustomStringConvertible {
    /// The tool's name, as on the command line: `check`.
    static var tool: String { get }
    /// Why the server can't be judged; nil where it can.
    var unreachable: ClientFailure? { get }
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
    public var subjects: [FindingReport.Page] {
        var places: [String] = []
        var found: [String: [Finding]] = [:]
        for finding in findings {
            if found[finding.path.page] == nil { places.append(finding.path.page) }
            found[finding.path.page, default: []].append(finding)
        }
        return places.map { FindingReport.Page(path: $0, findings: found[$0] ?? []) }
    }

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
    /// A list of texts.
    static func texts(_ texts: some Sequence<String>) -> JSONValue { .array(texts.map { .string($0) }) }
}
