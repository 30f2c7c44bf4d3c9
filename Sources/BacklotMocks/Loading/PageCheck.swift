import Applin
import Backlot
import BacklotJSON

/// Judges the Applin pages of mock files by the rules that hold for all pages.
struct PageCheck {
    /// How actions stand on the pages; nil to judge each page by the form of its own actions.
    let dialect: Dialect?

    /// The mistakes for which clients would reject a page.
    ///
    /// - Parameters:
    ///   - document: `{"page": {…}}`
    ///   - path: where the page is, such as `/items/{id}`.
    func errors(_ document: JSONValue, path: String) -> [Finding] {
        let dialect = dialect ?? Self.dialect(of: document) ?? .documented
        // The targets of links are known once all files are loaded; then `check` follows them.
        return ApplinRules.findings(inPage: document, path: path, dialect: dialect, app: nil)
            .filter { $0.severity == .error }
    }

    /// The dialect of the first action in the body of an answer; nil for an answer without actions, and for one that isn't JSON.
    static func dialect(ofBody text: String) -> Dialect? {
        (try? JSONValue(parsing: text)).flatMap(dialect)
    }

    /// The dialect of the first action.
    static func dialect(of value: JSONValue) -> Dialect? {
        if let first = value["actions"]?.array?.first {
            if first.string != nil { return .documented }
            if first.object != nil { return .objects }
        }
        let parts = value.array ?? value.object?.members.map(\.value) ?? []
        for part in parts {
            if let found = dialect(of: part) { return found }
        }
        return nil
    }
}

extension Finding {
    /// The steps from the document to the place on the page.
    var steps: [StubProblem.Step] {
        JSONPointer.steps(of: path.pointer).map { Int($0).map(StubProblem.Step.index) ?? .key($0) }
    }

    /// The finding in one line, without the page's path.
    var line: String {
        let place = path.steps.isEmpty ? "" : path.steps.joined(separator: " › ") + ": "
        return "\(place)\(message) \(fix) [\(rule)]"
    }
}

/// Judges the Applin pages of mocks, each in the dialect that its own actions speak, unless one is given for all.
struct MockInspector: PageInspector {
    /// How actions stand on the pages; nil to judge each page by the form of its own actions.
    let dialect: Dialect?
    var baseURL: String?

    func findings(inBody body: [UInt8], path: String, app: RouteLookup?) -> [Finding] {
        let own = dialect ?? PageCheck.dialect(ofBody: String(decoding: body, as: UTF8.self)) ?? .documented
        return ApplinInspector(dialect: own, baseURL: baseURL).findings(inBody: body, path: path, app: app)
    }

    func located(at baseURL: String) -> any PageInspector { MockInspector(dialect: dialect, baseURL: baseURL) }
}
