internal import Backlot
internal import BacklotHTTP

/// Starting and ending the app, and letting time pass.
extension ApplinClient {
    /// Starts the app for the first time: it loads its first page.
    ///
    /// - Parameter paths: the pages to be on the stack instead, the visible one last, as a link into the app has them. The
    ///   client loads the visible one first, and the others in the first second after it.
    /// - Throws: `StepFailure` where the app was launched before; `BackendFailure`.
    public func launch(at paths: String..., file: StaticString = #fileID, line: Int = #line) async throws {
        let arguments = paths.isEmpty ? "" : "at: " + paths.map(\.inQuotes).joined(separator: ", ")
        try await step("launch(\(arguments))", file, line, needsLaunch: false) { app throws(StepProblem) in
            guard app.state.top == nil else {
                throw StepProblem("the app was launched before; relaunch() starts it again")
            }
            await app.start(paths.isEmpty ? [app.configuration.firstPage] : paths)
        }
    }

    /// Ends the app and starts it again.
    ///
    /// Variables are there again, cookies that have `Max-Age` or `Expires`, and the pages of the stack below the first
    /// ephemeral one. The visible page is loaded first and the others in the first second after it, all by GET.
    ///
    /// - Parameter keepsStack: false when it is the user who ended it: the app then begins with `/` if it has a cookie named
    ///   `session`, else with its first page.
    /// - Throws: `BackendFailure`.
    public func relaunch(keepsStack: Bool = true, file: StaticString = #fileID, line: Int = #line) async throws {
        try await step(keepsStack ? "relaunch()" : "relaunch(keepsStack: false)", file, line) {
            app throws(StepProblem) in
            app.session.cookies.removeSessionCookies()
            let hasSession = app.session.cookies.value(of: "session", for: app.baseURL) != nil
            let paths = app.state.restorablePaths
            if keepsStack {
                await app.start(paths.isEmpty ? ["/"] : paths)
            } else {
                await app.start([hasSession ? "/" : app.configuration.firstPage])
            }
        }
    }

    /// Shows other pages in the place of the stack, as a link into the running app does. Cookies and variables stay.
    ///
    /// - Parameter paths: the pages to be on the stack, the visible one last. The client loads the visible one first, and the
    ///   others in the first second after it.
    /// - Throws: `StepFailure` where the app isn't launched, or no page is named; `BackendFailure`.
    public func open(at paths: String..., file: StaticString = #fileID, line: Int = #line) async throws {
        try await step("open(at: \(paths.map(\.inQuotes).joined(separator: ", ")))", file, line) {
            app throws(StepProblem) in
            guard !paths.isEmpty else { throw StepProblem("no page is named: write a path such as \"/\"") }
            await app.start(paths)
        }
    }

    /// Lets time pass on the client's clock: pages that poll are refreshed, also those below the visible one, and so is what
    /// an input has asked for. After a refresh that failed the client waits longer, and shows nothing.
    ///
    /// It takes as long as the answers take, and no longer.
    ///
    /// - Parameter duration: at least zero, at most a thousand years.
    /// - Throws: `BackendFailure` where a refreshed page is one that clients reject.
    public func wait(_ duration: Duration, file: StaticString = #fileID, line: Int = #line) async throws {
        try await step("wait(\(duration))", file, line) { app throws(StepProblem) in
            guard duration >= .zero, duration <= .seconds(31_557_600_000) else {
                throw StepProblem("a time to wait is at least zero, and at most a thousand years")
            }
            await app.advance(to: app.state.now + duration.milliseconds)
        }
    }

    /// Forgets the cookies, as a client does whose cookies have ended: the backend doesn't know it any more. Its variables and pages
    /// stay, and nothing is asked for.
    public func forgetCookies() { session.cookies = CookieJar() }

    private func start(_ paths: [String]) async {
        state.start(with: paths)
        await run(ActionList([.poll]))
        // The pages below the visible one come with the first look at what is due.
        if paths.count > 1 { await advance(to: state.now + 1000) }
    }
}
