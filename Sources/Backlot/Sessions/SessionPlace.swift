internal import Logging

/// What all sessions of an app have in common. A class, so that a request takes none of it apart.
final class SessionPlace: Sendable {
    /// Tells the app's sessions from those of other apps in the same store.
    let mount: String
    let store: any SessionStore
    let configuration: SessionConfiguration
    let times: SessionTimes
    let logger: Logger

    /// The time, in seconds since 1970.
    var now: Int { configuration.clock.secondsSince1970 }

    init(mount: String, store: any SessionStore, configuration: SessionConfiguration, logger: Logger) {
        self.mount = mount
        self.store = store
        self.configuration = configuration
        times = SessionTimes(configuration)
        self.logger = logger
    }
}
