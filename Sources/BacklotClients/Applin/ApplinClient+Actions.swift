/// How actions are done, one after the other, and what happens as time passes.
extension ApplinClient {
    /// Does a list of actions, up to the first that fails. An error is shown, as the client shows it.
    func run(_ list: ActionList) async {
        var list = list
        while let step = list.next(&state) {
            switch step {
            case .done: break
            case .stop: return undo(list)
            case .logout:
                session.cookies.remove("session", for: baseURL)
                do throws(ShownError) {
                    try await ask(.replaceAll(configuration.firstPage))
                } catch {
                    return await fail(error, list, nil)
                }
            case .photo(let url, let ratio):
                state.layer = .photoPicker(AppState.UploadInHand(url: url, aspectRatio: ratio, list: list))
                return
            case .fail(let error): return await fail(error, list, nil)
            case .ask(let question):
                do throws(ShownError) {
                    try await ask(question)
                } catch {
                    return await fail(error, list, question)
                }
            }
        }
    }

    private func ask(_ question: ActionList.Question) async throws(ShownError) {
        switch question {
        case .poll(let path):
            state.update(path, try await load(path))
        case .push(let path):
            let page = try await load(path)
            try state.push(path, page)
            try await validate(path, page)
        case .replaceAll(let path):
            let page = try await load(path)
            state.replaceAll(path, page)
            try await validate(path, page)
        case .rpc(let url, _):
            try await call(url)
        }
    }

    /// Sends the variables of a page that has just come, so that the backend can say what is wrong with them.
    private func validate(_ path: String, _ page: PageContents) async throws(ShownError) {
        guard page.hasValidatedInput else { return }
        state.update(path, try await load(path))
    }

    /// Ends a list with an error.
    func fail(_ error: ShownError, _ list: ActionList, _ question: ActionList.Question?) async {
        if list.polls(after: error, of: question), let path = state.top?.path {
            // The page says at its fields what is wrong. When it can't, the error is all that there is to show.
            if let page = try? await load(path) { state.update(path, page) }
        }
        undo(list)
        state.show(error)
    }

    /// Takes back what began a list that didn't come to its end, whatever stopped it.
    func undo(_ list: ActionList) {
        if let revert = list.revert { state.variables[revert.variable] = revert.value }
    }

    // MARK: Time

    /// Lets time pass, with the refreshes that are due in it.
    func advance(to end: Int64) async {
        while !Task.isCancelled, let event = state.polls.next(until: end) {
            switch event {
            case .delayed(let time):
                state.now = max(state.now, time)
                state.polls.delayedPollBegan()
                await run(ActionList([.poll]))
            case .pass(let time):
                state.now = max(state.now, time)
                let hasFailed = await refreshDuePages()
                state.polls.passEnded(hasFailed: hasFailed, now: state.now, jitter: configuration.jitter())
                if !state.hasPolledPages { state.polls.skip(to: end) }
            }
        }
        state.now = max(state.now, end)
    }

    /// Refreshes the pages of the stack that are due, hidden ones too, up to the first that fails.
    private func refreshDuePages() async -> Bool {
        for path in state.duePages {
            do throws(ShownError) {
                state.update(path, try await load(path, isBackground: true))
            } catch {
                return true
            }
        }
        return false
    }
}
