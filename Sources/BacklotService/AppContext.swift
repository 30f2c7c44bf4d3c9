public import Backlot
public import BacklotPreview
public import Logging

/// The server around a ``ServerApp``'s routes.
///
/// ```swift
/// func routes(_ router: Router, _ service: AppContext) async throws {
///     service.health.add("database") { try await database.check() }
///     service.whileServing { await database.watch() }
///     router.applin("/", sessions: service.sessions) { addPages(to: $0) }
/// }
/// ```
public final class AppContext: Sendable {
    /// The additions of the routes.
    private struct Added {
        var apps: [StartUpLines.App]?
        var notes: [String] = []
        var work: [@Sendable (Preview?) async throws -> Void] = []
        var lastWork: [@Sendable () async -> Void] = []
    }

    /// The settings that all servers share.
    public let settings: ServiceSettings
    /// The sessions, in the store chosen by the settings. The store is closed when the server has stopped, after the last work.
    public let sessions: any SessionStore
    /// Whether the program serves. For `check` and `routes` it doesn't: there `sessions` are in memory, and the work of
    /// `whileServing` and `afterServing` never runs.
    public let isServing: Bool
    /// Health, metrics and the port for administration.
    public let operations: ServerOperations
    private let sources: SettingSources
    private let added = Locked(Added())

    /// - Parameter isServing: false for a command that only inspects the routes.
    init(_ settings: ServiceSettings, _ sources: SettingSources, isServing: Bool) throws {
        self.settings = settings
        self.sources = sources
        self.isServing = isServing
        operations = try ServerOperations(settings, isServing: isServing)
        sessions =
            isServing
            ? MeasuredSessionStore(try settings.sessions.open(operations.logger), operations.metrics)
            : MemorySessionStore()
    }

    /// The program's log.
    public var logger: Logger { operations.logger }
    /// The checks of `/readyz`: add one for each thing that the server needs.
    public var health: HealthChecks { operations.health }
    /// The metrics of `/metrics`.
    public var metrics: PrometheusMetrics { operations.metrics }

    /// The value of one of the app's own settings.
    ///
    /// - Throws: ``SettingError`` when nothing is set, and for a text that the setting doesn't allow.
    public func required<Value>(_ setting: Setting<Value>) throws(SettingError) -> Value {
        try sources.required(setting)
    }

    /// The value of one of the app's own settings; nil if it isn't set.
    ///
    /// - Throws: ``SettingError`` for a text that the setting doesn't allow.
    public func value<Value>(_ setting: Setting<Value>) throws(SettingError) -> Value? { try sources.value(setting) }

    /// Uses the value of one of the app's own settings, for example to open the file that it names.
    ///
    /// - Throws: ``SettingError``, even if `body` throws: the message contains the setting, its value and the error.
    public func using<Value, Result>(
        _ setting: Setting<Value>,
        _ body: (Value) async throws -> Result
    ) async throws(SettingError) -> Result {
        let value = try required(setting)
        do {
            return try await body(value)
        } catch {
            let found = sources.text(setting)
            let origin = found.flatMap { $0.isDefault ? nil : $0.origin } ?? setting.option
            throw SettingError("\(origin) is '\(setting.display(found?.text ?? ""))': \(error).")
        }
    }

    /// Reads several of the app's own settings at once.
    public func read<Values, Failure>(
        _ body: (SettingSources) throws(Failure) -> Values
    ) throws(Failure) -> Values { try body(sources) }

    /// Runs work beside the server, from its start on. When the server has stopped, it cancels the work and waits for its end.
    ///
    /// - Parameter work: may end early. If it throws, the server stops like after a SIGTERM, and the program ends with that error
    ///   and status 1.
    public func whileServing(_ work: @escaping @Sendable () async throws -> Void) {
        added.withLock { $0.work.append { _ in try await work() } }
    }

    /// Runs work with the preview of the apps beside the server, in the same way as `whileServing`: for example, to tell browsers
    /// of changed pages. Without an app, the work isn't called.
    public func whilePreviewing(_ work: @escaping @Sendable (Preview) async throws -> Void) {
        added.withLock { $0.work.append { if let preview = $0 { try await work(preview) } } }
    }

    /// Runs work after the server has stopped. Several pieces of work run in the order of their calls.
    public func afterServing(_ work: @escaping @Sendable () async -> Void) {
        added.withLock { $0.lastWork.append(work) }
    }

    /// Adds a line to the start-up messages for people.
    public func note(_ line: String) {
        added.withLock { $0.notes.append(line) }
    }

    /// Lists these apps in the start-up messages, instead of the mounted ones.
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
        let shutdown = GracefulShutdown()
        let serving = Task { [operations] in
            try await shutdown.watched { try await operations.run(router, apps: apps, notes: lines, preview: preview) }
        }
        let tasks = added.work.map { work in
            Task { [logger] in
                do {
                    try await work(preview)
                } catch {
                    if Task.isCancelled { return }
                    logger.error("work beside the server failed, so it stops: \(error)")
                    failure.withLock { $0 = $0 ?? error }
                    shutdown.begin()
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
