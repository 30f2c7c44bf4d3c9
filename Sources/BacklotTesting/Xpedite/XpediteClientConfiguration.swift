public import BacklotJSON

/// How an ``XpediteClient`` behaves where the reference leaves it open.
public struct XpediteClientConfiguration: Sendable {
    /// Where the value of a tapped row goes, for the field f that `clickRow` names.
    public enum Selection: Sendable, CaseIterable {
        /// `parameters.f`
        case parametersField
        /// `f` at the top level.
        case topLevelField
        /// `selected`
        case selected
        /// `parameters.selected`
        case parametersSelected
    }

    /// Where the parameters of a call go.
    public enum Parameters: Sendable, CaseIterable {
        /// `parameters.k`
        case nested
        /// `k` at the top level.
        case topLevel
    }

    /// What the device says of itself when it connects.
    public var device: JSONObject = [
        "bundleID": "xpedite.software", "uuid": "6F9619FF-8B86-D011-B42D-00CF4FC964FF", "bounds": "390x844",
        "xpediteVersion": 1,
    ]
    /// Where the value of a tapped row goes.
    public var selection = Selection.parametersField
    /// Where the parameters of a call go.
    public var parameters = Parameters.nested
    /// The key under which it says how many rows of a table it has.
    public var offsetKey = "offset"
    /// How much it takes of a server.
    public var limits = ClientLimits()

    /// The default configuration.
    public init() {}
}
