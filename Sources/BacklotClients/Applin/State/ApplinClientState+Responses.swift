internal import BacklotJSON

/// Timed refreshes, responses, and the actions that follow from both.
extension ApplinClientState {
    /// The time at which the client next refreshes a page by itself, in milliseconds of its clock; nil for never.
    package var nextRefresh: Int64? {
        var due: Int64?
        // Uses indices, since copying an entry costs more than everything else here.
        for index in stack.indices {
            guard let seconds = stack[index].page.pollSeconds, StaticPages.page(stack[index].path) == nil else {
                continue
            }
            due = min(due ?? .max, stack[index].updated + seconds * 1000)
        }
        return polls.nextRefresh(due: due)
    }

    /// Begins the refreshes that are due.
    ///
    /// - Parameters:
    ///   - now: milliseconds since the client was made.
    ///   - jitter: a random number from -1 to 1, which shortens or lengthens the wait before the next refresh.
    package mutating func refresh(now: Int64, jitter: () -> Double) -> Next {
        self.now = max(self.now, now)
        guard let event = polls.next(until: self.now) else { return .done }
        if case .delayed = event {
            polls.delayedPollBegan()
            return goOn(ActionList([.poll]))
        }
        return refresh(duePages[...], hasFailed: false, jitter())
    }

    /// Refreshes the due pages one by one. A page that fails doesn't stop the refresh of those below it.
    private mutating func refresh(_ due: ArraySlice<String>, hasFailed: Bool, _ jitter: Double) -> Next {
        guard let path = due.first else {
            polls.passEnded(hasFailed: hasFailed, now: now, jitter: jitter)
            return .done
        }
        guard var question = try? page(path) else { return refresh(due.dropFirst(), hasFailed: true, jitter) }
        question.isBackground = true
        wait = .refresh(path, due.dropFirst(), hasFailed: hasFailed, jitter: jitter)
        return .ask(question)
    }

    /// Returns whether the client must drop the session's cookie before the next request, because the user has logged out.
    package mutating func takeLogOut() -> Bool {
        defer { hasLoggedOut = false }
        return hasLoggedOut
    }

    // MARK: Responses

    /// Takes the response to the last question, and returns the client's next step.
    ///
    /// - Parameters:
    ///   - result: the page, nil for a response without a page, or the error that the client shows.
    ///   - now: milliseconds since the client was made.
    package mutating func take(_ result: Result<PageContents?, ShownError>, now: Int64) -> Next {
        self.now = max(self.now, now)
        let wait = wait
        self.wait = .nothing
        switch (wait, result) {
        case (.nothing, _): return .done
        case (.action(let question, let list), .success(let page)): return take(page, question, list)
        case (.action(let question, let list), .failure(let error)): return fail(error, list, question)
        case (.validation(let path, let list, _), .success(let page)):
            update(path, page ?? StaticPages.placeholder)
            return goOn(list)
        case (.validation(_, let list, let question), .failure(let error)): return fail(error, list, question)
        case (.poll(let path, let list, let error), let result):
            if let page = try? result.get() { update(path, page) }
            return show(error, list)
        case (.upload(let list), .success): return goOn(list)
        case (.upload(let list), .failure(let error)): return fail(error, list, nil)
        case (.refresh(let path, let rest, let hasFailed, let jitter), .success(let page)):
            update(path, page ?? StaticPages.placeholder)
            return refresh(rest, hasFailed: hasFailed, jitter)
        case (.refresh(_, let rest, _, let jitter), .failure): return refresh(rest, hasFailed: true, jitter)
        }
    }

    private mutating func take(
        _ response: PageContents?,
        _ question: ActionList.Question,
        _ list: ActionList
    ) -> Next {
        let page = response ?? StaticPages.placeholder
        switch question {
        case .rpc: return goOn(list)
        case .poll(let path):
            update(path, page)
            return goOn(list)
        case .push(let path):
            do throws(ShownError) {
                try push(path, page)
            } catch {
                return fail(error, list, question)
            }
            return validate(path, page, list, question)
        case .replaceAll(let path):
            replaceAll(path, page)
            return validate(path, page, list, question)
        }
    }

    private mutating func validate(
        _ path: String,
        _ page: PageContents,
        _ list: ActionList,
        _ question: ActionList.Question
    ) -> Next {
        guard page.hasValidatedInput else { return goOn(list) }
        do throws(ShownError) {
            let request = try self.page(path)
            wait = .validation(path, list, question)
            return .ask(request)
        } catch {
            return fail(error, list, question)
        }
    }

    /// Runs the actions of a list until an action needs a request to the server.
    mutating func goOn(_ list: ActionList) -> Next {
        var list = list
        while let step = list.next(&self) {
            switch step {
            case .done: break
            case .stop:
                undo(list)
                return .done
            case .logout:
                hasLoggedOut = true
                return ask(.replaceAll(firstPage), list)
            case .photo(let url, let ratio):
                layer = .photoPicker(UploadInHand(url: url, aspectRatio: ratio, list: list))
                return .done
            case .fail(let error): return fail(error, list, nil)
            case .ask(let question): return ask(question, list)
            }
        }
        return .done
    }

    private mutating func ask(_ question: ActionList.Question, _ list: ActionList) -> Next {
        do throws(ShownError) {
            let request: Question
            switch question {
            case .poll(let path), .push(let path), .replaceAll(let path):
                if let known = StaticPages.page(path) { return take(known, question, list) }
                request = try page(path)
            case .rpc(let path, _):
                let variables = try top.flatMap { entry throws(ShownError) in
                    try self.variables(of: entry.path)
                }
                request = Question(kind: .rpc, path: path, variables: variables ?? JSONObject())
            }
            wait = .action(question, list)
            return .ask(request)
        } catch {
            return fail(error, list, question)
        }
    }

    private func page(_ path: String) throws(ShownError) -> Question {
        Question(kind: .page, path: path, variables: try variables(of: path))
    }

    private mutating func fail(_ error: ShownError, _ list: ActionList, _ question: ActionList.Question?) -> Next {
        if list.polls(after: error, of: question), let path = top?.path, StaticPages.page(path) == nil,
            let request = try? page(path)
        {
            wait = .poll(path, list, error)
            return .ask(request)
        }
        return show(error, list)
    }

    private mutating func show(_ error: ShownError, _ list: ActionList) -> Next {
        undo(list)
        show(error)
        return .done
    }

    mutating func undo(_ list: ActionList) {
        if let stack = list.earlierStack { bringBack(stack) }
        if let revert = list.revert { variables[revert.variable] = revert.value }
    }
}
