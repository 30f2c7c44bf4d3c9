internal import Backlot
internal import BacklotClients

extension ServerReport {
    /// The report as SARIF 2.1.0. The path of a subject is the URI of an artifact, and the steps to it are a logical location.
    var sarif: JSONValue {
        var rules: [String] = []
        for finding in findings where !rules.contains(finding.rule) { rules.append(finding.rule) }
        var invocation: JSONObject = ["executionSuccessful": .bool(unreachable == nil && !isCutShort)]
        if let unreachable {
            invocation["toolExecutionNotifications"] = [
                ["level": "error", "message": ["text": .string("\(unreachable)")]]
            ]
        }
        return [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [
                [
                    "tool": [
                        "driver": [
                            "name": .string("Backlot \(Self.tool)"),
                            "semanticVersion": .string(BacklotVersion.current),
                            "rules": .array(rules.map { ["id": .string($0)] }),
                        ]
                    ],
                    "invocations": [.object(invocation)],
                    "results": .array(findings.map(\.sarif)),
                ]
            ],
        ]
    }
}

extension Finding {
    fileprivate var sarif: JSONValue {
        var place: JSONObject = ["artifactLocation": ["uri": .string(path.page.uriReference)]]
        if let line = path.line { place["region"] = ["startLine": .count(line)] }
        let name = (path.steps.isEmpty ? [path.page] : path.steps).joined(separator: " › ")
        return [
            "ruleId": .string(rule),
            "level": .string(severity.rawValue),
            "message": ["text": .string("\(message) \(fix)")],
            "locations": [
                [
                    "physicalLocation": .object(place),
                    "logicalLocations": [
                        ["name": .string(name), "fullyQualifiedName": .string("\(path)")]
                    ],
                ]
            ],
            "properties": ["pointer": .string(path.pointer)],
        ]
    }
}

extension String {
    /// The text as a relative reference (RFC 3986, section 4.2), without its leading slash, so that viewers take it as a path
    /// below their root. Characters that a path can't contain are percent-encoded.
    fileprivate var uriReference: String {
        let text = PercentEncoding.completed(drop { $0 == "/" }, keeping: "-._~!$&'()*+,;=@/?")
        return text.isEmpty ? "." : text
    }
}

extension ServerReport {
    /// The report as JUnit XML: a failed test case for each subject with findings, a passed one for each other subject, and one
    /// with an error for a server that can't be reached, or for a tool that stopped early.
    var junit: String {
        var cases = subjects.map { testCase($0.path, failures: $0.findings) }
        func addError(_ name: String, _ type: String, _ message: String) {
            cases.append(
                #"<testcase classname="\#(Self.tool)" name="\#(name)"><error type="\#(type)" message=""#
                    + message.xmlEscaped + #""/></testcase>"#
            )
        }
        if let unreachable {
            addError("connection", "unreachable", "\(unreachable)")
        } else if isCutShort {
            addError("completion", "cut-short", "The tool stopped before it had checked everything.")
        }
        let failures = unreachable == nil ? subjects.count { !$0.findings.isEmpty } : 0
        let suite =
            #"<testsuite name="\#(Self.tool)" tests="\#(cases.count)" failures="\#(failures)" "#
            + #"errors="\#(unreachable != nil || isCutShort ? 1 : 0)">"#
        return
            (["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites>", suite] + cases
            + ["</testsuite>", "</testsuites>"]).joined(separator: "\n")
    }

    private func testCase(_ name: String, failures: [Finding]) -> String {
        let head = #"<testcase classname="\#(Self.tool)" name="\#(name.xmlEscaped)""#
        guard !failures.isEmpty else { return head + "/>" }
        // Programs only show the first failure of a case.
        let message = failures.count == 1 ? failures[0].message : "\(failures.count) findings: \(failures[0].message)"
        let details = failures.map(\.details).joined(separator: "\n")
        return head + #"><failure type="\#(failures[0].rule.xmlEscaped)" message="\#(message.xmlEscaped)">"#
            + details.xmlEscaped + "</failure></testcase>"
    }
}

extension String {
    /// The text for XML 1.0, which can't contain most control characters: they become U+FFFD.
    fileprivate var xmlEscaped: String {
        let isBad = { (scalar: Unicode.Scalar) in
            switch scalar.value {
            case 0x09, 0x0A, 0x0D: false
            case ..<0x20, 0xFFFE, 0xFFFF: true
            default: false
            }
        }
        guard unicodeScalars.contains(where: isBad) else { return htmlEscaped }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars { text.append(isBad(scalar) ? "\u{FFFD}" : scalar) }
        return String(text).htmlEscaped
    }
}
