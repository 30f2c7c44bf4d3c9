public import BacklotClients
public import BacklotJSON
public import HTTPTypes

/// How a ``DriftCheck`` asks, and what it reports.
public struct DriftOptions: Sendable {
    /// Whether it sends POST, PUT, PATCH and DELETE too, which change the backend's data.
    public var callsRPCs = false
    /// Whether texts, numbers and booleans count that the backend answers alike each time.
    public var comparesValues = false
    /// The header fields that every request to the backend has, such as a cookie of a session.
    public var headers: HTTPFields = [:]
    /// The values of variables that are sent to the backend instead of the mocks', such as a password.
    public var variables = JSONObject()
    /// Paths of the backend that fit routes with parameters to which no page leads.
    public var paths: [String] = []
    /// The names of keys, fields, parameters and header fields that are secret, too, where answers are written into files.
    public var redactedKeys: [String] = []
    /// How much is taken of one answer.
    public var limits = ClientLimits()
    /// How long it takes at most.
    public var maximumTime = Duration.seconds(300)

    /// The usual options: only GET, and only structure.
    public init() {}

    /// Whether the header fields tell the backend whose session it is.
    var tellsUser: Bool { headers[.cookie] != nil || headers[.authorization] != nil }
}
