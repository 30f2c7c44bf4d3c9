public import Backlot
import BacklotJSON

/// Judges the answers of an Xpedite app, from their bytes on.
public struct XpediteInspector: PageInspector {
    private let facts: AppFacts
    private let readings: RuleReadings

    /// An inspector of an app.
    ///
    /// - Parameters:
    ///   - facts: what is known about the app.
    ///   - readings: how the reference's gaps are read.
    public init(facts: AppFacts = AppFacts(), readings: RuleReadings = RuleReadings()) {
        self.facts = facts
        self.readings = readings
    }

    /// The problems of an answer: a body that isn't JSON (`not-json`), or the findings of ``XpediteRules``.
    public func findings(inBody body: [UInt8], path: String, app: RouteLookup?) -> [Finding] {
        do throws(JSONParseError) {
            let document = try JSONValue(parsing: body)
            return XpediteRules.findings(inPage: document, name: path, facts: facts, readings: readings)
        } catch {
            let message = "The body can't be read as JSON in UTF-8: \(error)."
            let path = FindingPath(page: path)
            return [Finding(.error, rule: "not-json", path: path, message: message, fix: "Answer {\"rc\":0,…}.")]
        }
    }
}
