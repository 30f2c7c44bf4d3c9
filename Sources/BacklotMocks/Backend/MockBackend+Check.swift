public import Backlot

extension MockBackend {
    /// Requests each page of the protocol in `MockConfiguration.formats` by GET, in process, and reports findings, including dead
    /// links and pictures.
    ///
    /// It doesn't change the scenarios of clients, since it requests every page in a new session.
    ///
    /// - Parameters:
    ///   - server: responds to requests for pictures, such as a router with the mocks and a folder of files; nil for the mocks only.
    ///   - inspector: changes the usual inspector of pages.
    public func check(
        in server: (any Handler)? = nil,
        inspector: (any PageInspector) -> any PageInspector = { $0 }
    ) async -> CheckReport {
        let mocks = Router()
        mocks.mocks(self)
        let handler = server ?? mocks.handler()
        var report = CheckReport()
        guard let pages = configuration.pages else { return report }
        let inspector = inspector(pages.inspector)
        var checked: Set<String> = []
        let probes = stubs.all.filter { $0.isPage(of: pages) }.compactMap { MockProbe($0) }
        for probe in probes {
            let (stub, path) = (probe.stub, probe.samplePath)
            if let reason = probe.reasonNotToCheck {
                // Another response of the same page may be checkable.
                guard !probes.contains(where: { $0.samplePath == path && $0.reasonNotToCheck == nil }) else { continue }
                report.unchecked.append(.init(path: prefix + path, reason: "\(stub.source): \(reason)"))
            } else if let other = otherResponse(at: path, than: stub) {
                report.unchecked.append(
                    .init(path: prefix + path, reason: "\(stub.source): in a new session \(other.source) answers")
                )
            } else if checked.insert(path).inserted {
                let findings = surprises(in: await findings(stub, path, inspector, handler), of: stub, path)
                report.pages.append(FindingReport.Page(path: prefix + path, findings: findings))
            }
        }
        return report
    }

    /// The response without a page that a new session gets in place of a stub's; nil without one.
    private func otherResponse(at path: String, than stub: Stub) -> Stub? {
        guard let request = try? Request(.get, prefix + path),
            let found = choose(MockRequest(request, body: [], below: prefix))?.stub,
            found.id != stub.id, found.response.status.kind != .successful
        else { return nil }
        return found
    }

    /// The findings that the stub's file doesn't expect, and one for each finding that it expects but that doesn't occur.
    private func surprises(in findings: [Finding], of stub: Stub, _ path: String) -> [Finding] {
        let rules = Set(findings.map(\.rule))
        return findings.filter { !stub.expectedRules.contains($0.rule) }
            + stub.expectedRules.filter { !rules.contains($0) }.map { rule in
                Finding(
                    .error,
                    rule: "unmet-expectation",
                    path: FindingPath(page: path),
                    message: "\(stub.source) expects that the page breaks the rule '\(rule)', and it doesn't.",
                    fix: "Let the page break it, or take it out of 'expect'."
                )
            }
    }

    private func findings(
        _ stub: Stub,
        _ path: String,
        _ inspector: any PageInspector,
        _ server: any Handler
    ) async -> [Finding] {
        func failure(_ message: String, _ fix: String) -> [Finding] {
            [Finding(.error, rule: "no-page", path: FindingPath(page: path), message: message, fix: fix)]
        }
        do {
            let cookie = stub.response.session.requiresLogin ? try await loggedInCookie() : "session=check-\(StubID())"
            let headers: HTTPFields = [.cookie: cookie]
            var request = try Request(.get, prefix + path, headers: headers)
            request.isCheck = true
            guard let response = try await response(to: request) else {
                return failure("No mock matches.", "Let one of its responses have no request matchers.")
            }
            guard response.status == .ok, case .bytes(let body) = response.body else {
                return failure("It responds with \(response.status) instead of a page.", "Respond with 200 and a page.")
            }
            var findings = inspector.findings(inBody: body, path: path, app: lookup)
            for picture in inspector.pictures(inBody: body, path: path) {
                findings += await picture.deadness(below: configuration.path, headers, server)
            }
            return findings
        } catch {
            return failure("It fails: \(error).", "Mend what it says.")
        }
    }
}

extension Stub {
    /// Whether it returns a page of a protocol.
    func isPage(of format: PageFormat) -> Bool {
        guard request.methods.isEmpty || request.methods.contains(.get), response.status.kind == .successful else {
            return false
        }
        return response.headers.contains { $0.name == .contentType && $0.value.constant == format.contentType }
    }

}

extension MockProbe {
    /// A path that it matches, with its query.
    fileprivate var samplePath: String {
        if case .url(let url) = stub.request.url { return url }
        return path(pattern.segments.compactMap(\.name).reduce(into: [:]) { $0[$1] = "1" }) ?? "/"
    }

    fileprivate var reasonNotToCheck: String? {
        let asksForPathOnly = stub.request.conditions.allSatisfy { condition in
            if case .values(.pathParameter, let name, _) = condition { parameters[name] != nil } else { false }
        }
        if let obstacle { return obstacle }
        if !asksForPathOnly { return "it only matches certain requests" }
        return laterState.map { "it matches in the state '\($0)' only" }
    }
}
