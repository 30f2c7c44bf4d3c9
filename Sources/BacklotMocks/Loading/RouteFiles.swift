import Backlot
import Logging

/// The files of a `Routes/` folder, as stubs of a backend.
///
/// ```swift
/// let mocks = MockBackend(MockConfiguration(formats: [.applin()]))
/// try RouteFiles("Routes", backend: mocks).load()
/// router.mocks(mocks)
/// ```
public final class RouteFiles: Sendable {
    private struct Known: Sendable {
        var identity: FileIdentity
        /// Its last version without mistakes; nil when there was no such version.
        var loaded: LoadedFile?
        var problems: [MockFileError] = []
    }

    /// An app that files make up.
    private struct App {
        /// Its files, by their paths.
        var files: [String: AppFile] = [:]
        /// Whether they have changed since it was mounted.
        var isChanged = false
        var problems: [MockFileError] = []
        /// The names of its current routes.
        var routes: [String] = []
    }

    private struct State {
        var known: [String: Known] = [:]
        var bodyFiles: [String: FileIdentity] = [:]
        var folders: [String] = []
        var apps: [AppFileName.Group: App] = [:]
        /// The latest findings about parts that don't fit together.
        var looseEnds: Set<MockFileError> = []
        /// The file of each route.
        var owners: [String: String] = [:]

        /// All mistakes.
        var problems: [MockFileError] {
            (known.flatMap(\.value.problems) + apps.flatMap(\.value.problems)).sorted { $0.place < $1.place }
        }
    }

    let backend: MockBackend
    let folder: RoutesFolder
    private let state = Locked(State())

    /// The files of a folder; none is read yet.
    ///
    /// - Throws: `StartupError` if the folder doesn't exist.
    public init(_ folder: String, backend: MockBackend) throws {
        guard let open = RoutesFolder(folder) else {
            throw StartupError(problems: ["there is no folder '\(folder)' to read routes from"])
        }
        self.folder = open
        self.backend = backend
        backend.use(open)
    }

    /// Reads all files. It blocks.
    ///
    /// - Parameter keepsGoing: whether to serve the correct files even if others are broken.
    /// - Throws: `StartupError` with all mistakes, unless `keepsGoing`.
    @discardableResult public func load(keepsGoing: Bool = false) throws -> RouteFilesReport {
        let report = scan()
        if !keepsGoing, !report.problems.isEmpty {
            throw StartupError(problems: report.problems.map(\.description))
        }
        for warning in report.warnings { backend.logger.warning("\(warning)") }
        for problem in report.problems { backend.logger.error("\(problem)") }
        return report
    }

    /// All current mistakes.
    public var problems: [MockFileError] { state.withLock { $0.problems } }

    /// The folders with files, by their whole paths.
    var folders: [String] {
        let below = state.withLock { $0.folders }
        return below.isEmpty ? [folder.path] : below.map { $0.isEmpty ? folder.path : "\(folder.path)/\($0)" }
    }

    /// Reads the changes since the last time, and updates the backend. It blocks.
    package func scan() -> RouteFilesReport {
        var report = RouteFilesReport()
        guard let listing = folder.list() else { return report }
        state.withLock { state in
            state.folders = listing.folders
            let bodies = listing.files.filter { $0.key.hasPrefix("__files/") }
            let changedBodies = Set(bodies.filter { state.bodyFiles[$0.key] != $0.value }.keys)
                .union(state.bodyFiles.keys.filter { bodies[$0] == nil })
            state.bodyFiles = bodies
            for file in state.known.keys.sorted() where listing.files[file] == nil {
                forget(file, &state)
                report.removed.append(file)
            }
            for (file, identity) in listing.files.sorted(by: { $0.key < $1.key }) where !file.hasPrefix("__files/") {
                let known = state.known[file]
                let isTouched = known?.loaded?.bodyFiles.contains { changedBodies.contains($0) } ?? false
                if known?.identity == identity, !isTouched { continue }
                read(file, identity, &state, &report)
            }
            let isNews = !changedBodies.isEmpty || !report.changed.isEmpty || !report.removed.isEmpty
            settle(listing.files, isNews, &state, &report)
            if !report.changed.isEmpty || !report.removed.isEmpty {
                let found = looseEnds(in: state.known.compactMapValues(\.loaded))
                // A file with several responses would repeat the same finding.
                report.warnings += found.filter { state.looseEnds.insert($0).inserted }
                state.looseEnds = Set(found)
            }
            backend.broken.set(state.problems)
            report.files = state.known.values.count { $0.loaded.map { !$0.stubs.isEmpty || $0.app != nil } ?? false }
        }
        return report
    }

    /// Mounts the changed apps, and tries what is broken again as long as something changes: that may have mended it, and it may mend
    /// the next.
    private func settle(
        _ files: [String: FileIdentity],
        _ isNews: Bool,
        _ state: inout State,
        _ report: inout RouteFilesReport
    ) {
        var isNews = isNews || state.apps.contains { $0.value.isChanged }
        while isNews {
            for (group, app) in state.apps where !app.problems.isEmpty { state.apps[group]?.isChanged = true }
            let changes = report.changed.count
            isNews = mountApps(&state, &report)
            for file in state.known.filter({ !$0.value.problems.isEmpty }).keys.sorted() {
                if let identity = files[file] { read(file, identity, &state, &report) }
            }
            isNews = isNews || report.changed.count > changes
        }
        let left = state.problems
        report.problems.removeAll { !left.contains($0) }
    }

    private func read(_ file: String, _ identity: FileIdentity, _ state: inout State, _ report: inout RouteFilesReport)
    {
        var known = state.known[file] ?? Known(identity: identity)
        let former = known.problems
        known.identity = identity
        do throws(MockFileErrors) {
            guard let loaded = try backend.parse(file, in: folder) else { return state.known[file] = known }
            try claim(loaded.routes, for: file, instead: known.loaded?.routes ?? [], &state)
            known.loaded = loaded
            known.problems = []
            backend.stubs.setStubs(loaded.stubs, ofFile: file)
            if let app = loaded.app, let group = appName(file)?.group {
                state.apps[group, default: App()].files[file] = app
                state.apps[group]?.isChanged = true
            }
            backend.appParts.withLock { $0[file] = loaded.parts.isEmpty ? nil : loaded.parts }
            backend.data.setBuckets(loaded.buckets, ofFile: file)
            backend.folderStateKeys.withLock { $0.set(loaded.stateKey, ofFile: file) }
            report.changed.append(file)
            report.warnings += loaded.warnings + backend.webhookWarnings(in: loaded.stubs, of: file)
        } catch {
            known.problems = error.list
            if error.list != former { report.problems += error.list }
        }
        state.known[file] = known
    }

    private func forget(_ file: String, _ state: inout State) {
        for route in state.known[file]?.loaded?.routes ?? [] where state.owners[route] == file {
            state.owners[route] = nil
        }
        state.known[file] = nil
        backend.stubs.setStubs([], ofFile: file)
        backend.appParts.withLock { $0[file] = nil }
        backend.data.setBuckets([], ofFile: file)
        backend.folderStateKeys.withLock { $0.set(nil, ofFile: file) }
        if let group = appName(file)?.group, state.apps[group]?.files.removeValue(forKey: file) != nil {
            state.apps[group]?.isChanged = true
        }
    }

    /// Mounts the apps with changed files. An app with mistakes keeps its earlier version.
    ///
    /// - Returns: whether an app has changed.
    private func mountApps(_ state: inout State, _ report: inout RouteFilesReport) -> Bool {
        var hasMounted = false
        for (group, app) in state.apps.sorted(by: { $0.key < $1.key }) where app.isChanged {
            state.apps[group]?.isChanged = false
            state.apps[group]?.problems = []
            do throws(MockFileErrors) {
                var loaded = LoadedFile()
                let files = app.files.values.sorted { $0.path < $1.path }
                var apps: [MountedApp]?
                if let format = backend.configuration.apps.first(where: { $0.kind == group.kind }), !files.isEmpty {
                    (loaded, apps) = try backend.folderApps.mount(files, of: group, format, on: backend)
                }
                try claim(loaded.routes, for: group.name, instead: app.routes, &state)
                backend.folderApps.show(apps, of: group)
                hasMounted = true
                state.apps[group]?.routes = loaded.routes
                backend.stubs.setStubs(loaded.stubs, ofFile: group.name)
            } catch {
                state.apps[group]?.problems = error.list
                if error.list != app.problems { report.problems += error.list }
            }
        }
        return hasMounted
    }

    private func appName(_ file: String) -> AppFileName? {
        try? AppFileName(file, among: backend.configuration.apps)
    }

    /// Records the file of each route; a route can have only one.
    private func claim(
        _ routes: [String],
        for file: String,
        instead old: [String],
        _ state: inout State
    ) throws(MockFileErrors) {
        for route in routes {
            guard let owner = state.owners[route], owner != file else { continue }
            throw MockFileErrors(file, Self.conflict(over: route, with: owner))
        }
        for route in old where !routes.contains(route) { state.owners[route] = nil }
        for route in routes { state.owners[route] = file }
    }

    /// The error for a route that another file has.
    private static func conflict(over route: String, with owner: String) -> String {
        if route.hasPrefix("the id") {
            return "\(route) belongs to a stub in \(owner) already; write another, or leave it out"
        }
        let data = "the data '"
        if route.hasPrefix(data) {
            let name = route.dropFirst(data.count).dropLast()
            let cure = "declare it in data/\(name).yaml alone and write 'bucket: \(name)' into crud files"
            return "\(route) is declared by \(owner) already; \(cure), or rename one of the two"
        }
        let text = "\(route) is answered by \(owner) already; remove one of the two"
        if route.hasPrefix("the settings") || route.hasPrefix("the rows") { return text }
        return "\(text), or write both responses into one file, under responses:"
    }
}

/// The result of reading the files of routes.
public struct RouteFilesReport: Sendable {
    /// The number of files with routes.
    public internal(set) var files = 0
    /// The mistakes. The earlier versions of these files stay in service, if there are any.
    public internal(set) var problems: [MockFileError] = []
    /// Parts that may not do what their author expects.
    public internal(set) var warnings: [MockFileError] = []
    /// The files that were read again and are live.
    public internal(set) var changed: [String] = []
    /// The removed files. Their routes are removed too.
    public internal(set) var removed: [String] = []
}
