package import Backlot

/// Steps that a person does.
extension ApplinClient {
    /// A photo of one pixel, as JPEG: for tests to which it doesn't matter what it shows.
    public static let samplePhoto: [UInt8] = [
        [0xFF, 0xD8],
        [0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0],
        // A quantization table of ones, a frame of one grey pixel, and two codes: no difference, no more coefficients.
        [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64),
        [0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0],
        [0xFF, 0xC4, 0, 20, 0x00, 1] + [UInt8](repeating: 0, count: 16),
        [0xFF, 0xC4, 0, 20, 0x10, 1] + [UInt8](repeating: 0, count: 16),
        [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x3F],
        [0xFF, 0xD9],
    ]
    .flatMap { $0 }

    /// Starts the app for the first time: it loads its first page.
    ///
    /// - Parameter paths: the pages to be on the stack instead, the visible one last, as a link into the app has them. The
    ///   client loads the visible one first, and the others in the first second after it.
    /// - Throws: `StepError` where the app was launched before; `BackendError`.
    public func launch(at paths: String..., file: StaticString = #fileID, line: Int = #line) async throws {
        guard paths.count > 1 else { return try await step(.launch(paths.first), file, line) }
        stepEnd = state.now + 1000
        try await step("launch(\(Self.list(paths)))", file, line) { state throws(BareStepError) in
            guard !state.isLaunched else { return try state.perform(.launch(nil)) }
            return state.start(paths)
        }
    }

    /// Ends the app and starts it again.
    ///
    /// Variables are there again, cookies that have `Max-Age` or `Expires`, and the pages of the stack below the first
    /// ephemeral one. The visible page is loaded first and the others in the first second after it, all by GET.
    ///
    /// - Parameter keepsStack: false when it is the user who ended it: the app then begins with `/`.
    /// - Throws: `BackendError`.
    public func relaunch(keepsStack: Bool = true, file: StaticString = #fileID, line: Int = #line) async throws {
        let step = ClientStep.relaunch(keepsStack: keepsStack)
        if state.isLaunched { session.cookies.removeSessionCookies() }
        // The pages below the visible one come with the first look at what is due.
        if state.restarted(keepsStack).count > 1 { stepEnd = state.now + 1000 }
        try await self.step(step, file, line)
    }

    /// Shows other pages in the place of the stack, as a link into the running app does. Cookies and variables stay.
    ///
    /// The client loads the pages in their order. When one fails it shows the error on the old stack. When the stack has these pages already
    /// it only refreshes the visible one.
    ///
    /// - Parameter paths: the pages to be on the stack, the visible one last.
    /// - Throws: `StepError` where the app isn't launched, or no page is named; `BackendError`.
    public func open(at paths: String..., file: StaticString = #fileID, line: Int = #line) async throws {
        try await step("open(\(Self.list(paths)))", file, line) { state throws(BareStepError) in
            guard let path = paths.first else { throw BareStepError("no page is named: write a path such as \"/\"") }
            return state.isLaunched ? state.open(paths) : try state.perform(.open(path))
        }
    }

    private static func list(_ paths: [String]) -> String {
        "at: " + paths.map(\.inQuotes).joined(separator: ", ")
    }

    /// Lets time pass on the client's clock: pages that poll are refreshed, also those below the visible one, and so is what
    /// an input has asked for. After a refresh that failed the client waits longer, and shows nothing.
    ///
    /// It takes as long as the answers take, and no longer.
    ///
    /// - Parameter duration: at least zero, at most a thousand years.
    /// - Throws: `BackendError` where a refreshed page is one that clients reject.
    public func wait(_ duration: Duration, file: StaticString = #fileID, line: Int = #line) async throws {
        let step = ClientStep.wait(duration)
        let isPossible = (.zero ... .seconds(31_557_600_000)).contains(duration)
        if isPossible, state.isLaunched { stepEnd = state.now + duration.milliseconds }
        try await self.step(step.call, file, line) { state throws(BareStepError) in
            guard isPossible else {
                throw BareStepError("a time to wait is at least zero, and at most a thousand years")
            }
            return try state.perform(step)
        }
    }

    /// Forgets the cookies, as a client does whose cookies have ended: the backend doesn't know it any more. Its variables and pages
    /// stay, and nothing is asked for.
    public func forgetCookies() { session.cookies = CookieJar() }

    /// Taps a button, by the text on it: of the modal where one is shown, else of the page. Also a checkbox, and `Back`.
    ///
    /// - Parameters:
    ///   - label: the text, all of it; or the `id` of a button where none has this text. Of a modal's button that is marked as destructive, what follows the `!`.
    ///   - number: which one, from 1, where several have that text.
    ///   - section: the title of the form section that it stands in, where several have that text.
    /// - Throws: `StepError` when it is missing or disabled; `BackendError`.
    public func tap(
        _ label: String,
        number: Int? = nil,
        in section: String? = nil,
        file: StaticString = #fileID,
        line: Int = #line
    ) async throws {
        let call = ClientStep.tap(label, number: number).call
        let name = section.map { "\(call.dropLast()), in: \($0.inQuotes))" } ?? call
        try await step(name, file, line) { state throws(BareStepError) in
            guard state.isLaunched else { return try state.perform(.tap(label)) }
            return try state.tap(label, number: number, in: section)
        }
    }

    /// Taps the button at the start of the title bar: the client's own, which pops the page, or the page's.
    ///
    /// - Throws: `StepError` when it is missing or disabled; `BackendError`.
    public func back(file: StaticString = #fileID, line: Int = #line) async throws {
        try await step(.back, file, line)
    }

    /// Pulls the page down to refresh it.
    ///
    /// - Throws: `StepError` where the page doesn't scroll, or doesn't want it; `BackendError`.
    public func pullToRefresh(file: StaticString = #fileID, line: Int = #line) async throws {
        try await step(.pullToRefresh, file, line)
    }

    /// Makes a checkbox checked; does nothing where it is.
    ///
    /// - Parameter label: the text beside it, or its variable's name.
    /// - Throws: `StepError` when it is missing; `BackendError`.
    public func check(_ label: String, file: StaticString = #fileID, line: Int = #line) async throws {
        try await step(.check(label), file, line)
    }

    /// Makes a checkbox unchecked; does nothing where it is.
    ///
    /// - Parameter label: the text beside it, or its variable's name.
    /// - Throws: `StepError` when it is missing; `BackendError`.
    public func uncheck(_ label: String, file: StaticString = #fileID, line: Int = #line) async throws {
        try await step(.uncheck(label), file, line)
    }

    /// Replaces the text of a text field. The keys about typing (`allow`, `auto_capitalize`, `max_chars`, `min_chars`,
    /// `max_lines`) only choose a keyboard and a size. Clients send any text, so a backend must check it.
    ///
    /// - Parameters:
    ///   - text: what the field is to hold; it counts as one change.
    ///   - field: the label of the field, its variable's name, or its `id`.
    /// - Throws: `StepError` where there is no such field; `BackendError`.
    public func enter(_ text: String, into field: String, file: StaticString = #fileID, line: Int = #line) async throws
    {
        try await step(.enter(text, into: field, variable: ""), file, line)
    }

    /// Chooses an option.
    ///
    /// - Parameters:
    ///   - option: the option, as the page names it.
    ///   - selector: the label of the selector, or the name of the variable that the choice sets. With the label, and several
    ///     choices side by side, the first is meant that has the option.
    /// - Throws: `StepError` where there is no such selector or option; `BackendError`.
    public func choose(
        _ option: String,
        from selector: String,
        file: StaticString = #fileID,
        line: Int = #line
    ) async throws {
        try await step(.choose(option, from: selector), file, line)
    }

    /// Takes or chooses a photo where the client asks for one, and sends it. Then the client goes on with the actions of what
    /// was tapped.
    ///
    /// - Parameter photo: the photo as JPEG.
    /// - Throws: `StepError` where the client doesn't ask for a photo; `BackendError`.
    public func uploadPhoto(
        _ photo: [UInt8] = samplePhoto,
        file: StaticString = #fileID,
        line: Int = #line
    ) async throws {
        self.photo = photo
        try await step(.uploadPhoto, file, line)
    }

    /// Takes no photo where the client asks for one; the rest of the actions of what was tapped isn't done then.
    ///
    /// - Throws: `StepError` where the client doesn't ask for a photo.
    public func cancelPhoto(file: StaticString = #fileID, line: Int = #line) async throws {
        try await step(.cancelPhoto, file, line)
    }

    // MARK: Doing a step

    func step(_ step: ClientStep, _ file: StaticString, _ line: Int) async throws {
        try await self.step(step.call, file, line) { state throws(BareStepError) in try state.perform(step) }
    }

    /// Does a step, then what is due at once after it, and says what was wrong with the step or with the backend.
    private func step(
        _ name: String,
        _ file: StaticString,
        _ line: Int,
        _ begin: (inout ApplinClientState) throws(BareStepError) -> ApplinClientState.Next
    ) async throws {
        (findingsOfStep, offered) = ([], nil)
        let place = "\(file):\(line)"
        do throws(BareStepError) {
            await run(try begin(&state))
        } catch {
            stepEnd = nil
            throw StepError(step: name, problem: error.text, screen: screen, place: place)
        }
        await advance(to: stepEnd ?? state.now)
        (stepEnd, offered) = (nil, nil)
        // In process nothing may have suspended: other tests get their turn.
        await Task.yield()
        let failing = findingsOfStep.filter { finding in
            switch configuration.failingSeverity {
            case nil: false
            case .error?: finding.severity == .error
            case .warning?: finding.severity != .note
            case .note?: true
            }
        }
        guard failing.isEmpty else {
            throw BackendError(step: name, findings: failing, screen: screen, place: place)
        }
    }

    /// Asks the backend what the client wants to know, until the step is over.
    private func run(_ first: ApplinClientState.Next) async {
        var next = first
        while true {
            if state.takeLogOut() { session.cookies.remove("session", for: baseURL) }
            guard case .ask(let question) = next else { return }
            next = state.take(await result(of: question), now: state.now)
        }
    }

    /// Lets time pass, with the refreshes that are due in it.
    private func advance(to end: Int64) async {
        while !Task.isCancelled, let event = state.polls.next(until: end) {
            switch event {
            case .delayed(let time): await run(state.refresh(now: time, jitter: configuration.jitter))
            case .pass(let time):
                await run(state.refresh(now: time, jitter: configuration.jitter))
                if !state.hasPolledPages { state.polls.skip(to: end) }
            }
        }
        state.now = max(state.now, end)
    }
}

/// What can be done on the screen: for what goes through an app by itself.
extension ApplinClient {
    /// The visible page, where nothing stands in front of it.
    package var touchable: PageContents? {
        if case .none = state.layer { state.top?.page } else { nil }
    }

    /// Whether the visible page has a button at the start of its title bar that can be tapped.
    package var canGoBack: Bool {
        switch touchable?.backButton {
        case .standard?: state.stack.count > 1
        case .custom(let actions)?: !actions.isEmpty
        case .some(.none), nil: false
        }
    }

    /// The value that an input sends.
    package func sentValue(of input: PageInput) -> JSONValue { state.value(of: input) }

    /// How long it takes until the client refreshes a page by itself; nil where it never does.
    package var timeToRefresh: Duration? { state.nextRefresh.map { .milliseconds(max(0, $0 - state.now)) } }

    /// What tells one state from another that looks different or sends something else.
    package var situation: String {
        let variables = state.variables.sorted { $0.key < $1.key }.map { "\($0.key.inQuotes)=\($0.value)" }
        return "\(stack)\n\(variables)\n\(screen)"
    }
}
