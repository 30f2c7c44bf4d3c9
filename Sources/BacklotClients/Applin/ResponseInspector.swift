package import Applin
package import Backlot

/// Decides how a client takes a response, and reports the findings about it. A value without I/O.
package struct ResponseInspector: Sendable {
    /// The verdict on a response: its result in a client, and the findings.
    package struct Verdict {
        /// The page, or nil for a response without one; otherwise the error that the client shows.
        package var result: Result<PageContents?, ShownError>
        package var findings: [Finding]
    }

    package static let pageType = "application/vnd.applin_response"
    /// The maximum number of characters of an error's text that a client shows.
    package static let shownCharacters = 1000

    /// The dialect of the app's clients; nil to take it from the pages.
    package let dialect: Dialect?
    /// The oldest client that the app supports; nil for the newest only.
    var clients: PartialRangeFrom<ClientVersion>?
    /// The one client to inspect for; nil for all clients that the app supports.
    var client: ClientVersion?
    package let base: HTTPURL
    /// The routes of the app; nil for an unknown app.
    package let app: RouteLookup?
    package let limits: ClientLimits
    /// The vocabulary of the app's clients.
    var words = ApplinLanguage.standard

    /// Inspects the response to a request for a page.
    ///
    /// - Parameter isRefresh: whether the client has the page already, and sent its variables.
    package func page(_ response: ClientResponse, path: String, isRefresh: Bool = false) -> Verdict {
        if var failure = failure(response, path) {
            if isRefresh, response.status == .unprocessableContent {
                failure.findings.append(ResponseRules.refusedRefresh(path))
            }
            return failure
        }
        guard !response.body.isEmpty else {
            let finding = ResponseRules.emptyPage(path)
            return Verdict(result: .failure(ShownError(.server, finding.message)), findings: [finding])
        }
        guard response.mediaType == Self.pageType else { return wrongType(response, path, "page") }
        return read(response.body, path)
    }

    /// Inspects the response to an rpc.
    package func rpc(_ response: ClientResponse, path: String) -> Verdict {
        if let failure = failure(response, path) { return failure }
        guard !response.body.isEmpty else { return Verdict(result: .success(nil), findings: []) }
        guard response.mediaType == Self.pageType else { return wrongType(response, path, "rpc") }
        // Clients parse a page in the body, but ignore it.
        var verdict = read(response.body, path)
        verdict.findings.insert(ResponseRules.bodyOfRPC(path), at: 0)
        if case .success = verdict.result { verdict.result = .success(nil) }
        return verdict
    }

    /// Inspects the response to an upload. Clients only look at its status.
    package func upload(_ response: ClientResponse, path: String) -> Verdict {
        failure(response, path) ?? Verdict(result: .success(nil), findings: [])
    }

    /// The verdict on a missing response.
    package func nothing(_ failure: ClientError, path: String) -> Verdict {
        let finding = ResponseRules.noResponse(failure, path)
        return Verdict(result: .failure(ShownError(.network, "\(failure)")), findings: [finding])
    }

    // MARK: Errors

    /// The verdict on a response with an error status; nil for any other response.
    private func failure(_ response: ClientResponse, _ path: String) -> Verdict? {
        let code = response.status.code
        guard !(200...299).contains(code) else { return nil }
        var findings: [Finding] = []
        let error: ShownError
        switch code {
        case 403, 422:
            error = ShownError(.user, shownText(response))
            findings += ResponseRules.userText(response, path)
        case 400...499:
            error = ShownError(.app, shownText(response))
            findings += [ResponseRules.status(response, path)] + ResponseRules.encoding(response, path)
        case 503:
            error = ShownError(.server, "The server has too much to do. Please try again.")
            findings.append(ResponseRules.status(response, path))
        default:
            error = ShownError(.server, "The server answered \(response.status) for \(path).")
            findings += [ResponseRules.status(response, path)] + ResponseRules.encoding(response, path)
        }
        return Verdict(result: .failure(error), findings: findings)
    }

    private func shownText(_ response: ClientResponse) -> String {
        response.body.isEmpty
            ? "server returned: \(response.status)" : String(response.text.prefix(Self.shownCharacters))
    }

    private func wrongType(_ response: ClientResponse, _ path: String, _ what: String) -> Verdict {
        let finding = ResponseRules.contentType(response, path, what)
        return Verdict(result: .failure(ShownError(.server, finding.message)), findings: [finding])
    }

    // MARK: Pages

    private func read(_ body: [UInt8], _ path: String) -> Verdict {
        let document: JSONValue
        do throws(JSONParseError) {
            document = try JSONValue(parsing: body, depthLimit: limits.nesting)
        } catch {
            let finding = Finding.notJSON(error, page: path)
            return Verdict(result: .failure(ShownError(.server, finding.message)), findings: [finding])
        }
        let page = PageContents(document["page"] ?? .null, bytes: body, client: client)
        // If the page doesn't tell its dialect, assume today's clients.
        let audience =
            client.map { Dialect(of: $0).audience.narrowed(to: $0...$0) }
            ?? (dialect ?? page.dialect ?? .objects).audience(since: clients?.lowerBound)
        var findings = ApplinRules.findings(
            in: document,
            path: path,
            for: audience,
            words: words,
            app: app,
            baseURL: base.description
        )
        if let rejection = findings.first(where: \.isRejection) {
            return Verdict(result: .failure(ShownError(.server, rejection.message)), findings: findings)
        }
        if page.widgets.count > limits.widgets { findings.append(ResponseRules.manyWidgets(page.widgets.count, path)) }
        return Verdict(result: .success(page), findings: findings)
    }
}

/// The verdict on the last response for each page, so that equal bytes are read and inspected once. A value without I/O.
///
/// It is bounded: when it is full, it drops all verdicts.
struct VerdictMemory {
    private static let maximumCount = 100
    /// A parsed page takes many times the memory of its bytes.
    private static let maximumBytes = 4 * 1024 * 1024

    private var verdicts: [String: (body: [UInt8], verdict: ResponseInspector.Verdict)] = [:]
    private var bytes = 0

    /// The number of remembered pages.
    var count: Int { verdicts.count }

    /// The verdict on a response for a page; nil if the page's last response had other bytes.
    subscript(path: String, body: [UInt8]) -> ResponseInspector.Verdict? {
        guard let known = verdicts[path], known.body == body else { return nil }
        return known.verdict
    }

    /// Stores the verdict on a response for a page, in place of the page's earlier verdict.
    mutating func remember(_ verdict: ResponseInspector.Verdict, of body: [UInt8], at path: String) {
        if let old = verdicts.removeValue(forKey: path) { bytes -= old.body.count }
        guard body.count <= Self.maximumBytes else { return }
        if verdicts.count >= Self.maximumCount || bytes + body.count > Self.maximumBytes {
            (verdicts, bytes) = ([:], 0)
        }
        verdicts[path] = (body, verdict)
        bytes += body.count
    }
}
