package import Backlot

/// The steps that a person can do.
extension ApplinClient {
    /// A photo of one pixel, as JPEG, for tests that only need some photo.
    public static let samplePhoto: [UInt8] = [
        [0xFF, 0xD8],
        [0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0],
        // A quantization table of ones, a frame of one grey pixel, and two Huffman codes: zero difference and end of block.
        [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64),
        [0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0],
        [0xFF, 0xC4, 0, 20, 0x00, 1] + [UInt8](repeating: 0, count: 16),
        [0xFF, 0xC4, 0, 20, 0x10, 1] + [UInt8](repeating: 0, count: 16),
        [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x3F],
        [0xFF, 0xD9],
    ]
    .flatMap { $0 }

    /// Starts the app for the first time and loads its first page.
    ///
    /// - Parameter paths: the paths of the pages to put on the stack, the visible one last, as a link into the app has them. If
    ///   empty, the app starts with its first page. The client loads the visible page first, and the others within a second.
    /// - Throws: `StepError` if the app is already launched; `BackendError`.
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
    /// The app restores its variables, the cookies with `Max-Age` or `Expires`, and the pages of the stack below the first
    /// ephemeral one. It loads the visible page first and the others within a second, all by GET.
    ///
    /// - Parameter keepsStack: false if the user ended the app, which then starts at `/`.
    /// - Throws: `BackendError`.
    public func relaunch(keepsStack: Bool = true, file: StaticString = #fileID, line: Int = #line) async throws {
        let step = ClientStep.relaunch(keepsStack: keepsStack)
        if state.isLaunched { session.cookies.removeSessionCookies() }
        // The pages below the visible one are loaded when the client first checks which pages are due.
        if state.restarted(keepsStack).count > 1 { stepEnd = state.now + 1000 }
        try await self.step(step, file, line)
    }

    /// Replaces the stack with other pages, as a link into the running app does. Cookies and variables stay.
    ///
    /// The client loads the pages in order. If one fails, it shows the error on the old stack. If the stack has exactly these
    /// pages already, it only refreshes the visible one.
    ///
    /// - Parameter paths: the paths of the new stack, the visible page last.
    /// - Throws: `StepError` if the app isn't launched or `paths` is empty; `BackendError`.
    public func open(at paths: String..., file: StaticString = #fileID, line: Int = #line) async throws {
        try await step("open(\(Self.list(paths)))", file, line) { state throws(BareStepError) in
            guard let path = paths.first else { throw BareStepError("no page is named: write a path such as \"/\"") }
            return state.isLaunched ? state.open(paths) : try state.perform(.open(path))
        }
    }

    private static func list(_ paths: [String]) -> String {
        "at: " + paths.map(\.inQuotes).joined(separator: ", ")
    }

    /// Advances the client's clock, and does the refreshes that are due by then: of pages that poll, even below the visible one,
    /// and after changes of inputs. After a failed refresh the client waits longer, and shows no error.
    ///
    /// The call takes only as long as the responses take.
    ///
    /// - Parameter duration: at least zero, at most a thousand years.
    /// - Throws: `BackendError` if clients reject a refreshed page.
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

    /// Drops the cookies, as if they had expired, so that the backend no longer knows the client. Variables and pages stay, and
    /// no request is sent.
    public func forgetCookies() { session.cookies = CookieJar() }

    /// Taps a button by its text: a button of the modal if one is open, otherwise of the page. Checkboxes and `Back` work too.
    ///
    /// - Parameters:
    ///   - label: the button's whole text; or a button's `id` if no button has this text. For a destructive button of a modal,
    ///     the text after the `!`.
    ///   - number: the number of the button, from 1, if several have that text.
    ///   - section: the title of the form section that contains the button, if several have that text.
    /// - Throws: `StepError` if the button is missing or disabled; `BackendError`.
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

    /// Taps the button at the start of the title bar: the page's own button, or the client's, which pops the page.
    ///
    /// - Throws: `StepError` if the button is missing or disabled; `BackendError`.
    public func back(file: StaticString = #fileID, line: Int = #line) async throws {
        try await step(.back, file, line)
    }

    /// Pulls the page down to refresh it.
    ///
    /// - Throws: `StepError` if the page doesn't scroll or has pull-to-refresh turned off; `BackendError`.
    public func pullToRefresh(file: StaticString = #fileID, line: Int = #line) async throws {
        try await step(.pullToRefresh, file, line)
    }

    /// Checks a checkbox; does nothing if it is checked.
    ///
    /// - Parameter label: the text beside it, or its variable's name.
    /// - Throws: `StepError` for an unknown checkbox; `BackendError`.
    public func check(_ label: String, file: StaticString = #fileID, line: Int = #line) async throws {
        try await step(.check(label), file, line)
    }

    /// Unchecks a checkbox; does nothing if it isn't checked.
    ///
    /// - Parameter label: the text beside it, or its variable's name.
    /// - Throws: `StepError` for an unknown checkbox; `BackendError`.
    public func uncheck(_ label: String, file: StaticString = #fileID, line: Int = #line) async throws {
        try await step(.uncheck(label), file, line)
    }

    /// Replaces the text of a text field. The keys `allow`, `auto_capitalize`, `max_chars`, `min_chars` and `max_lines` only
    /// affect the keyboard and the field's size. Clients send any text, so a backend must check it.
    ///
    /// - Parameters:
    ///   - text: the field's new text; it counts as one change.
    ///   - field: the label of the field, its variable's name, or its `id`.
    /// - Throws: `StepError` for an unknown field; `BackendError`.
    public func enter(_ text: String, into field: String, file: StaticString = #fileID, line: Int = #line) async throws
    {
        try await step(.enter(text, into: field, variable: ""), file, line)
    }

    /// Chooses an option.
    ///
    /// - Parameters:
    ///   - option: the option, with the page's spelling.
    ///   - selector: the label of the selector, or the variable that the choice sets. If the label belongs to several choices
    ///     side by side, the first one with this option is used.
    /// - Throws: `StepError` for an unknown selector or option; `BackendError`.
    public func choose(
        _ option: String,
        from selector: String,
        file: StaticString = #fileID,
        line: Int = #line
    ) async throws {
        try await step(.choose(option, from: selector), file, line)
    }

    /// Takes or chooses the photo that the client asks for, and sends it. Then the client continues with the remaining actions of
    /// the tap.
    ///
    /// - Parameter photo: the photo as JPEG.
    /// - Throws: `StepError` if the client doesn't ask for a photo; `BackendError`.
    public func uploadPhoto(
        _ photo: [UInt8] = samplePhoto,
        file: StaticString = #fileID,
        line: Int = #line
    ) async throws {
        self.photo = photo
        try await step(.uploadPhoto, file, line)
    }

    /// Cancels the photo that the client asks for. The client then drops the remaining actions of the tap.
    ///
    /// - Throws: `StepError` if the client doesn't ask for a photo.
    public func cancelPhoto(file: StaticString = #fileID, line: Int = #line) async throws {
        try await step(.cancelPhoto, file, line)
    }

    // MARK: Doing a step

    func step(_ step: ClientStep, _ file: StaticString, _ line: Int) async throws {
        try await self.step(step.call, file, line) { state throws(BareStepError) in try state.perform(step) }
    }

    /// Does a step and everything that is due at once after it. Throws an error for an impossible step or a fault of the backend.
    private func step(
        _ name: String,
        _ file: StaticString,
        _ line: Int,
        _ begin: (inout ApplinClientState) throws(BareStepError) -> ApplinClientState.Next
    ) async throws {
        (findingsOfStep, offered) = ([], nil)
        let location = "\(file):\(line)"
        do throws(BareStepError) {
            await run(try begin(&state))
        } catch {
            stepEnd = nil
            throw StepError(step: name, problem: error.text, screen: screen, location: location)
        }
        await advance(to: stepEnd ?? state.now)
        (stepEnd, offered) = (nil, nil)
        // In process, the code above may not have suspended: this gives other tests their turn.
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
            throw BackendError(step: name, findings: failing, screen: screen, location: location)
        }
    }

    /// Sends the client's requests to the backend until the step is over.
    private func run(_ first: ApplinClientState.Next) async {
        var next = first
        while true {
            if state.takeLogOut() { session.cookies.remove("session", for: baseURL) }
            guard case .ask(let question) = next else { return }
            next = state.take(await result(of: question), now: state.now)
        }
    }

    /// Advances the clock, and does the refreshes that are due by then.
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

/// The possible steps on the screen, for tools that go through an app by themselves.
extension ApplinClient {
    /// The visible page; nil if a modal or a photo picker is in front of it.
    package var touchable: PageContents? {
        if case .none = state.layer { state.top?.page } else { nil }
    }

    /// Whether the visible page has an enabled button at the start of its title bar.
    package var canGoBack: Bool {
        switch touchable?.backButton {
        case .standard?: state.stack.count > 1
        case .custom(let actions)?: !actions.isEmpty
        case .some(.none), nil: false
        }
    }

    /// The value that an input sends.
    package func sentValue(of input: PageInput) -> JSONValue { state.value(of: input) }

    /// The time until the client refreshes a page by itself; nil for never.
    package var timeToRefresh: Duration? { state.nextRefresh.map { .milliseconds(max(0, $0 - state.now)) } }

    /// A text that distinguishes states that look different or send different values.
    package var situation: String {
        let variables = state.variables.sorted { $0.key < $1.key }.map { "\($0.key.inQuotes)=\($0.value)" }
        return "\(stack)\n\(variables)\n\(screen)"
    }
}
