public import Backlot

/// Inspects documents from their bytes, for check and preview.
public struct DynamicViewsInspector: PageInspector {
    private let dialects: DialectChoice
    private let catalogue: Catalogue

    /// Creates an inspector of documents for some clients, and for an app with some texts and pictures.
    public init(dialect: Dialect = .ios, catalogue: Catalogue = Catalogue()) {
        self.init(dialects: DialectChoice(dialect), catalogue: catalogue)
    }

    /// Creates an inspector of documents with paths that may name a dialect: `/profile.json?dialect=android`.
    init(dialects: DialectChoice, catalogue: Catalogue) {
        self.dialects = dialects
        self.catalogue = catalogue
    }

    /// A short response, for advice.
    public var exampleResponse: String { #"strict JSON: {"configuration":{},"widgets":[…]}"# }

    /// The findings of ``DynamicViewsRules``.
    public func findings(in document: JSONValue, path: String, app: RouteLookup?) -> [Finding] {
        DynamicViewsRules.findings(
            in: document,
            name: path,
            dialect: dialects.dialect(inPath: path) ?? dialects.usual,
            catalogue: catalogue
        )
    }
}
