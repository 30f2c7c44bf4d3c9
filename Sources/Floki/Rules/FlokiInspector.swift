public import Backlot

/// Inspects the responses of a Floki app, from their bytes.
public struct FlokiInspector: PageInspector {
    private let kind: FlokiRules.Document?
    private let facts: FlokiFacts
    private let readings: FlokiRuleReadings

    /// Creates an inspector of an app.
    ///
    /// - Parameters:
    ///   - kind: the expected document; nil to recognize it by its keys.
    ///   - facts: facts about the app.
    ///   - readings: this project's interpretations of points that the reference leaves open.
    public init(
        kind: FlokiRules.Document? = nil,
        facts: FlokiFacts = FlokiFacts(),
        readings: FlokiRuleReadings = FlokiRuleReadings()
    ) {
        self.kind = kind
        self.facts = facts
        self.readings = readings
    }

    /// A short response, for advice.
    public var exampleResponse: String { #"{"items":[]}"# }

    /// The findings of ``FlokiRules``.
    public func findings(in document: JSONValue, path: String, app: RouteLookup?) -> [Finding] {
        FlokiRules.findings(in: document, as: kind, name: path, facts: facts, readings: readings)
    }
}
