public import Backlot

/// Sends requests to the backend and takes in its responses.
extension ApplinClient {
    /// The maximum number of stored findings.
    private static let rememberedFindings = 1000

    /// Sends a request to the backend, and inspects its response.
    ///
    /// - Returns: the page, or nil for a response without one; otherwise the error that the client shows.
    func result(of question: ApplinClientState.Question) async -> Result<PageContents?, ShownError> {
        let (path, judge) = (question.path, judge)
        let url: HTTPURL
        do throws(BaseURL.ResolutionError) {
            url = try base.resolve(path)
        } catch {
            return .failure(ShownError(.app, "\(path.cut(to: 100)) \(error.reason)."))
        }
        switch question.kind {
        case .page:
            var request = ClientRequest(.get, url, headers: pageHeaders)
            if let variables = question.variables { request.setVariables(variables) }
            let isRefresh = request.method == .post
            let result = await send(request, path, question.isBackground) { verdict(on: $0, path, isRefresh) }
            dialect = dialect ?? (try? result.get())?.dialect
            return result
        case .rpc:
            // An rpc has the same header fields as the refresh of a page.
            var request = ClientRequest(.post, url, headers: pageHeaders)
            request.setVariables(question.variables ?? [:])
            return await send(request, path) { judge.rpc($0, path: path) }
        case .upload:
            let request = ClientRequest(
                .put,
                url,
                headers: [.contentType: "image/jpeg"],
                body: photo,
                waitsForContinue: true
            )
            return await send(request, path) { judge.upload($0, path: path) }
        }
    }

    private func verdict(
        on response: ClientResponse,
        _ path: String,
        _ isRefresh: Bool
    ) -> ResponseInspector.Verdict {
        if response.isPage, var verdict = verdicts[path, response.body] {
            // A refreshed page that hasn't changed has no new findings.
            if state.entry(path)?.page.bytes == response.body { verdict.findings = [] }
            return verdict
        }
        let verdict = judge.page(response, path: path, isRefresh: isRefresh)
        if case .success = verdict.result { verdicts.remember(verdict, of: response.body, at: path) }
        return verdict
    }

    private func send(
        _ request: ClientRequest,
        _ path: String,
        _ isBackground: Bool = false,
        judging: (ClientResponse) -> ResponseInspector.Verdict
    ) async -> Result<PageContents?, ShownError> {
        let result: Result<ClientExchange, ClientError>
        do throws(ClientError) {
            result = .success(try await session.send(request, now: time))
        } catch {
            result = .failure(error)
        }
        let exchange = try? result.get()
        log.append(
            RequestRecord(
                request: exchange?.request ?? request,
                path: path,
                isBackground: isBackground,
                redirects: exchange?.redirects ?? [],
                result: result.map(\.response)
            )
        )
        let verdict =
            switch result {
            case .success(let exchange): judging(exchange.response)
            case .failure(let failure): judge.nothing(failure, path: path)
            }
        note(isBackground ? verdict.findings.map(\.asBackground) : verdict.findings)
        return verdict.result
    }

    private func note(_ found: [Finding]) {
        let counted = found.filter { !configuration.ignoredRules.contains($0.rule) }
        findingsOfStep += counted
        for finding in counted where findings.count < Self.rememberedFindings && !findings.contains(finding) {
            findings.append(finding)
        }
    }
}

extension ClientRequest {
    fileprivate mutating func setVariables(_ variables: JSONObject) {
        method = .post
        headers[.contentType] = "application/json"
        body = variables.requestBody
    }
}

extension ClientResponse {
    /// Whether the response claims to be a page.
    fileprivate var isPage: Bool { (200...299).contains(status.code) && mediaType == ResponseInspector.pageType }
}

extension Finding {
    /// The rules about a temporary failure of the server: the client tries again, and the user sees nothing.
    private static let temporary: Set<String> = [
        "server-error", "app-error", "unexpected-status", "no-answer", "answer-cut-short", "answer-too-late",
    ]

    /// The finding, as a warning if it is temporary and the client was refreshing a page in the background.
    fileprivate var asBackground: Finding {
        guard severity == .error, Self.temporary.contains(rule) else { return self }
        return Finding(.warning, rule: rule, path: path, message: message, fix: fix)
    }
}

/// Requests that don't belong to a step.
extension ApplinClient {
    /// Sends a request with the client's cookies and stores the cookies of the response. The client's other state doesn't change,
    /// and the response isn't inspected. Use it for requests that a test makes beside the app.
    ///
    /// - Parameters:
    ///   - path: a path below the base URL, in the form used on pages: `/notes/1?all=true`.
    ///   - type: the media type of the body; nil without a body.
    /// - Throws: `ClientError` if no response arrives; `ClientError.invalidURL` for a path that leaves the base URL.
    public func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        type: String? = nil,
        headers: HTTPFields = [:],
        body: [UInt8] = []
    ) async throws(ClientError) -> ClientResponse {
        let target: HTTPURL
        do throws(BaseURL.ResolutionError) {
            target = try base.resolve(path)
        } catch {
            throw .invalidURL(path, problem: "it \(error.reason)")
        }
        var request = ClientRequest(method, target, headers: headers, body: body)
        if let type { request.headers[.contentType] = type }
        return try await session.send(request, now: time).response
    }
}

/// The pictures of a page.
extension ApplinClient {
    /// The URLs of the pictures on the visible page, from top to bottom: images and the photos of buttons. Clients resolve them
    /// from the host's root, unlike the paths of pages.
    public var imageURLs: [HTTPURL] {
        let urls = state.top?.page.widgets.compactMap { $0.string($0.typ == "image" ? "url" : "photo_url") } ?? []
        return urls.compactMap { try? baseURL.resolving($0) }
    }

    /// Loads a picture the way clients do: by GET, with cookies, and without the Accept field of pages.
    ///
    /// - Throws: `ClientError` if no response arrives. An error status doesn't throw: clients show a placeholder.
    public func loadImage(_ url: HTTPURL) async throws(ClientError) -> ClientResponse {
        try await session.send(ClientRequest(.get, url, headers: [.accept: "*/*"]), now: time).response
    }
}
