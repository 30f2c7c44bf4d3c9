package import Applin
package import Backlot

/// Says what a client makes of an answer, and what is wrong with it. A value without I/O.
package struct ResponseInspector: Sendable {
    /// The judgement on an answer: how a client takes it, and the findings.
    package struct Verdict {
        /// The page that came; nil where none was to come. Or the error that the client shows.
        package var result: Result<PageContents?, ShownError>
        package var findings: [Finding]
    }

    package static let pageType = "application/vnd.applin_response"
    /// How many characters of an error's text a client shows.
    package static let shownCharacters = 1000

    /// Which clients the app is for; nil when that isn't known, and pages tell it.
    package let dialect: Dialect?
    /// The oldest client that the app is for; nil for the newest alone.
    var clients: PartialRangeFrom<ClientVersion>?
    /// The one client that is asked; nil for those that the app is for.
    var client: ClientVersion?
    package let base: HTTPURL
    /// The app's other routes; nil for an unknown app.
    package let app: RouteLookup?
    package let limits: ClientLimits
    /// What the app's clients know.
    var words = ApplinLanguage.standard

    /// Judges the answer to a request for a page.
    ///
    /// - Parameter isRefresh: whether the client has the page, and sent its variables.
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

    /// Judges the answer to an rpc.
    package func rpc(_ response: ClientResponse, path: String) -> Verdict {
        if let failure = failure(response, path) { return failure }
        guard !response.body.isEmpty else { return Verdict(result: .success(nil), findings: []) }
        guard response.mediaType == Self.pageType else { return wrongType(response, path, "rpc") }
        // Clients read a page in it, and do nothing with that.
        var verdict = read(response.body, path)
        verdict.findings.insert(ResponseRules.bodyOfRPC(path), at: 0)
        if case .success = verdict.result { verdict.result = .success(nil) }
        return verdict
    }

    /// Judges the answer to an upload: clients look at nothing but its status.
    package func upload(_ response: ClientResponse, path: String) -> Verdict {
        failure(response, path) ?? Verdict(result: .success(nil), findings: [])
    }

    /// Judges that no answer came.
    package func nothing(_ failure: ClientError, path: String) -> Verdict {
        let finding = ResponseRules.noResponse(failure, path)
        return Verdict(result: .failure(ShownError(.network, "\(failure)")), findings: [finding])
    }

    // MARK: Errors

    /// The verdict on an answer that says that something went wrong; nil for one that doesn't.
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
        // Of a page that doesn't tell, the clients of today know all there is.
        let audience =
            client.map { Dialect(of: $0).audience.narrowed(to: $0...$0) }
            ?? (dialect ?? page.dialect ?? .objects).audience(since: clients?.lowerBound)
        var findings = ApplinRules.findings(
            inPage: document,
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

/// The verdict on the last answer for each page, so that the same bytes aren't read and judged again. A value without I/O.
///
/// It is bounded: when it is full, it forgets all verdicts.
struct VerdictMemory {
    private static let maximumCount = 100
    /// A page takes many times as much memory as its bytes do.
    private static let maximumBytes = 4 * 1024 * 1024

    private var verdicts: [String: (body: [UInt8], verdict: ResponseInspector.Verdict)] = [:]
    private var bytes = 0

    /// How many pages are remembered.
    var count: Int { verdicts.count }

    /// The verdict on an answer for a page; nil where its last answer was another.
    subscript(path: String, body: [UInt8]) -> ResponseInspector.Verdict? {
        guard let known = verdicts[path], known.body == body else { return nil }
        return known.verdict
    }

    /// Remembers the verdict on an answer for a page, in the place of what was remembered for that page.
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
