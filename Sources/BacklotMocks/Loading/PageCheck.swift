package import Backlot
package import BacklotJSON

extension PageFormat {
    /// Why a page can't stand in a file of mocks that know no protocol.
    static let missing =
        "these mocks know no protocol for pages; let MockConfiguration.formats hold one, such as .applin()"

    /// The mistakes for which clients would reject the page of a file. The targets of its links are followed later, by
    /// `check`, once all files are loaded.
    ///
    /// - Parameters:
    ///   - document: the answer, with the page in its envelope.
    ///   - path: the page's path, such as `/items/{id}`.
    ///   - app: what its links may lead to.
    package func errors(in document: JSONValue, path: String, app: RouteLookup) -> [Finding] {
        inspector.findings(in: document, path: path, app: app).filter { $0.severity == .error }
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
