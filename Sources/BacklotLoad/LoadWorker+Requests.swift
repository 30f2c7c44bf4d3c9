internal import BacklotClients
internal import BacklotHTTP
internal import BacklotJSON
internal import HTTPTypes

/// Sends requests and handles responses.
extension LoadWorker {
    func ask(_ question: ApplinClientState.Question, of index: Int) {
        phones[index].kind = question.kind
        phones[index].redirects = 0
        if phones[index].app.takeLogOut() { phones[index].cookies.remove("session", for: plan.base) }
        guard let target = targets.target(question.path, below: requests.base) else {
            let reason = "\(question.path.cut(to: 100)) isn't a path below \(plan.base)"
            return fail(index, "bad-link", reason, ShownError(.app, reason), RequestLoop.now)
        }
        phones[index].url = target.url
        phones[index].isGet = question.kind != .upload && question.variables == nil
        let cookies = cookies(index, target.url)
        switch question.kind {
        case .page, .rpc:
            send(requests.request(question.variables, target.target, cookies), index)
        case .upload: send(requests.upload(target.target, cookies), index)
        }
    }

    func sendPlain(_ request: LoadRequest, of index: Int) {
        phones[index].kind = .rpc
        phones[index].redirects = 0
        guard let target = targets.absolute(request.path, on: plan.base) else {
            return fail(index, "bad-link", "\(request.path.cut(to: 100)) isn't a path", nil, RequestLoop.now)
        }
        phones[index].url = target.url
        phones[index].request = request
        send(requests.plain(request, target.target, cookies(index, target.url)), index)
    }

    private func cookies(_ index: Int, _ url: HTTPURL) -> String? {
        guard !phones[index].cookies.cookies.isEmpty else { return nil }
        return phones[index].cookies.header(for: url, now: requests.time)
    }

    private func send(_ request: OutgoingRequest, _ index: Int) {
        figures.bytesSent += request.bytesOnWire
        loop.send(request, token: index)
    }

    // MARK: Responses

    func responded(_ token: Int, _ result: Result<PooledResponse, ClientConnectionError>) {
        guard phones.indices.contains(token), phones[token].isBusy else { return }
        let now = RequestLoop.now
        if case .failure(.cancelled) = result { return }
        let latency = now - phones[token].wanted
        figures.latencies.record(latency)
        interval.latencies.record(latency)
        interval.requests += 1
        figures.responseCount += 1
        if now <= plan.end { figures.respondedInTime += 1 }
        // A request that follows is due as soon as this response arrives.
        phones[token].wanted = now
        switch result {
        case .success(let response): take(response, token, now)
        case .failure(let fault):
            fail(token, fault.kind, "\(fault)", ShownError(.network, ""), now)
        }
    }

    private func take(_ response: PooledResponse, _ index: Int, _ now: Int64) {
        let code = response.status.code
        figures.bytesReceived += response.headBytes + response.body.count
        figures.statuses[code, default: 0] += 1
        if response.has("set-cookie"), let url = phones[index].url { takeCookies(response, index, url) }
        switch code {
        case 200...299:
            guard phones[index].kind == .page else { return done(index, nil, now) }
            readPage(response, index, now)
        case 301, 302, 303, 307, 308: redirect(response, index, now)
        case 403 where phones[index].purpose != .plain, 422 where phones[index].purpose != .plain:
            // The server shows a message to the user, which isn't a failure.
            deliver(index, .failure(ShownError(.user, "")), now)
        case 400...499: fail(index, "status-\(code)", "status \(code)", ShownError(.app, ""), now)
        default: fail(index, "status-\(code)", "status \(code)", ShownError(.server, ""), now)
        }
    }

    private func readPage(_ response: PooledResponse, _ index: Int, _ now: Int64) {
        let type = response["content-type"] ?? ""
        guard type.hasPrefix(ResponseInspector.pageType) else {
            let what = "the response isn't an Applin page: its type is '\(type.cut(to: 60))'"
            return fail(index, "no-page", what, ShownError(.server, ""), now)
        }
        let coding = response.has("content-encoding") ? response["content-encoding"] : nil
        do throws(SharedPages.ReadingError) {
            done(index, try pages.page(response.body, coding: coding), now)
        } catch {
            let what = error.isTooMuch ? error.text : "the response isn't an Applin page: \(error.text)"
            fail(index, error.isTooMuch ? "too-large" : "no-page", what, ShownError(.server, ""), now)
        }
    }

    private func takeCookies(_ response: PooledResponse, _ index: Int, _ url: HTTPURL) {
        let fields = response.headers[values: .setCookie]
        phones[index].cookies.take(Array(fields.suffix(LoadClient.mostCookies)), from: url, now: requests.time)
        figures.droppedCookies +=
            max(0, fields.count - LoadClient.mostCookies)
            + phones[index].cookies.keep(LoadClient.mostCookies, bytes: LoadClient.mostCookieBytes)
    }

    private func redirect(_ response: PooledResponse, _ index: Int, _ now: Int64) {
        let code = response.status.code
        guard let place = response["location"], let from = phones[index].url, let url = try? from.resolving(place),
            url.hasSameOrigin(as: plan.base)
        else {
            let place = response["location"] ?? ""
            let what = "a redirect leads away from the server, to '\(place.cut(to: 100))'"
            return fail(index, "bad-redirect", what, ShownError(.server, ""), now)
        }
        guard Int(phones[index].redirects) < plan.options.limits.redirects else {
            return fail(index, "bad-redirect", "redirects never end", ShownError(.server, ""), now)
        }
        let request = phones[index].request?.redirected(by: code)
        guard code <= 303 || phones[index].isGet || request != nil else {
            // Following it would resend the body, which phones don't keep for apps.
            return fail(index, "bad-redirect", "status \(code), which loads don't follow", ShownError(.server, ""), now)
        }
        phones[index].redirects += 1
        phones[index].isGet = true
        phones[index].request = request
        phones[index].url = url
        let cookies = cookies(index, url)
        let plain = request.map { requests.plain($0, url.target, cookies) }
        send(plain ?? requests.request(nil, url.target, cookies), index)
    }

    private func done(_ index: Int, _ page: PageContents?, _ now: Int64) { deliver(index, .success(page), now) }

    private func fail(_ index: Int, _ kind: String, _ what: String, _ error: ShownError?, _ now: Int64) {
        figures.noteFailure(kind, what, path: phones[index].url?.path ?? plan.base.path)
        interval.errors += 1
        phones[index].hasFailed = true
        deliver(index, .failure(error ?? ShownError(.server, "")), now)
    }

    private func deliver(_ index: Int, _ result: Result<PageContents?, ShownError>, _ now: Int64) {
        phones[index].url = nil
        phones[index].request = nil
        guard phones[index].purpose != .plain else { return stepEnded(index, now) }
        goOn(index, phones[index].app.take(result, now: phones[index].clock(now)), now)
    }
}

extension ClientConnectionError {
    /// A short name for the kind of error.
    fileprivate var kind: String {
        switch self {
        case .unknownHost: "unknown-host"
        case .notConnected(let error): "no-connection-\(error.code)"
        case .unreachable: "no-connection"
        case .notSecured: "not-secured"
        case .timedOut: "timed-out"
        case .cutShort: "cut-short"
        case .bodyTooLarge, .headTooLarge: "too-large"
        case .malformed: "malformed"
        case .bodyUnavailable, .cancelled: "cancelled"
        }
    }
}

extension String {
    /// The path without its query.
    var withoutQuery: String {
        guard let mark = utf8.firstIndex(of: UInt8(ascii: "?")) else { return self }
        return String(self[..<mark])
    }
}
