public import Backlot
import BacklotJSON

/// Judges documents from their bytes on, for check and preview.
public struct DynamicViewsInspector: PageInspector {
    private let dialect: Dialect
    private let catalogue: Catalogue

    /// An inspector of documents for some clients, and for an app that has some texts and pictures.
    public init(dialect: Dialect = .ios, catalogue: Catalogue = Catalogue()) {
        self.dialect = dialect
        self.catalogue = catalogue
    }

    /// What is wrong with a document: that it is no JSON (`not-json`), or what ``DynamicViewsRules`` finds.
    public func findings(inBody body: [UInt8], path: String, app: RouteLookup?) -> [Finding] {
        do throws(JSONParseError) {
            let document = try JSONValue(parsing: body)
            return DynamicViewsRules.findings(in: document, name: path, dialect: dialect, catalogue: catalogue)
        } catch {
            let message = "It can't be read as JSON in UTF-8: \(error)."
            let fix = "Write strict JSON: {\"configuration\":{},\"widgets\":[…]}."
            return [Finding(.error, rule: "not-json", path: FindingPath(page: path), message: message, fix: fix)]
        }
    }
}
