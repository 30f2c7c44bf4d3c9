import Backlot

/// What the apps that serve a feed say of it; nothing before one is mounted.
final class ServedFeed: Sendable {
    private struct State {
        /// The codes of the languages of each app, by the apps' paths.
        var codes: [String: [String]] = [:]
        /// The ids of the sections, by the app that was declared last.
        var sections: Set<Int>?
        var clock = SessionClock.system
    }

    private let state = Locked(State())

    /// Notes what an app declares.
    ///
    /// - Parameter mount: the app's path.
    func declare(by mount: String, codes: [String], sections: Set<Int>, clock: SessionClock) {
        state.withLock { state in
            state.codes[mount] = codes
            state.sections = sections
            state.clock = clock
        }
    }

    /// The codes of the languages of all apps.
    var codes: [String] { Set(state.withLock { $0.codes }.values.joined()).sorted() }

    /// The ids of the sections that clients show; nil before an app is mounted.
    var sections: Set<Int>? { state.withLock { $0.sections } }

    /// The time, in seconds since 1970.
    var now: Int { state.withLock { $0.clock }.secondsSince1970 }

    /// Why no client would ever see an entry in a language; nil if one may.
    func problem(_ code: String, feed: String) -> String? {
        let codes = codes
        guard !codes.isEmpty, !codes.contains(code) else { return nil }
        return "no app that shows the feed '\(feed)' has the language '\(code)', only \(codes.joined(separator: ", "))"
    }
}
