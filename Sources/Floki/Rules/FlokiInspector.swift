public import Backlot

/// Judges the answers of a Floki app, from their bytes on.
public struct FlokiInspector: PageInspector {
    private let kind: FlokiRules.Document?
    private let facts: FeedFacts
    private let readings: FlokiRuleReadings

    /// An inspector of an app.
    ///
    /// - Parameters:
    ///   - kind: the document that is expected; nil to recognize it by its keys.
    ///   - facts: what is known about the app.
    ///   - readings: how the gaps of the reference are read.
    public init(
        kind: FlokiRules.Document? = nil,
        facts: FeedFacts = FeedFacts(),
        readings: FlokiRuleReadings = FlokiRuleReadings()
    ) {
        self.kind = kind
        self.facts = facts
        self.readings = readings
    }

    /// An answer in short, for advice.
    public var exampleResponse: String { #"{"items":[]}"# }

    /// The findings of ``FlokiRules``.
    public func findings(in document: JSONValue, path: String, app: RouteLookup?) -> [Finding] {
        FlokiRules.findings(in: document, as: kind, name: path, facts: facts, readings: readings)
    }
}
