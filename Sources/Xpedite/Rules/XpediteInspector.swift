public import Backlot

/// Inspects the responses of an Xpedite app, from their bytes.
public struct XpediteInspector: PageInspector {
    private let facts: XpediteFacts
    private let readings: XpediteRuleReadings

    /// Creates an inspector of an app.
    ///
    /// - Parameters:
    ///   - facts: facts about the app.
    ///   - readings: this project's interpretations of points that the reference leaves open.
    public init(facts: XpediteFacts = XpediteFacts(), readings: XpediteRuleReadings = XpediteRuleReadings()) {
        self.facts = facts
        self.readings = readings
    }

    /// A short response, for advice.
    public var exampleResponse: String { #"{"rc":0,…}"# }

    /// The findings of ``XpediteRules``.
    public func findings(in document: JSONValue, path: String, app: RouteLookup?) -> [Finding] {
        XpediteRules.findings(in: document, name: path, facts: facts, readings: readings)
    }
}
