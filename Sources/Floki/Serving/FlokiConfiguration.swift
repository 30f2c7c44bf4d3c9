public import Backlot

/// How an app is served.
public struct FlokiConfiguration: Sendable {
    /// Where clients reach the app.
    public var address = AppAddress.ofRequest
    /// The path of the version indicator, below the app's. Built into clients.
    public var indicatorPath = "v1-app"
    /// The path of the app data, below the app's.
    public var dataPath = "v1-appdata"
    /// For how many seconds clients believe the indicator: 1 to 2147483647; 12 hours by default.
    public var ttl = 12 * 60 * 60
    /// Where the version is kept, and the numbers of the texts; nil forgets both when the process ends.
    public var record: RecordFile?
    /// The clock that entries end by.
    public var clock = SessionClock.system
    /// What makes pages of items.
    public var template: any ItemTemplate = PlainItemTemplate()
    /// How many tags or words a search has at most; others are left aside.
    public var maximumWords = 16

    /// The default configuration.
    public init() {}
}
