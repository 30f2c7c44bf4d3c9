public import Backlot
import Synchronization

/// Shows an app's pages in a browser, as a phone would, with a view inside: `router.preview(LocalAccess(host: host))`.
///
/// It responds to a browser that opens a page's URL, and to its calls below `/__preview/`. It watches other exchanges while a browser
/// shows the log. It injects the faults and the slow network that a phone has chosen (see `FaultInjection`).
/// The pages that it shows in frames load nothing from other hosts.
/// All other requests get the same responses as without it.
public final class Preview: Middleware {
    let access: LocalAccess
    /// Names this run of the server, for browsers that find it again.
    let instance = String(UInt64.random(in: .min ... .max), radix: 16)
    private let mounted: @Sendable () -> [MountedApp]
    let hub = EventHub()
    let brokenFiles = Locked<[String]>([])
    private let faults: FaultInjection

    init(_ access: LocalAccess, apps: @escaping @Sendable () -> [MountedApp]) {
        self.access = access
        mounted = apps
        faults = FaultInjection(FaultBoard(), access: access, exempt: [PreviewPaths.root])
    }

    /// The apps that are mounted now, the longest path first: an app may be mounted below another.
    var apps: [MountedApp] { mounted().sorted { $0.basePath.utf8.count > $1.basePath.utf8.count } }

    /// Says that pages may have changed, so that browsers load them again.
    public func contentChanged() { hub.send(.changed) }

    /// Shows what is wrong with files in a banner, until it is called with nothing.
    ///
    /// - Parameter problems: each with its place, such as `users/[id].get.yaml:3:7: …`.
    public func show(problems: [String]) {
        brokenFiles.withLock { $0 = problems }
        hub.send(.broken(problems))
    }

    /// Shows browsers a request that never came here, because a fault or a network ended it further out: for `FaultInjection`.
    public func responded(_ request: Request, _ response: Response) {
        guard hub.isWatched, !request.path.hasPrefix(PreviewPaths.root) else { return }
        ExchangeWatch(hub: hub).tell(of: request, response)
    }

    /// Sends the shell to a browser, and passes other requests on.
    ///
    /// - Throws: what `next` throws.
    public func respond(to request: Request, next: any Handler) throws -> HandlerResult {
        // Nearly every request passes here, and most of them need only this.
        let isWorthALook = hub.isWatched || request.method != .get || ShellRequest.isWorthALook(request)
        return isWorthALook ? try respondOrPassOn(request, next) : try next.respond(to: request)
    }

    private func respondOrPassOn(_ request: Request, _ next: any Handler) throws -> HandlerResult {
        access.watch(request)
        if let session = sessionResponse(request) { return session }
        // Only a phone with a listening shell requests faults.
        guard hub.isWatched || ShellRequest.isOfBrowser(request) else { return try next.respond(to: request) }
        try refuseServiceWorker(request)
        if ShellRequest.wantsShell(request), access.admitsPreview(request) {
            if let app = app(at: request.path) {
                let page = ShellPage(app: app)
                return .ready(ShellRequest.isKeptFromScripts(request) ? page.response : ShellPage.refusal)
            }
            if request.path == "/" { return homeInsteadOfNothing(request, next: next) }
        }
        if ShellRequest.isOfFrame(request), access.admitsPreview(request) {
            return try watched(request, FramedPageHandler(next: next))
        }
        return try watched(request, next)
    }

    private func watched(_ request: Request, _ next: any Handler) throws -> HandlerResult {
        guard hub.isWatched, !request.path.hasPrefix(PreviewPaths.root) else {
            return try faults.respond(to: request, next: next)
        }
        return .pending { [self] in
            try await ExchangeWatch(hub: hub).response(to: request, by: FaultyHandler(faults: faults, next: next))
        }
    }

    /// A service worker would stand between a browser and the shell, and read the secret in it.
    ///
    /// - Throws: `StatusError` with 403 for the script of one (Service Workers, appendix B) in a browser that may use preview.
    private func refuseServiceWorker(_ request: Request) throws(StatusError) {
        guard request.hasField("service-worker", containing: "script"), access.admitsPreview(request) else { return }
        throw StatusError(
            .forbidden,
            "this browser may use preview, which no service worker may read: try the service worker with --admin off"
        )
    }

    /// Whether a request is the browser's for preview itself: its pages, its scripts, and the calls of the view inside. Faults and
    /// delays, which are for the pages of apps, leave it alone.
    package func isOwn(_ request: Request) -> Bool {
        if request.hasPath(beginningWith: "\(PreviewPaths.root)/") { return true }
        if request.method == .post {
            return request.path.hasSuffix(PreviewPaths.session) && PreviewToken.isIn(request)
        }
        return request.method == .get && ShellRequest.isOfBrowser(request) && ShellRequest.wantsShell(request)
            && access.admitsPreview(request) && (request.path == "/" || app(at: request.path) != nil)
    }

    /// The app that has a page at a path.
    private func app(at path: String) -> MountedApp? {
        apps.first { $0.hasPage(path) }
    }
}

/// The next handler, after faults.
private struct FaultyHandler: Handler {
    let faults: FaultInjection
    let next: any Handler

    func respond(to request: Request) throws -> HandlerResult { try faults.respond(to: request, next: next) }
}

/// Calls the next handler, and forbids its page to load anything from other hosts.
private struct FramedPageHandler: Handler {
    let next: any Handler

    func respond(to request: Request) throws -> HandlerResult {
        try next.respond(to: request).map { response in
            var response = response
            // Policies add up.
            response.headers.append(HTTPField(name: .contentSecurityPolicy, value: ShellPage.framePolicy))
            return response
        }
    }
}

/// The paths of preview's own responses.
enum PreviewPaths {
    /// The beginning of all of them.
    static let root = "/__preview"
    /// The ending, after an app's base path, of the paths that show and change sessions.
    static let session = "\(root)/session"
}
