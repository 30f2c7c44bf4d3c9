public import Backlot
public import BacklotPreview
public import Logging

/// The server around a ``ServerApp``'s routes.
public final class AppContext: Sendable {
    /// What the routes have added.
    private struct Added {
        var apps: [StartUpLines.App]?
        var notes: [String] = []
        var work: [@Sendable (Preview?) async throws -> Void] = []
        var lastWork: [@Sendable () async -> Void] = []
    }

    /// The settings that every server has.
    public let settings: ServiceSettings
    /// The sessions, in the store that the settings name. It is closed when the server has stopped, after the last work.
    public let sessions: any SessionStore
    /// Whether the program serves. `check` and `routes` don't: there `sessions` are in memory, and what `whileServing` and
    /// `afterServing` get is never called.
    public let isServing: Bool
    /// Health, metrics and the port for administration.
    public let operations: ServerOperations
    private let sources: SettingSources
    private let added = Locked(Added())

    /// - Parameter isServing: false for a command that only looks at the routes.
    init(_ settings: ServiceSettings, _ sources: SettingSources, isServing: Bool) throws {
        self.settings = settings
        self.sources = sources
        self.isServing = isServing
        operations = try ServerOperations(settings, isServing: isServing)
        sessions = isServing ? try settings.sessions.open(settings.logger) : MemorySessionStore()
    }

    /// The program's log.
    public var logger: Logger { operations.logger }
    /// What `/readyz` asks: add what the server can't do without.
    public var health: HealthChecks { operations.health }
    /// What `/metrics` shows.
    public var metrics: PrometheusMetrics { operations.metrics }

    /// The value of one of the app's own settings.
    ///
    /// - Throws: ``SettingError`` when nothing is set, and for a text that the setting doesn't allow.
    public func required<Value>(_ setting: Setting<Value>) throws(SettingError) -> Value {
        try sources.required(setting)
    }

    /// The value of one of the app's own settings; nil where nothing is set.
    ///
    /// - Throws: ``SettingError`` for a text that the setting doesn't allow.
    public func value<Value>(_ setting: Setting<Value>) throws(SettingError) -> Value? { try sources.value(setting) }

    /// Does something with the value of one of the app's own settings, such as open the file that it names.
    ///
    /// - Throws: ``SettingError``, also where `body` throws: the message names the setting, its value and the error.
    public func using<Value, Result>(
        _ setting: Setting<Value>,
        _ body: (Value) async throws -> Result
    ) async throws(SettingError) -> Result {
        let value = try required(setting)
        do {
            return try await body(value)
        } catch {
            let found = sources.text(setting)
            let place = found.flatMap { $0.isDefault ? nil : $0.place } ?? setting.option
            throw SettingError("\(place) is '\(setting.display(found?.text ?? ""))': \(error).")
        }
    }

    /// Reads several of the app's own settings at once.
    public func read<Values, Failure>(
        _ body: (SettingSources) throws(Failure) -> Values
    ) throws(Failure) -> Values { try body(sources) }

    /// Runs work beside the server, from its start on. It is cancelled when the server has stopped, and its end is waited for.
    ///
    /// - Parameter work: may end early. If it throws, the server stops as it does at SIGTERM, and the program ends with that error and
    ///   status 1.
    public func whileServing(_ work: @escaping @Sendable () async throws -> Void) {
        added.withLock { $0.work.append { _ in try await work() } }
    }

    /// Runs work with the preview of the apps beside the server, such as work that tells browsers of changed pages; otherwise as
    /// `whileServing`. Without an app it isn't called.
    public func whilePreviewing(_ work: @escaping @Sendable (Preview) async throws -> Void) {
        added.withLock { $0.work.append { if let preview = $0 { try await work(preview) } } }
    }

    /// Runs work when the server has stopped, in the order in which it was added.
    public func afterServing(_ work: @escaping @Sendable () async -> Void) {
        added.withLock { $0.lastWork.append(work) }
    }

    /// Adds a line to those that people read when the server starts.
    public func note(_ line: String) {
        added.withLock { $0.notes.append(line) }
    }

    /// Names the apps in the lines that people read when the server starts, instead of those that are mounted.
    public func show(_ apps: [StartUpLines.App]) {
        added.withLock { $0.apps = apps }
    }
}

extension AppContext {
    /// Serves the routes until the process gets SIGINT or SIGTERM.
    func serve(_ router: Router) async throws {
        let mounted = router.apps()
        let preview = mounted.isEmpty ? nil : router.preview(settings.access)
        let added = added.withLock(\.self)
        var notes = added.notes
        if mounted.contains(where: { $0.sessions != nil }) {
            operations.watch(sessions)
            notes.insert("sessions: \(settings.sessions)", at: 0)
        }
        let apps = added.apps ?? mounted.map { StartUpLines.App(name: $0.appProtocol.title, path: $0.startPath) }
        let failure = Locked<(any Error)?>(nil)
        let lines = notes
        let serving = Task { [operations] in
            try await operations.run(router, apps: apps, notes: lines, preview: preview)
        }
        let tasks = added.work.map { work in
            Task { [logger] in
                do {
                    try await work(preview)
                } catch {
                    if Task.isCancelled { return }
                    logger.error("work beside the server failed, so it stops: \(error)")
                    failure.withLock { $0 = $0 ?? error }
                    serving.cancel()
                }
            }
        }
        let result = await withTaskCancellationHandler {
            await serving.result
        } onCancel: {
            serving.cancel()
        }
        for task in tasks {
            task.cancel()
            await task.value
        }
        for work in added.lastWork { await work() }
        if let error = failure.withLock(\.self) { throw error }
        try result.get()
    }
}
