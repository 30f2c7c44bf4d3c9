internal import BacklotJSON

/// Time, answers, and the actions that follow from them.
extension Phone {
    /// Begins the refreshes that are due.
    ///
    /// - Parameters:
    ///   - now: milliseconds since the phone was made.
    ///   - jitter: where in its range the wait before the next one lies, from -1 to 1.
    package mutating func refresh(now: Int64, jitter: Double) -> Next {
        state.now = max(state.now, now)
        guard let event = state.polls.next(until: state.now) else { return .done }
        if case .delayed = event {
            state.polls.delayedPollBegan()
            return goOn(ActionList([.poll]))
        }
        let due = state.duePages
        guard let first = due.first else {
            state.polls.passEnded(hasFailed: false, now: state.now, jitter: jitter)
            return .done
        }
        return askForRefresh(first, due[1...])
    }

    private mutating func askForRefresh(_ path: String, _ rest: ArraySlice<String>) -> Next {
        do throws(ShownError) {
            let question = try page(path)
            wait = .refresh(path, rest)
            return .ask(question)
        } catch {
            state.polls.passEnded(hasFailed: true, now: state.now, jitter: 0)
            return .done
        }
    }

    // MARK: Answers

    /// Takes in the answer to the last question.
    ///
    /// - Parameters:
    ///   - result: the page, nil for an answer without one; or the error that the phone shows.
    ///   - now: milliseconds since the phone was made.
    package mutating func answer(_ result: Result<PageContents?, ShownError>, now: Int64) -> Next {
        state.now = max(state.now, now)
        let wait = wait
        self.wait = .nothing
        switch (wait, result) {
        case (.nothing, _): return .done
        case (.action(let question, let list), .success(let page)): return take(page, question, list)
        case (.action(let question, let list), .failure(let error)): return fail(error, list, question)
        case (.validation(let path, let list, _), .success(let page)):
            state.update(path, page ?? StaticPages.placeholder)
            return goOn(list)
        case (.validation(_, let list, let question), .failure(let error)): return fail(error, list, question)
        case (.poll(let path, let list, let error), let result):
            if let page = try? result.get() { state.update(path, page) }
            return show(error, list)
        case (.upload(let list), .success): return goOn(list)
        case (.upload(let list), .failure(let error)): return fail(error, list, nil)
        case (.refresh(let path, let rest), .success(let page)):
            state.update(path, page ?? StaticPages.placeholder)
            if let next = rest.first { return askForRefresh(next, rest.dropFirst()) }
            state.polls.passEnded(hasFailed: false, now: state.now, jitter: 0)
            return .done
        case (.refresh, .failure):
            state.polls.passEnded(hasFailed: true, now: state.now, jitter: 0)
            return .done
        }
    }

    private mutating func take(
        _ answer: PageContents?,
        _ question: ActionList.Question,
        _ list: ActionList
    ) -> Next {
        let page = answer ?? StaticPages.placeholder
        switch question {
        case .rpc: return goOn(list)
        case .poll(let path):
            state.update(path, page)
            return goOn(list)
        case .push(let path):
            do throws(ShownError) {
                try state.push(path, page)
            } catch {
                return fail(error, list, question)
            }
            return validate(path, page, list, question)
        case .replaceAll(let path):
            state.replaceAll(path, page)
            return validate(path, page, list, question)
        }
    }

    private mutating func validate(
        _ path: String,
        _ page: PageContents,
        _ list: ActionList,
        _ question: ActionList.Question
    ) -> Next {
        guard page.hasValidatedInput, let request = try? self.page(path) else { return goOn(list) }
        wait = .validation(path, list, question)
        return .ask(request)
    }

    /// Does the actions of a list up to the first that asks the server.
    mutating func goOn(_ list: ActionList) -> Next {
        var list = list
        while let step = list.next(&state) {
            switch step {
            case .done: break
            case .stop:
                undo(list)
                return .done
            case .logout:
                hasLoggedOut = true
                return ask(.replaceAll(Self.firstPage), list)
            case .photo(let url, let ratio):
                state.layer = .photoPicker(AppState.UploadInHand(url: url, aspectRatio: ratio, list: list))
                return .done
            case .fail(let error): return fail(error, list, nil)
            case .ask(let question): return ask(question, list)
            }
        }
        return .done
    }

    private mutating func ask(_ question: ActionList.Question, _ list: ActionList) -> Next {
        do throws(ShownError) {
            var request: Question
            switch question {
            case .poll(let path), .push(let path), .replaceAll(let path):
                if let known = StaticPages.page(path) { return take(known, question, list) }
                request = try page(path)
            case .rpc(let path, _):
                let variables = try state.top.flatMap { entry throws(ShownError) in try state.variables(of: entry.path)
                }
                request = Question(kind: .rpc, path: path, variables: variables ?? JSONObject())
            }
            request.forgetsSession = hasLoggedOut
            hasLoggedOut = false
            wait = .action(question, list)
            return .ask(request)
        } catch {
            return fail(error, list, question)
        }
    }

    private func page(_ path: String) throws(ShownError) -> Question {
        Question(kind: .page, path: path, variables: try state.variables(of: path))
    }

    private mutating func fail(_ error: ShownError, _ list: ActionList, _ question: ActionList.Question?) -> Next {
        if list.polls(after: error, of: question), let path = state.top?.path, StaticPages.page(path) == nil,
            let request = try? page(path)
        {
            wait = .poll(path, list, error)
            return .ask(request)
        }
        return show(error, list)
    }

    private mutating func show(_ error: ShownError, _ list: ActionList) -> Next {
        undo(list)
        state.show(error)
        return .done
    }

    mutating func undo(_ list: ActionList) {
        if let revert = list.revert { state.variables[revert.variable] = revert.value }
    }
}
