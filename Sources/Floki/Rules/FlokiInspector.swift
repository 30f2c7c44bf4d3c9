public import Backlot
import BacklotJSON

/// Judges the answers of a Floki app, from their bytes on.
public struct FlokiInspector: PageInspector {
    private let kind: FlokiRules.Document?
    private let facts: FeedFacts
    private let readings: RuleReadings

    /// An inspector of an app.
    ///
    /// - Parameters:
    ///   - kind: the document that is expected; nil to recognize it by its keys.
    ///   - facts: what is known about the app.
    ///   - readings: how the gaps of the reference are read.
    public init(
        kind: FlokiRules.Document? = nil,
        facts: FeedFacts = FeedFacts(),
        readings: RuleReadings = RuleReadings()
    ) {
        self.kind = kind
        self.facts = facts
        self.readings = readings
    }

    /// The problems of the document in an answer: a body that isn't JSON (`not-json`), or the findings of ``FlokiRules``.
    public func findings(inBody body: [UInt8], path: String, app: RouteLookup?) -> [Finding] {
        do throws(JSONParseError) {
            let document = try JSONValue(parsing: body)
            return FlokiRules.findings(in: document, as: kind, name: path, facts: facts, readings: readings)
        } catch {
            let message = "The body can't be read as JSON in UTF-8, so clients can't use it: \(error)."
            let path = FindingPath(page: path)
            return [Finding(.error, rule: "not-json", path: path, message: message, fix: "Answer {\"items\":[]}.")]
        }
    }
}
