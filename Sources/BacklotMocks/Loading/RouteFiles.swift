import Backlot
import BacklotHTTP
import Logging

/// The files of a `Routes/` folder, as stubs of a backend.
public final class RouteFiles: Sendable {
    private struct Known: Sendable {
        var stamp: FileStamp
        /// Its last version without mistakes; nil when there was no such version.
        var loaded: LoadedFile?
        var problems: [FileProblem] = []
    }

    private struct State {
        var known: [String: Known] = [:]
        var bodyFiles: [String: FileStamp] = [:]
        var folders: [String] = []
        /// The files that make up each app, by their paths.
        var apps: [AppFileName.Group: [String: AppFile]] = [:]
        /// The apps whose files have changed since they were mounted.
        var changedApps: Set<AppFileName.Group> = []
        /// What is wrong with the apps, and what answers their routes now.
        var appProblems: [AppFileName.Group: [FileProblem]] = [:]
        var appRoutes: [AppFileName.Group: [String]] = [:]
        /// What names data that no file declares, as it was last said.
        var unknownData: [FileProblem] = []
        /// What fits nothing among the files, as it was last said.
        var looseEnds: Set<FileProblem> = []
        /// Which file answers a route.
        var owners: [String: String] = [:]
    }

    let backend: MockBackend
    let folder: RoutesFolder
    private let state = Locked(State())

    /// The files of a folder; none is read yet.
    ///
    /// - Throws: `StartupError` when there is no such folder.
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
    /// - Parameter keepGoing: whether to serve the files that are in order where others aren't.
    /// - Throws: `StartupError` with all that is wrong, unless `keepGoing`.
    @discardableResult public func load(keepGoing: Bool = false) throws -> LoadReport {
        let report = scan()
        if !keepGoing, !report.problems.isEmpty {
            throw StartupError(problems: report.problems.map(\.description))
        }
        for warning in report.warnings { backend.logger.warning("\(warning)") }
        for problem in report.problems { backend.logger.error("\(problem)") }
        return report
    }

    /// All that is wrong at the moment.
    public var problems: [FileProblem] {
        state.withLock { Self.problems($0) }
    }

    private static func problems(_ state: State) -> [FileProblem] {
        (state.known.flatMap(\.value.problems) + state.appProblems.flatMap(\.value)).sorted { $0.place < $1.place }
    }

    /// The folders in which files were found, by their whole paths.
    var folders: [String] {
        let below = state.withLock { $0.folders }
        return below.isEmpty ? [folder.path] : below.map { $0.isEmpty ? folder.path : "\(folder.path)/\($0)" }
    }

    /// Reads what has changed since the last time, and lets the backend answer accordingly. It blocks.
    package func scan() -> LoadReport {
        var report = LoadReport()
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
            for (file, stamp) in listing.files.sorted(by: { $0.key < $1.key }) where !file.hasPrefix("__files/") {
                let known = state.known[file]
                let isTouched = known?.loaded?.bodyFiles.contains { changedBodies.contains($0) } ?? false
                // A change of another file may have mended a broken one.
                let mayBeWhole = known?.problems.isEmpty == false && (!changedBodies.isEmpty || !report.removed.isEmpty)
                if known?.stamp == stamp, !isTouched, !mayBeWhole { continue }
                read(file, stamp, &state, &report)
            }
            mountApps(&state, &report)
            findUnknownData(&state, &report)
            if !report.changed.isEmpty || !report.removed.isEmpty {
                let found = looseEnds(in: state.known.compactMapValues(\.loaded))
                report.warnings += found.filter { !state.looseEnds.contains($0) }
                state.looseEnds = Set(found)
            }
            backend.broken.set(Self.problems(state))
            report.files = state.known.values.count { $0.loaded.map { !$0.stubs.isEmpty || $0.app != nil } ?? false }
        }
        return report
    }

    private func read(_ file: String, _ stamp: FileStamp, _ state: inout State, _ report: inout LoadReport) {
        var known = state.known[file] ?? Known(stamp: stamp)
        let former = known.problems
        known.stamp = stamp
        do throws(FileProblems) {
            guard let loaded = try backend.parse(file, in: folder) else { return state.known[file] = known }
            try claim(loaded.routes, for: file, instead: known.loaded?.routes ?? [], &state)
            known.loaded = loaded
            known.problems = []
            backend.stubs.setStubs(loaded.stubs, ofFile: file)
            if let app = loaded.app, let group = appName(file)?.group {
                state.apps[group, default: [:]][file] = app
                state.changedApps.insert(group)
            }
            backend.data.setBuckets(loaded.buckets, ofFile: file)
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
        backend.data.setBuckets([], ofFile: file)
        if let group = appName(file)?.group, state.apps[group]?.removeValue(forKey: file) != nil {
            state.changedApps.insert(group)
        }
    }

    /// Warns of routes about data that no file declares, once.
    private func findUnknownData(_ state: inout State, _ report: inout LoadReport) {
        guard !report.changed.isEmpty || !report.removed.isEmpty else { return }
        let names = Set(backend.data.names)
        let found = state.known.sorted { $0.key < $1.key }
            .flatMap { $0.value.loaded?.stubs.flatMap { $0.unknownData(names) } ?? [] }
        // A file with several answers would say the same for each.
        var said = Set(state.unknownData)
        report.warnings += found.filter { said.insert($0).inserted }
        state.unknownData = found
    }

    /// Mounts the apps whose files have changed. An app with mistakes is served as it was before.
    private func mountApps(_ state: inout State, _ report: inout LoadReport) {
        for group in state.changedApps.sorted() {
            let former = state.appProblems.removeValue(forKey: group) ?? []
            let files = (state.apps[group] ?? [:]).values.sorted { $0.path < $1.path }
            do throws(FileProblems) {
                var app = LoadedFile()
                if let format = backend.configuration.apps.first(where: { $0.kind == group.kind }), !files.isEmpty {
                    app = try backend.folderApps.mount(files, of: group, format, on: backend)
                } else {
                    backend.folderApps.remove(group)
                }
                try claim(app.routes, for: group.name, instead: state.appRoutes[group] ?? [], &state)
                state.appRoutes[group] = app.routes
                backend.stubs.setStubs(app.stubs, ofFile: group.name)
            } catch {
                state.appProblems[group] = error.list
                if error.list != former { report.problems += error.list }
            }
        }
        state.changedApps = []
    }

    private func appName(_ file: String) -> AppFileName? {
        try? AppFileName(file, among: backend.configuration.apps)
    }

    /// One file answers a route.
    private func claim(
        _ routes: [String],
        for file: String,
        instead old: [String],
        _ state: inout State
    ) throws(FileProblems) {
        for route in routes {
            guard let owner = state.owners[route], owner != file else { continue }
            let text =
                route.hasPrefix("the id")
                ? "\(route) belongs to a stub in \(owner) already; write another, or leave it out"
                : "\(route) is answered by \(owner) already; remove one of the two, or write both answers into one file, under responses:"
            throw FileProblems(list: [FileProblem(file, text)])
        }
        for route in old where !routes.contains(route) { state.owners[route] = nil }
        for route in routes { state.owners[route] = file }
    }
}

/// The result of reading the files of routes.
public struct LoadReport: Sendable {
    /// How many files make routes now.
    public internal(set) var files = 0
    /// What is wrong. The earlier versions of these files are still served, if there are any.
    public internal(set) var problems: [FileProblem] = []
    /// What doesn't do what its author may expect.
    public internal(set) var warnings: [FileProblem] = []
    /// The files that were read again, whose new versions are served.
    public internal(set) var changed: [String] = []
    /// The files that are gone, whose routes are removed.
    public internal(set) var removed: [String] = []
}
