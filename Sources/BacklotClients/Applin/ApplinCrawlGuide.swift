package import Applin
package import Backlot

/// Leads a crawl through an Applin app: from `/` along push and replace_all. For each page it also requests the refresh by POST,
/// the pictures and the rpcs. It never uploads photos.
struct ApplinCrawlGuide: CrawlGuide {
    private let base: BaseURL
    private let options: GuideOptions
    private var known: Dialect?
    private var types = VariableTypes()
    private var pictures: Set<HTTPURL> = []
    /// The variables that the latest page sends while its inputs are untouched.
    private var variables: JSONObject?

    /// - Parameter url: the app's base URL; it ends in a slash.
    init(_ url: HTTPURL, _ options: GuideOptions) {
        base = BaseURL(known: url)
        self.options = options
        known = options.dialect.flatMap(Dialect.init)
    }

    var start: CrawlStop { CrawlStop("/", base.url) }
    var callsAtOnce: Bool { true }
    var dialect: String? { known?.rawValue }
    var dialectTitle: String? { known.map { "\($0.rawValue) dialect" } ?? "no actions" }

    private var client: ClientVersion? { known.flatMap { options.version($0.rawValue) } }

    private var judge: ResponseInspector {
        ResponseInspector(dialect: known, client: client, base: base.url, app: nil, limits: options.limits)
    }

    func request(for stop: CrawlStop) -> ClientRequest {
        if stop.kind == "picture" { return ClientRequest(.get, stop.url, headers: [.accept: "*/*"]) }
        var headers = options.fields
        headers[.accept] = ResponseInspector.pageType
        guard stop.kind != "page" else { return ClientRequest(.get, stop.url, headers: headers) }
        headers[.contentType] = "application/json"
        let sent = stop.detail.object ?? variables ?? [:]
        return ClientRequest(.post, stop.url, headers: headers, body: sent.requestBody)
    }

    mutating func take(_ response: ClientResponse, of stop: CrawlStop) -> CrawlResult {
        switch stop.kind {
        case "page": return takePage(response, stop)
        case "refresh": return takeRefresh(response, stop)
        case "picture": return takePicture(response, stop)
        case "rpc": return takeRPC(response, stop)
        default:
            var result = CrawlResult(isPage: false)
            result.slowRule = nil
            return result
        }
    }

    func isForVersions(_ response: ClientResponse) -> Bool {
        // These statuses carry a text for the user, like a response that says it.
        ![403, 422].contains(response.status.code)
    }

    func refusal(of response: ClientResponse, _ path: String) -> Finding? {
        guard response.status.kind == .successful else { return ResponseRules.status(response, path) }
        guard response.body.isEmpty || response.mediaType != ResponseInspector.pageType else { return nil }
        return judge.page(response, path: path).findings.first { $0.severity == .error }
    }

    // MARK: Pages

    private mutating func takePage(_ response: ClientResponse, _ stop: CrawlStop) -> CrawlResult {
        variables = nil
        if var result = error(response, stop.path) {
            (result.isPage, result.isForVersions) = (true, true)
            return result
        }
        let page = CrawledPage(response, path: stop.path, dialect: known, client: client, limits: options.limits)
        var result = judged(response, page, stop)
        guard let page else { return result }
        result.findings += types.add(page.contents.inputs, of: stop.path)
        for picture in page.pictures where pictures.count < options.maximumPages {
            guard let url = try? base.url.resolving(picture.url), url.hasSameOrigin(as: base.url),
                pictures.insert(url).inserted
            else { continue }
            let link = PageLink(kind: .page, action: "", target: picture.url, place: picture.place)
            result.followUps.append(CrawlStop(picture.place.page, url, "picture", from: link))
        }
        variables = page.variables
        if let variables, let input = page.contents.inputs.first {
            // In the finding about a page without POST, the first input stands for all.
            let link = PageLink(kind: .page, action: "", target: input.name, place: FindingPath(page: stop.path))
            result.followUps.append(CrawlStop(stop.path, stop.url, "refresh", .object(variables), from: link))
        }
        return result
    }

    private mutating func takeRefresh(_ response: ClientResponse, _ stop: CrawlStop) -> CrawlResult {
        if [404, 405, 501].contains(response.status.code) {
            var result = CrawlResult()
            result.deadLink = { ApplinCrawlRule.inputsWithoutPost($0?.target ?? "", response.status, stop.path) }
            return result
        }
        guard var result = error(response, stop.path) else {
            let page = CrawledPage(response, path: stop.path, dialect: known, client: client, limits: options.limits)
            return judged(response, page, stop)
        }
        if response.status == .unprocessableContent {
            result.findings.insert(ResponseRules.refusedRefresh(stop.path), at: 0)
        }
        if result.deadLink != nil { result.findings.append(ResponseRules.status(response, stop.path)) }
        (result.refusal, result.deadLink) = (nil, nil)
        return result
    }

    /// Inspects a response that should be a page, and finds its links.
    private mutating func judged(_ response: ClientResponse, _ page: CrawledPage?, _ stop: CrawlStop) -> CrawlResult {
        known = known ?? page?.contents.dialect
        var result = CrawlResult(judge.page(response, path: stop.path).findings)
        result.isForVersions = true
        if response.mediaType != ResponseInspector.pageType, page != nil {
            // Inspecting it as a page reports all of its findings at once.
            var corrected = response
            corrected.headers[.contentType] = ResponseInspector.pageType
            result.findings += judge.page(corrected, path: stop.path).findings
        }
        for link in page?.links ?? [] where link.kind != .page || StaticPages.page(link.target) == nil {
            do throws(BaseURL.ResolutionError) {
                let url = try base.resolve(link.target)
                result.links.append((link, CrawlStop(link.target, url, link.kind == .page ? "page" : "rpc")))
            } catch {
                // Other rules have already reported rpcs and uploads that leave the base URL.
                guard link.kind == .page, !error.isReported else { continue }
                result.findings.append(CrawlRule.bad(link, error.reason))
            }
        }
        return result
    }

    /// The result for a response with an error status; nil for any other response.
    private func error(_ response: ClientResponse, _ path: String) -> CrawlResult? {
        let code = response.status.code
        switch code {
        case 200...299: return nil
        case 403, 422:
            // The response's text is a message to the user.
            var result = CrawlResult(ResponseRules.userText(response, path))
            result.refusal = code
            return result
        case 400...499:
            var result = CrawlResult.dead(response, path)
            result.findings = ResponseRules.encoding(response, path) + ResponseRules.length(response, path)
            return result
        default: return CrawlResult([ResponseRules.status(response, path)] + ResponseRules.encoding(response, path))
        }
    }

    private func takePicture(_ response: ClientResponse, _ stop: CrawlStop) -> CrawlResult {
        var result = CrawlResult()
        (result.isPage, result.slowRule) = (false, nil)
        let isPicture = response.mediaType?.hasPrefix("image/") ?? true
        guard response.status.kind != .successful || !isPicture else { return result }
        let problem =
            response.status.kind == .successful
            ? "which is \(response.mediaType ?? "") and no picture" : "which answers \(response.status)"
        result.deadLink = { link in
            PagePicture(url: link?.target ?? "", place: link?.place ?? FindingPath(page: stop.path)).isDead(problem)
        }
        return result
    }

    private func takeRPC(_ response: ClientResponse, _ stop: CrawlStop) -> CrawlResult {
        var result = error(response, stop.path) ?? CrawlResult(judge.rpc(response, path: stop.path).findings)
        (result.isPage, result.slowRule) = (false, "slow-rpc")
        if result.refusal != nil, options.fillsInputs, let variables, variables.filledIn != variables {
            result.followUps = [CrawlStop(stop.path, stop.url, "filled", .object(variables.filledIn))]
        }
        result.refusal = nil
        return result
    }
}

/// The parts of a response's page that a crawl needs. It reads pages that clients reject too, so that one mistake doesn't hide
/// others.
package struct CrawledPage {
    package let contents: PageContents
    private let client: ClientVersion
    package let links: [PageLink]
    let pictures: [PagePicture]

    /// Reads a page; nil if the response isn't one.
    package init?(
        _ response: ClientResponse,
        path: String,
        dialect: Dialect?,
        client: ClientVersion? = nil,
        limits: ClientLimits
    ) {
        guard (200...299).contains(response.status.code), response.looksLikeJSON,
            let document = try? JSONValue(parsing: response.body, depthLimit: limits.nesting),
            let page = document["page"]
        else { return nil }
        contents = PageContents(page)
        self.client = client ?? (dialect ?? contents.dialect ?? .objects).versions.upperBound
        let dialect = dialect ?? contents.dialect ?? .objects
        links = ApplinRules.links(in: document, path: path, dialect: dialect)
        pictures = ApplinRules.pictures(in: document, path: path, dialect: dialect)
    }

    /// The body of a POST from the page while its inputs are untouched; nil if it has no inputs, or if clients can't send them.
    package var variables: JSONObject? {
        var sent = SentVariables(for: client)
        for input in contents.inputs {
            guard sent.add(input.name, input.initial) else { return nil }
        }
        return sent.isEmpty ? nil : sent.object
    }
}

/// The types of the variables seen in a crawl, to find pages that contradict each other.
struct VariableTypes {
    /// The maximum number of variables to remember.
    private static let maximum = 10_000

    private var types: [String: (isBool: Bool, path: String)] = [:]

    /// Adds the inputs of a page, and reports those that contradict earlier pages.
    mutating func add(_ inputs: [PageInput], of path: String) -> [Finding] {
        var findings: [Finding] = []
        for input in inputs {
            let isBool = input.initial.bool != nil
            if let known = types[input.name] {
                guard known.isBool != isBool, known.path != path else { continue }
                findings.append(ApplinCrawlRule.twoTypes(input.name, path, isBool: isBool, other: known.path))
            } else if types.count < Self.maximum {
                types[input.name] = (isBool, path)
            }
        }
        return findings
    }
}

private enum ApplinCrawlRule {
    /// A page with inputs that clients can't refresh.
    static func inputsWithoutPost(_ input: String, _ status: HTTPResponse.Status, _ path: String) -> Finding {
        Finding(
            .error,
            rule: "inputs-without-post",
            path: FindingPath(page: path, pointer: "/page"),
            message:
                "The page has inputs, such as \(input.cut(to: 40).inQuotes), so clients refresh it with POST, and "
                + "the response is \(status).",
            fix: "Support POST too, with the same page."
        )
    }

    /// A variable that is a text on one page and a boolean on another.
    static func twoTypes(_ name: String, _ path: String, isBool: Bool, other: String) -> Finding {
        let types = isBool ? ("a boolean", "a text") : ("a text", "a boolean")
        return Finding(
            .warning,
            rule: "variable-of-two-types",
            path: FindingPath(page: path),
            message:
                "The variable \(name.cut(to: 40).inQuotes) is \(types.0) here and \(types.1) on \(other.cut(to: 100)): "
                + "once one page has set it, clients send nothing for the other.",
            fix: "Rename one of the two: variables belong to the whole app."
        )
    }
}

extension ClientResponse {
    /// Whether the body begins like a JSON object.
    package var looksLikeJSON: Bool {
        body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
    }
}
