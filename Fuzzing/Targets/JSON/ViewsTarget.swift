import Backlot
import BacklotJSON
import DynamicViews

extension FuzzTarget {
    /// The importer of documents: what it takes is written strictly and read the same, with nothing left to change; what breaks
    /// no rule can be read, and what is read is written in one way.
    static let views = FuzzTarget(name: "views") { input async throws(Violation) in
        guard let imported = try? ImportedDocument(parsing: input) else {
            try require((try? JSONValue(parsing: input)) == nil, "strict JSON is refused")
            return false
        }
        let text = Array(imported.json.utf8)
        try require((try? JSONValue(parsing: text)) == imported.value, "\(imported.value) became \(imported.json)")
        let again = try? ImportedDocument(parsing: text)
        try require(again?.changes == [], "\(imported.json) is changed again: \(again?.changes ?? [])")
        if imported.changes.isEmpty {
            try require((try? JSONValue(parsing: input)) == imported.value, "a change was not said")
        }
        for dialect in [Dialect.ios, .android] {
            try checkDocument(imported.value, dialect)
        }
        return true
    }

    private static func checkDocument(_ value: JSONValue, _ dialect: Dialect) throws(Violation) {
        let findings = DynamicViewsRules.findings(in: value, name: "d", dialect: dialect)
        let hasErrors = findings.contains { $0.severity == .error }
        guard let document = try? Document(value, dialect: dialect) else {
            return try require(hasErrors, "\(value) breaks no rule, and can't be read")
        }
        let bytes = document.bytes(for: dialect)
        let again = (try? JSONValue(parsing: bytes)).flatMap { try? Document($0, dialect: dialect) }
        try require(again?.bytes(for: dialect) == bytes, "\(value) is written in two ways")
    }
}
