internal import Logging

/// The session of one request from start to end: loads it at first use, and saves it once. It doesn't deal with cookies.
final class SessionScope: Sendable {
    /// The way that a handler ended.
    enum Ending {
        /// With a response, or with an `HTTPError`.
        case responded
        /// With another error, halfway.
        case failed
    }

    /// The maximum number of attempts to save while other requests save the same session.
    private static let attempts = 64

    private struct Progress {
        /// Not loaded at first.
        var session = LoadedSession()
        /// The token that the session gets from a log-in.
        var nextToken: SessionID?
        var isFinished = false
        var isAbandoned = false
    }

    /// The source of the session's keys.
    enum Keys: Sendable {
        /// The cookies of the request.
        case cookies
        /// A known key; nil without a session.
        case known(SessionHash?)
    }

    let place: SessionPlace
    private let keys: Keys
    /// The token of a session that is identified by one; nil for a session with a cookie.
    private let currentToken: SessionID?
    // Not the request, because its notes hold the scope.
    private let progress = Locked(Progress())

    /// - Parameters:
    ///   - keys: the source of the client's keys, read at first use.
    ///   - token: the token that identifies the session; nil for a session with a cookie.
    init(_ place: SessionPlace, _ keys: Keys, token: SessionID? = nil) {
        self.place = place
        self.keys = keys
        currentToken = token
    }

    /// The scope of a request, made at first use; nil without sessions. After the end it is read-only.
    static func present(of request: Request) -> SessionScope? {
        let notes = request.notes
        let number = notes.sessions
        guard let place = SessionPlace.numbered[abs(number)] else { return nil }
        let scope = notes.change { kinds in
            let scope = kinds.session as? SessionScope ?? SessionScope(place, .cookies)
            if number > 0 { kinds.session = scope }
            return scope
        }
        // The end doesn't wait for tasks that a handler has left running.
        if number < 0 || notes.sessions != number { _ = scope.finishUnchanged() }
        return scope
    }

    private var store: any SessionStore { place.store }

    /// The session, ready if the store needs no wait. After `finish` it is read-only.
    ///
    /// Pending work throws `SessionStoreError`.
    func session(of request: Request) -> Ready<Session> {
        if progress.withLock({ $0.session.isLoaded }) { return .ready(Session(self)) }
        let now = place.now
        var choice = SessionChoice.none
        var lookups: [(key: SessionHash, work: @Sendable () async throws -> SessionRecord?)] = []
        forEachKey(of: request) { key in
            switch store.session(at: key) {
            case .ready(let record?): choice.add(record, at: key, mount: place.mount, now: now, times: place.times)
            case .ready(nil): break
            case .pending(let work): lookups.append((key, work))
            }
        }
        guard !lookups.isEmpty else { return .ready(begin(choice, of: request, at: now)) }
        return .pending { [choice, lookups] in
            var choice = choice
            try await self.reachingStore(for: request) {
                for (key, work) in lookups {
                    guard let record = try await work() else { continue }
                    choice.add(record, at: key, mount: self.place.mount, now: now, times: self.place.times)
                }
            }
            return self.begin(choice, of: request, at: now)
        }
    }

    /// The token that identifies the session after the response: a new one after a log-in and `renew`; nil for a session with a
    /// cookie.
    var token: SessionID? {
        guard let currentToken else { return nil }
        return progress.withLock { progress in
            guard progress.session.changesID else { return currentToken }
            let token = progress.nextToken ?? place.configuration.makeToken()
            progress.nextToken = token
            return token
        }
    }

    private func begin(_ choice: SessionChoice, of request: Request, at now: Int) -> Session {
        if case .one(let record) = choice { request.observation?.found(record.key) }
        progress.withLock { progress in
            // Two tasks of a handler may arrive here at the same time: the session of the first one counts.
            if !progress.session.isLoaded { progress.session.load(choice, times: place.times, now: now) }
        }
        return Session(self)
    }

    /// Reads from the session, which must be loaded.
    func read<Result>(_ body: (LoadedSession) -> Result) -> Result {
        progress.withLock { body($0.session) }
    }

    /// Reads from the session's values, which must be loaded.
    func readValues<Result>(_ body: (SessionState) -> Result) -> Result {
        progress.withLock { $0.session.change(opened) { body($0) } }
    }

    /// Changes the session, which must be loaded.
    ///
    /// - Throws: `SessionError.finished` after the end.
    func change<Result>(_ body: (inout SessionState) -> Result) throws(SessionError) -> Result {
        let result: Result? = progress.withLock { $0.isFinished ? nil : $0.session.change(opened, body) }
        guard let result else { throw .finished }
        return result
    }

    /// Ends the scope if there is nothing to save: the handler hasn't used the session, or has only read it.
    ///
    /// - Returns: whether it has ended; otherwise call `finish`.
    func finishUnchanged() -> Bool {
        progress.withLock { progress in
            guard progress.session.isUnchanged else { return false }
            progress.isFinished = true
            return true
        }
    }

    /// Makes the end one of a handler that stopped halfway.
    func abandon() { progress.withLock { $0.isAbandoned = true } }

    /// Saves the changes. Call it only once.
    ///
    /// - Throws: `SessionStoreError`; `SessionError` if the handler has left changes that can't be saved.
    func finish(_ ending: Ending, _ request: Request) async throws -> SessionOutcome {
        let last: (state: SessionState, isAbandoned: Bool)? = progress.withLock { progress in
            progress.isFinished = true
            guard progress.session.isLoaded else { return nil }
            let isAbandoned = progress.isAbandoned || ending == .failed
            return progress.session.change(opened) { state in
                // An update may refer to the session, and so to this object: don't keep any.
                defer { state.changes = ValueChanges() }
                return (state, isAbandoned)
            }
        }
        guard let last else { return .unchanged }
        var state = last.state
        if last.isAbandoned { state.abandon() }
        return try await reachingStore(for: request) {
            do {
                try await end(state)
                return try await write(&state, request)
            } catch let error as SessionError {
                state.abandon()
                try await end(state)
                throw error
            }
        }
    }

    /// The session, decoded.
    private func opened(_ choice: SessionChoice) -> SessionState {
        SessionState(
            choice,
            mount: place.mount,
            times: place.times,
            maximumBytes: place.configuration.maximumBytes,
            hasToken: currentToken != nil
        )
    }

    private func forEachKey(of request: Request, _ body: (SessionHash) -> Void) {
        switch keys {
        case .cookies: CookieHeader.forEachSessionKey(in: request.headers, body)
        case .known(let key?): body(key)
        case .known(nil): break
        }
    }

    private func end(_ state: SessionState) async throws {
        for user in state.endedUsers { try await store.removeAll(of: user, mount: place.mount) }
        for key in state.ended { try await store.remove(key) }
    }

    private func write(_ state: inout SessionState, _ request: Request) async throws -> SessionOutcome {
        let observation = request.observation
        // Most requests need no new id, and making a random one takes time.
        lazy var id = token ?? place.configuration.makeID()
        for _ in 0..<Self.attempts {
            let now = place.now
            switch try state.write(at: now, newKey: id.hash) {
            case .nothing: return state.clearsCookie ? .ended : .unchanged
            case .touch(let key, let lastSeen, let expiresAt):
                await touch(key, lastSeen, expiresAt)
                return .unchanged
            case .insert(let record):
                try await store.insert(record)
                observation?.found(record.key)
                return .issued(id, expiresAt: state.times.lastPossibleExpiry(createdAt: record.createdAt))
            case .replace(let key, let version, let record):
                if try await store.replace(key, version: version, with: record) {
                    guard record.key != key || currentToken != nil else { return .unchanged }
                    observation?.found(record.key)
                    return .issued(id, expiresAt: state.times.lastPossibleExpiry(createdAt: record.createdAt))
                }
                state.rebase(onto: try await store.session(at: key).value, at: now)
            }
        }
        throw TooManyConflicts()
    }

    /// A failure here doesn't affect a ready response.
    private func touch(_ key: SessionHash, _ lastSeen: Int, _ expiresAt: Int) async {
        do {
            try await store.touch(key, lastSeen: lastSeen, expiresAt: expiresAt)
        } catch {
            place.logger.warning("the store of the sessions failed to note a request: \(String(reflecting: error))")
        }
    }

    /// Converts any error of a store to a `SessionStoreError`.
    private func reachingStore<Result>(for request: Request, _ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as SessionError {
            throw error
        } catch {
            // Errors of databases may contain statements of several lines.
            let reason = String(reflecting: error).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            let isReported = request.observation?.storeFailed(reason) ?? false
            if !isReported { place.logger.error("the store of the sessions failed: \(reason)") }
            throw SessionStoreError(retryAfter: place.configuration.retryAfter)
        }
    }
}

/// Other requests have saved a session each time this one tried to.
private struct TooManyConflicts: Error {}

/// The news about a session for its client, which it gets in the form that carries its id.
enum SessionOutcome: Sendable {
    /// No change.
    case unchanged
    /// A new id, valid until `expiresAt` at the latest (seconds since 1970).
    case issued(SessionID, expiresAt: Int)
    /// The session has ended.
    case ended
}

/// A session as loaded for one request, with its changes since. Most requests only read the user, so the stored session is decoded
/// only for the others.
struct LoadedSession: Sendable {
    /// The session's record, if one was chosen.
    private(set) var choice = SessionChoice.none
    private(set) var isLoaded = false
    /// Whether the session's last request is long enough ago to be written again.
    private var isTouchDue = false
    private var opened: SessionState?

    /// Stores the loaded session.
    ///
    /// - Parameter now: the time, in seconds since 1970.
    mutating func load(_ choice: SessionChoice, times: SessionTimes, now: Int) {
        self.choice = choice
        isLoaded = true
        if case .one(let record) = choice { isTouchDue = times.isTouchDue(record, at: now) }
    }

    /// The name of the logged-in user.
    var user: String? {
        if let opened { return opened.user }
        guard case .one(let record) = choice else { return nil }
        return record.user
    }

    /// Whether the session gets a new id.
    var changesID: Bool { opened.map { $0.logsIn || $0.renews } ?? false }

    /// Whether there is nothing to save.
    var isUnchanged: Bool { !isTouchDue && opened?.isUnchanged ?? true }

    /// Changes the session.
    ///
    /// - Parameter open: decodes the stored session.
    mutating func change<Result>(
        _ open: (SessionChoice) -> SessionState,
        _ body: (inout SessionState) -> Result
    ) -> Result {
        var state = opened ?? open(choice)
        // Gives up the other reference to the values, so that changes don't copy them.
        opened = nil
        defer { opened = state }
        return body(&state)
    }
}

extension RequestNotes {
    /// The scope of the request's current sessions; nil if the handler hasn't used them.
    var sessionScope: SessionScope? { objects?.kinds.withLock(\.session) as? SessionScope }
}
