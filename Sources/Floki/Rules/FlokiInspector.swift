public import Backlot
import BacklotJSON

/// Judges the answers of a Floki app, from their bytes on.
public struct FlokiInspector: PageInspector {
    private let kind: FlokiRules.Document?
    private let facts: FeedFacts
    private let readings: RuleReadings

    /// An inspector of an app, of which something may be known.
    ///
    /// - Parameter kind: what answers are meant to be; nil for what they look like.
    public init(
        kind: FlokiRules.Document? = nil,
        facts: FeedFacts = FeedFacts(),
        readings: RuleReadings = RuleReadings()
    ) {
        self.kind = kind
        self.facts = facts
        self.readings = readings
    }

    /// What is wrong with the document in an answer: that its body is no JSON (`not-json`), or what ``FlokiRules`` finds.
    public func findings(inBody body: [UInt8], path: String, app: RouteLookup?) -> [Finding] {
        do throws(JSONParseError) {
            let document = try JSONValue(parsing: body)
            return FlokiRules.findings(in: document, as: kind, name: path, facts: facts, readings: readings)
        } catch {
            let message = "The body can't be read as JSON in UTF-8: \(error)."
            let path = FindingPath(page: path)
            return [Finding(.error, rule: "not-json", path: path, message: message, fix: "Answer {\"items\":[]}.")]
        }
    }
}
