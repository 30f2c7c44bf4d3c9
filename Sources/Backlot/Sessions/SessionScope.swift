internal import BacklotHTTP
internal import Logging

/// The session of one request from its beginning to its end: loads it when it is first asked for, and saves it once. It
/// knows nothing of cookies.
final class SessionScope: Sendable {
    /// How a handler ended.
    enum Ending {
        /// With an answer, or with an `HTTPError`.
        case answered
        /// Halfway.
        case failed
    }

    /// How often a save is tried again when other requests save the same session.
    private static let attempts = 64

    private struct Progress {
        var session: Session?
        var isFinished = false
    }

    private let mount: String
    private let store: any SessionStore
    private let configuration: SessionConfiguration
    private let logger: Logger
    /// The id that the session keeps whatever happens; nil where it gets new ones.
    private let lastingID: SessionID?
    /// What notes which session it is; nil when nothing does.
    private let observation: RequestObservation?
    private let ids: @Sendable () -> [SessionID]
    private let progress = Locked(Progress())

    /// - Parameters:
    ///   - lastingID: the id that the session keeps whatever happens; nil where it gets new ones.
    ///   - observation: what notes which session it is.
    ///   - ids: the ids that the client has sent, each once; asked for when the session is.
    init(
        mount: String,
        store: any SessionStore,
        configuration: SessionConfiguration,
        logger: Logger,
        lastingID: SessionID? = nil,
        observation: RequestObservation?,
        ids: @escaping @Sendable () -> [SessionID]
    ) {
        self.mount = mount
        self.store = store
        self.configuration = configuration
        self.logger = logger
        self.lastingID = lastingID
        self.observation = observation
        self.ids = ids
    }

    /// The session. After `finish` it can be read only.
    ///
    /// - Throws: `SessionStoreError`.
    func session() async throws -> Session {
        if let session = progress.withLock({ $0.session }) { return session }
        let times = SessionTimes(configuration)
        let choice = try await reachingStore { try await choose(times) }
        if case .one(let record) = choice { observation?.found(record.key) }
        let state = SessionState(
            choice,
            mount: mount,
            times: times,
            maximumBytes: configuration.maximumBytes,
            isLasting: lastingID != nil
        )
        // Two tasks of a handler may have come here at the same time: the first one's session counts.
        return progress.withLock { progress in
            if let session = progress.session { return session }
            let session = Session(
                state,
                isOpen: !progress.isFinished,
                logInText: configuration.logInText,
                logger: logger
            )
            progress.session = session
            return session
        }
    }

    /// Ends the scope if the handler has not asked for the session.
    ///
    /// - Returns: whether there is nothing to save; otherwise `finish` has to be called.
    func finishUnused() -> Bool {
        progress.withLock { progress in
            guard progress.session == nil else { return false }
            progress.isFinished = true
            return true
        }
    }

    /// Saves what was changed. To be called once.
    ///
    /// - Throws: `SessionStoreError`; `SessionError` when the handler has left something that can't be saved.
    func finish(_ ending: Ending) async throws -> SessionOutcome {
        let session = progress.withLock { progress in
            progress.isFinished = true
            return progress.session
        }
        guard var state = session?.close() else { return .unchanged }
        if ending == .failed { state.abandon() }
        return try await reachingStore {
            do {
                try await end(state)
                return try await write(&state)
            } catch let error as SessionError {
                state.abandon()
                try await end(state)
                throw error
            }
        }
    }

    private func choose(_ times: SessionTimes) async throws -> SessionChoice {
        var found: [(key: SessionHash, record: SessionRecord?)] = []
        for id in ids().prefix(SessionChoice.maximum) {
            let key = id.hash
            found.append((key, try await store.session(at: key)))
        }
        return SessionChoice(among: found, mount: mount, at: configuration.clock.secondsSince1970, times: times)
    }

    private func end(_ state: SessionState) async throws {
        for user in state.endedUsers { try await store.removeAll(of: user, mount: mount) }
        for key in state.ended { try await store.remove(key) }
    }

    private func write(_ state: inout SessionState) async throws -> SessionOutcome {
        let id = lastingID ?? configuration.makeID()
        let newKey = id.hash
        for _ in 0..<Self.attempts {
            let now = configuration.clock.secondsSince1970
            switch try state.write(at: now, newKey: newKey) {
            case .nothing:
                return state.clearsCookie ? .ended : .unchanged
            case .touch(let key, let lastSeen, let expiresAt):
                await touch(key, lastSeen, expiresAt)
                return .unchanged
            case .insert(let record):
                try await store.insert(record)
                observation?.found(record.key)
                return .issued(id, expiresAt: state.times.lastPossibleExpiry(createdAt: record.createdAt))
            case .replace(let key, let version, let record):
                if try await store.replace(key, version: version, with: record) {
                    guard record.key == newKey else { return .unchanged }
                    observation?.found(newKey)
                    return .issued(id, expiresAt: state.times.lastPossibleExpiry(createdAt: record.createdAt))
                }
                state.rebase(onto: try await store.session(at: key), at: now)
            }
        }
        throw TooManyConflicts()
    }

    /// An answer that is ready doesn't fail for this.
    private func touch(_ key: SessionHash, _ lastSeen: Int, _ expiresAt: Int) async {
        do {
            try await store.touch(key, lastSeen: lastSeen, expiresAt: expiresAt)
        } catch {
            logger.warning("the store of the sessions failed to note a request: \(String(reflecting: error))")
        }
    }

    /// Makes one error of whatever a store throws.
    private func reachingStore<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as SessionError {
            throw error
        } catch {
            // Errors of databases may hold statements of several lines.
            let reason = String(reflecting: error).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if observation?.storeFailed(reason) != true { logger.error("the store of the sessions failed: \(reason)") }
            throw SessionStoreError(retryAfter: configuration.retryAfter)
        }
    }
}

/// Other requests have saved a session again and again while this one tried to.
private struct TooManyConflicts: Error {}

/// What a client must be told about its session, by whatever means it keeps the id.
enum SessionOutcome: Sendable {
    /// Nothing.
    case unchanged
    /// It has a new id, which is good until `expiresAt` at the latest (seconds since 1970).
    case issued(SessionID, expiresAt: Int)
    /// It has none any more.
    case ended
}
