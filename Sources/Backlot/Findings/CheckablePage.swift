extension Router {
    /// Requests each page in process, by GET, and reports the findings on its response.
    ///
    /// A page with `{parameters}` but without samples is listed as unchecked.
    ///
    /// ```swift
    /// let report = await router.check()
    /// #expect(!report.hasErrors, "\(report)")
    /// ```
    public func check() async -> CheckReport {
        let handler = handler()
        var report = CheckReport()
        for page in pages {
            if let exemption = page.exemption {
                report.unchecked.append(.init(path: page.fullPath(page.path), reason: exemption))
            } else if page.samples.isEmpty, page.path.contains("{") {
                report.unchecked.append(
                    .init(path: page.fullPath(page.path), reason: "it has parameters: give it samples: [\"…\"]")
                )
            } else {
                for sample in page.samples.isEmpty ? [CheckSample(page.path)] : page.samples {
                    report.pages.append(await check(page, sample, handler))
                }
            }
        }
        return report
    }

    /// Requests a page once for each of its clients, and reports each finding once.
    private func check(_ page: CheckablePage, _ sample: CheckSample, _ handler: any Handler) async -> FindingReport.Page
    {
        guard !page.clients.isEmpty else { return await check(page, sample, nil, handler) }
        var found: [(finding: Finding, titles: [String])] = []
        for client in page.clients {
            for finding in await check(page, sample, client, handler).findings {
                if let index = found.firstIndex(where: { $0.finding == finding }) {
                    found[index].titles.append(client.title)
                } else {
                    found.append((finding, [client.title]))
                }
            }
        }
        let findings = found.map { finding, titles in
            titles.count == page.clients.count ? finding : finding.by("clients \(titles.joined(separator: ", "))")
        }
        return FindingReport.Page(path: page.fullPath(sample.path), findings: findings)
    }

    private func check(
        _ page: CheckablePage,
        _ sample: CheckSample,
        _ client: PageClient?,
        _ handler: any Handler
    ) async -> FindingReport.Page {
        let path = page.fullPath(sample.path)
        let inspector = client?.inspector ?? page.inspector
        func failure(_ message: String, _ fix: String) -> FindingReport.Page {
            let finding = Finding(
                .error,
                rule: "no-page",
                path: FindingPath(page: sample.path),
                message: message,
                fix: fix
            )
            return FindingReport.Page(path: path, findings: [finding])
        }
        do {
            var headers: HTTPFields = [:]
            if let user = sample.user {
                guard let logIn = page.logIn else {
                    return failure("Nobody can log in here.", "Give the app sessions, or the sample no user.")
                }
                headers = try await logIn(user)
            }
            headers.append(contentsOf: client?.headers ?? [:])
            var request = try Request(.get, path, headers: headers)
            request.isCheck = true
            let response = try await handler(request)
            guard response.status == .ok, case .bytes(let body) = response.body else {
                return failure("It responds with \(response.status) instead of a page.", "Respond with 200 and a page.")
            }
            var findings = inspector.findings(inBody: body, path: sample.path, app: routeLookup(page.basePath))
            for picture in inspector.pictures(inBody: body, path: sample.path) {
                findings += await picture.deadness(below: page.basePath, headers, handler)
            }
            return FindingReport.Page(path: path, findings: findings)
        } catch let error as any HTTPError {
            return failure("It responds with \(error.status): \(error.reason)", Self.fix(of: error, sample))
        } catch {
            return failure("It fails: \(error).", "Fix the error, or give it another sample.")
        }
    }

    /// The advice for a page that has refused a sample.
    private static func fix(of error: any HTTPError, _ sample: CheckSample) -> String {
        if let error = error as? VariableError, case .missing = error.problem {
            return "Read '\(error.name)' as an optional: clients load a page by GET, which sends no variables."
        }
        let parts = error.reason.split(separator: "'")
        if error.reason.hasPrefix("the query's '"), parts.count > 2 {
            return "Give it a sample with that parameter, such as samples: [\"\(sample.path)?\(parts[2])=…\"]."
        }
        return "Give it a sample that gets a page, such as samples: [CheckSample(\"\(sample.path)\", user: \"…\")]."
    }

    private func routeLookup(_ basePath: String) -> RouteLookup { routeMap.lookup(below: basePath) }
}

extension PagePicture {
    /// A finding if the picture should come from the page's server, but is missing.
    ///
    /// - Parameters:
    ///   - basePath: the path of the app's base URL.
    ///   - headers: the header fields of the request for the page.
    ///   - handler: the server.
    package func deadness(
        below basePath: String,
        _ headers: HTTPFields,
        _ handler: any Handler
    ) async -> [Finding] {
        guard !url.hasPrefix("//"), !url.contains(":"), !url.isEmpty else { return [] }
        let path = url.hasPrefix("/") ? url : basePath + url
        guard var request = try? Request(.get, path, headers: headers) else { return [] }
        request.isCheck = true
        do {
            let status = try await handler(request).status
            return status.kind == .successful ? [] : [isDead("which answers \(status)")]
        } catch {
            return [isDead("which answers \((error as? any HTTPError)?.status ?? .internalServerError)")]
        }
    }
}

extension RouteMap {
    /// The routes below an app's base path. The lookup doesn't keep the map alive.
    public func lookup(below basePath: String) -> RouteLookup {
        // The query is only for the handler.
        let whole = { @Sendable (path: String) in basePath + path.prefix { $0 != "?" && $0 != "#" }.drop { $0 == "/" } }
        var lookup = RouteLookup(below: basePath) { [weak self] in self?.methods(at: whole($0)) }
        lookup.requiredVariables = { [weak self] in self?.requiredVariables(at: whole($0)) ?? [] }
        return lookup
    }
}

extension Finding {
    /// The same finding about the responses to some clients.
    fileprivate func by(_ clients: String) -> Finding {
        var finding = self
        finding.message += " (\(clients))"
        return finding
    }
}

extension CheckablePage {
    func fullPath(_ path: String) -> String { basePath + path.drop { $0 == "/" } }
}

private enum CheckAttribute: RequestAttribute {
    typealias Value = Bool
}

extension Request {
    /// Whether a check made the request; it inspects the response itself.
    package var isCheck: Bool {
        get { attributes[CheckAttribute.self] ?? false }
        set { attributes[CheckAttribute.self] = newValue }
    }
}

/// A page that `check` requests and inspects. Protocol modules add one for each page.
public struct CheckablePage: Sendable {
    /// The path of the app's base URL, such as `/` or `/objects/`.
    public var basePath: String
    /// The page's path below the base URL, which may contain `{parameters}`.
    public var path: String
    /// The requests for it. Without samples, the check requests its path without a user.
    public var samples: [CheckSample]
    /// The reason why it isn't checked; nil for a checked page.
    public var exemption: String?
    /// The inspector of the page's responses.
    public var inspector: any PageInspector
    /// Makes the header fields for a request by a logged-in user; nil for an app without log-in.
    public var logIn: (@Sendable (_ user: String) async throws -> HTTPFields)?
    /// The kinds of clients with different responses. The check requests the page for each; empty if all clients get the same.
    public var clients: [PageClient] = []

    /// Creates a page to check.
    public init(
        basePath: String,
        path: String,
        samples: [CheckSample],
        exemption: String? = nil,
        inspector: any PageInspector,
        logIn: (@Sendable (_ user: String) async throws -> HTTPFields)? = nil
    ) {
        self.basePath = basePath
        self.path = path
        self.samples = samples
        self.exemption = exemption
        self.inspector = inspector
        self.logIn = logIn
    }
}

/// A kind of client that requests a page during a check.
public struct PageClient: Sendable {
    /// The clients' versions, such as `0.28 to 0.30`.
    public var title: String
    /// The header fields that identify the clients.
    public var headers: HTTPFields
    /// The inspector of the responses to the clients.
    public var inspector: any PageInspector

    /// Creates a kind of client.
    public init(title: String, headers: HTTPFields, inspector: any PageInspector) {
        self.title = title
        self.headers = headers
        self.inspector = inspector
    }
}

/// A way to request a page during a check: a path without parameters, and perhaps a logged-in user.
///
/// ```swift
/// app.page("/trips/{id}", samples: ["/trips/1", CheckSample("/trips/1", user: "ann")]) { request in
///     navPage("Trip \(try request.parameter("id"))") { text("To Rome") }
/// }
/// ```
public struct CheckSample: Sendable, Equatable, ExpressibleByStringLiteral {
    /// The page's path below the app's base URL, such as `/users/7`.
    public var path: String
    /// The logged-in user; nil for no user.
    public var user: String?

    /// Creates a way to request a page.
    public init(_ path: String, user: String? = nil) {
        self.path = path
        self.user = user
    }

    /// Creates a way to request a page without a user.
    public init(stringLiteral path: String) { self.init(path) }
}
