public import Backlot

/// The apps that the files of some folders make up, each mounted on a router of its own and swapped when a file changes.
final class FolderApps: Sendable {
    private struct State {
        /// The function that mounts the app of each folder; it remembers the state that must outlive a change.
        var mounts: [AppFileName.Group: AppFormat.Mount] = [:]
        var apps: [AppFileName.Group: [MountedApp]] = [:]
    }

    private let state = Locked(State())

    /// The apps that are mounted now.
    var mounted: [MountedApp] {
        state.withLock { $0.apps.sorted { $0.key < $1.key }.flatMap(\.value) }
    }

    /// Mounts the app of some files, which isn't shown yet.
    ///
    /// - Returns: the app's routes, as stubs, with the claims that other files can't make; and its apps, for `show`.
    /// - Throws: `MockFileErrors`.
    func mount(
        _ files: [AppFile],
        of group: AppFileName.Group,
        _ format: AppFormat,
        on backend: MockBackend
    ) throws(MockFileErrors) -> (LoadedFile, apps: [MountedApp]) {
        let routes = AppRoutes()
        let mount = state.withLock { state in
            let mount = state.mounts[group] ?? format.newApp()
            state.mounts[group] = mount
            return mount
        }
        let path = backend.prefix + (group.folder.isEmpty ? "" : "/\(group.folder)")
        let folder = AppFolder(
            files: files,
            path: path,
            sessions: backend.configuration.sessions,
            clock: backend.clocks.sessionClock()
        )
        mount(folder, routes)
        let handler = try routes.handler(for: files[0].path)
        var loaded = LoadedFile()
        for (index, route) in routes.router.routes.enumerated() {
            let own = route.path.dropFirst(backend.prefix.count)
            guard let pattern = try? PathPattern(own.isEmpty ? "/" : String(own), as: .mock) else { continue }
            let claim = "\(route.method) \(pattern.shape)"
            // To mocks a slash at the end makes no difference; to the app's own router it does.
            if loaded.routes.contains(claim) { continue }
            var stub = Stub(
                StubID(name: "\(group.name)#\(index)"),
                at: pattern,
                route.method == .get ? [.get, .head] : [route.method],
                as: route.method.rawValue,
                in: route.source.file,
                line: route.source.line
            )
            stub.response.app = handler
            loaded.stubs.append(stub)
            loaded.routes.append(claim)
        }
        let apps = routes.apps.map { app in
            var app = app
            app.facts.merge(backend.facts) { own, _ in own }
            return app
        }
        return (loaded, apps)
    }

    /// Replaces the apps of a group; nil removes them, if the files are gone.
    func show(_ apps: [MountedApp]?, of group: AppFileName.Group) {
        state.withLock { state in
            state.apps[group] = apps
            if apps == nil { state.mounts[group] = nil }
        }
    }
}

/// The routes of an app that files make up, and what is wrong with it.
private final class AppRoutes: Routes {
    let router = Router()
    private(set) var apps: [MountedApp] = []
    private var problems: [MockFileError] = []

    var basePath: String { "" }
    var routeMap: RouteMap { router.routeMap }

    func add(_ route: Route) { router.add(route) }
    func add(_ page: CheckablePage) { router.add(page) }
    func add(_ app: MountedApp) { apps.append(app) }

    func report(_ problem: String, _ source: CodeLocation) {
        problems.append(MockFileError(source.file, TextPosition(line: source.line), problem))
    }

    /// The handler of all routes.
    ///
    /// - Parameter file: which file a mistake belongs to that is none of a file alone.
    func handler(for file: String) throws(MockFileErrors) -> any Handler {
        let handler = router.handler()
        do {
            try handler.prepare()
        } catch {
            problems.append(MockFileError(file, "\(error)"))
        }
        guard problems.isEmpty else { throw MockFileErrors(list: problems) }
        return handler
    }
}

extension PathPattern {
    /// The path with `[]` for each parameter: equal for paths that differ only in their parameters' names.
    var shape: String {
        "/"
            + segments.map { segment in
                switch segment {
                case .literal(let text): text
                case .parameter: "[]"
                case .rest: "[...]"
                }
            }
            .joined(separator: "/")
    }
}

extension MockBackend {
    /// The apps that files make up, such as Xpedite's, as preview shows them and `check` goes through them.
    public var apps: [MountedApp] { folderApps.mounted }
}
