public import DynamicViews

/// How a ``DynamicViewsClient`` behaves.
public struct DynamicViewsClientConfiguration: Sendable {
    /// What the user has said to the question for the location.
    public enum LocationPermission: String, Sendable, CaseIterable {
        /// Nothing yet.
        case notDetermined
        /// No.
        case denied = "denied-restricted"
    }

    /// The dialect that it asks for, and judges documents by.
    public var dialect = Dialect.ios
    /// What the user has said to the question for the location, which a tap on its widget tells.
    public var locationPermission = LocationPermission.notDetermined
    /// What turns developer mode on.
    public var developerPassword = "Snabble"
    /// How much it takes of a server.
    public var limits = ClientLimits()

    /// The default configuration.
    public init() {}
}
