import Backlot
import Logging

/// An app while it is served, with the edition that clients get.
///
/// Servers that share a record agree through it. When a server starts with a declaration that differs from the record's, it raises
/// the version. It serves another server's declaration as soon as that one has a higher version. So versions never decrease, and a
/// declaration made at run time survives the start of further servers.
final class LiveApp: Sendable {
    private struct State {
        var declaration: AppDeclaration
        var edition: AppEdition?
        /// The time of the last log line about a record that can't be read.
        var logged = Int.min
        /// Whether the app has looked for stored entries outside of the sections.
        var isReported = false
    }

    /// The maximum number of attempts to read a record while other servers replace it.
    private static let mostAttempts = 8
    /// The value of `Retry-After` while the record can't be read.
    private static let retryAfter = Duration.seconds(2)
    /// The seconds between two log lines about the same problem.
    private static let logInterval = 5

    let assembly: AppAssembly
    /// The declaration at the start, which has routes.
    let mounted: AppDeclaration
    /// The cached responses with windows of all feeds.
    let cache: ResponseCache
    private let records: (any AppRecordStore)?
    private let state: Locked<State>
    /// Serializes updates of the app in this process if it has a record.
    private let updating = Locked(())

    init(_ declaration: AppDeclaration, _ assembly: AppAssembly) {
        self.assembly = assembly
        mounted = declaration
        records = assembly.records
        cache = ResponseCache(limit: assembly.configuration.windowCacheBytes)
        state = Locked(State(declaration: declaration))
    }

    /// The latest declaration.
    var declaration: AppDeclaration { state.withLock { $0.declaration } }

    /// The numbers of the texts that clients have.
    var numbers: [String: Int] { state.withLock { $0.edition }?.record.texts ?? [:] }

    /// The edition that clients get; nil if the record must be read first.
    ///
    /// - Parameter isCertain: whether to read a shared record in any case, since another server may have replaced it a few
    ///   milliseconds ago.
    func current(isCertain: Bool) -> AppEdition? {
        guard let edition = state.withLock({ $0.edition }) else { return nil }
        guard let records else { return edition }
        guard !isCertain, let version = records.recordVersion(of: assembly.mount), version <= edition.record.version
        else {
            return nil
        }
        return edition
    }

    /// Makes the first edition, unless other servers share the record: the first request agrees with them.
    ///
    /// - Parameter earlier: the app's record.
    func begin(_ draft: AppAssembly.Draft, after earlier: AppRecord?) throws {
        guard records != nil else { return try install(draft, after: earlier) }
        declare(draft.feeds, codes: draft.texts.codes)
    }

    /// Serves another declaration from now on.
    func update(_ draft: AppAssembly.Draft) async throws {
        if records != nil {
            _ = try await agree(on: draft.declaration, isStart: false)
        } else {
            try updating.withLock { _ in
                let earlier = state.withLock { $0.edition }?.record
                try install(assembly.draft(draft.declaration, earlier: earlier?.texts ?? [:]), after: earlier)
            }
        }
    }

    private func install(_ draft: AppAssembly.Draft, after earlier: AppRecord?) throws {
        let edition = try assembly.edition(draft, mounted: nil, after: earlier)
        let file = assembly.configuration.record as? RecordFile
        if edition.record != earlier { try file?.write(edition.record) }
        install(edition, draft.declaration)
    }

    /// Serves an edition to clients, unless they already get a newer one.
    ///
    /// - Parameter declaration: the declaration of the edition; nil if another server has declared it.
    @discardableResult
    private func install(_ edition: AppEdition, _ declaration: AppDeclaration?) -> AppEdition {
        let installed = state.withLock { state in
            if let present = state.edition, present.record.version > edition.record.version { return present }
            state.edition = edition
            if let declaration { state.declaration = declaration }
            return edition
        }
        declare(installed.feeds.values, codes: installed.languages.codes)
        return installed
    }

    /// Tells feeds which entries clients can show.
    private func declare(_ feeds: some Sequence<MountedFeed>, codes: [String]) {
        for feed in feeds {
            let clock = assembly.configuration.clock
            feed.served.declare(by: assembly.mount, codes: codes, sections: feed.sectionIDs, clock: clock)
        }
    }

    // MARK: Stored entries

    /// Finds stored entries that the feed's sections don't show.
    func outsideEntries(_ feed: MountedFeed, codes: [String]) -> OutsideEntries {
        let now = assembly.configuration.clock.secondsSince1970
        return OutsideEntries(feed: feed, codes: codes, page: "\(assembly.name)/\(feed.name)", now: now)
    }

    /// Logs the feeds' stored entries that their sections don't show, once.
    func reportOutsideEntries(_ edition: AppEdition) {
        let isFirst = state.withLock { state in
            defer { state.isReported = true }
            return !state.isReported
        }
        guard isFirst, edition.feeds.values.contains(where: { !$0.sectionIDs.isEmpty }) else { return }
        Task {
            for feed in edition.feeds.values.sorted(by: { $0.name < $1.name }) {
                let outside = outsideEntries(feed, codes: edition.languages.codes)
                for finding in (try? await outside.findings(former: nil)) ?? [] {
                    Logger(label: "backlot.floki").warning("\(finding)")
                }
            }
        }
    }

    // MARK: Agreeing with other servers

    /// The edition that clients get, after reading the record.
    ///
    /// - Throws: `StatusError` with 503 while the record can't be read.
    func agreed() async throws -> AppEdition {
        do {
            if let edition = state.withLock({ $0.edition }) { return try await follow(edition) }
            return try await agree(on: declaration, isStart: true)
        } catch let error as any HTTPError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            log(error)
            throw Self.unavailable
        }
    }

    /// Logs the error of reading the record, every few seconds.
    private func log(_ error: any Error) {
        let now = assembly.configuration.clock.secondsSince1970
        let isDue = state.withLock { state in
            guard state.logged == .min || abs(now - state.logged) >= Self.logInterval else { return false }
            state.logged = now
            return true
        }
        guard isDue else { return }
        let problem = "the record of the app '\(assembly.mount)' can't be read or written: \(error)"
        Logger(label: "backlot.floki").error("\(problem)")
    }

    private static var unavailable: StatusError {
        StatusError(.serviceUnavailable, "", headers: [.retryAfter: "\(retryAfter.wholeSeconds)"])
    }

    /// Updates the record to the content of a declaration.
    ///
    /// - Parameter isStart: whether the app was mounted with this declaration. A record from servers with the same declaration then
    ///   stays in force: they may have changed it at run time.
    private func agree(on declaration: AppDeclaration, isStart: Bool) async throws -> AppEdition {
        guard let records else { throw Self.unavailable }
        let ownHash = try assembly.contentHash(of: mounted)
        for _ in 0..<Self.mostAttempts {
            let stored = try await records.record(of: assembly.mount)
            let own = state.withLock { $0.edition }?.record
            let mountedHash = isStart || own == nil ? ownHash : stored?.mounted ?? ownHash
            let earlier = (own?.version ?? 0) > (stored?.version ?? 0) ? own : stored
            let draft = try assembly.draft(declaration, earlier: earlier?.texts ?? [:])
            let edition = try assembly.edition(draft, mounted: mountedHash, after: earlier)
            if edition.record == stored { return install(edition, declaration) }
            if isStart, let stored, stored.mounted == ownHash, stored.version >= own?.version ?? 0 {
                return install(try assembly.edition(edition, following: stored), nil)
            }
            let version = stored?.version ?? 0
            if try await records.replaceRecord(of: assembly.mount, version: version, with: edition.record) {
                return install(edition, declaration)
            }
        }
        throw Self.unavailable
    }

    /// Serves another server's declaration if it is newer.
    private func follow(_ edition: AppEdition) async throws -> AppEdition {
        guard let records else { return edition }
        for _ in 0..<Self.mostAttempts {
            let stored = try await records.record(of: assembly.mount)
            if let stored, stored.version > edition.record.version {
                return install(try assembly.edition(edition, following: stored), nil)
            }
            if let stored, stored.version == edition.record.version { return edition }
            // The record was lost, or an earlier one was restored.
            let version = stored?.version ?? 0
            if try await records.replaceRecord(of: assembly.mount, version: version, with: edition.record) {
                return edition
            }
        }
        throw Self.unavailable
    }
}

/// Responds with the current edition of the app.
struct LiveHandler: Handler {
    let app: LiveApp
    /// Whether the response needs the newest edition of all servers, for documents that clients keep by version. Otherwise a client
    /// could see the version decrease from one server to the next, or keep the data of one version as that of another.
    var isCertain = false
    let respond: @Sendable (AppEdition, Request) throws -> HandlerResult

    func respond(to request: Request) throws -> HandlerResult {
        if let edition = app.current(isCertain: isCertain) { return try respond(edition, request) }
        return .pending { try await respond(try await app.agreed(), request).response() }
    }
}
