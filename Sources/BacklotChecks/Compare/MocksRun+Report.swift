internal import Backlot
internal import BacklotClients
internal import BacklotMocks
internal import BacklotRecording

extension MocksRun {
    /// The differences of a response; empty if it is the same in some state.
    private func differences(_ asked: Asked) -> [Difference] {
        let differences = asked.differences
        guard !differences.isEmpty, let probe = asked.probe else { return differences }
        let isElsewhere = alternatives[probe.id]?.values.contains { $0.differences.isEmpty } ?? false
        return isElsewhere ? [] : differences
    }

    private static func fix(_ asked: Asked) -> String {
        let takeOver = "take over its response: --update writes it into the file."
        guard let exchange = asked.exchanges.first, exchange.response != nil else { return "Correct the backend." }
        if exchange.mayNeedOtherValues {
            return "Correct the backend, give it the values that it needs by --variable, or \(takeOver)"
        }
        return asked.probe == nil ? "Correct the backend, or the file." : "Correct the backend, or \(takeOver)"
    }

    /// The reason why a response doesn't count as compared; nil if it does.
    private func obstacle(to asked: Asked) -> String? {
        guard let exchange = asked.exchanges.first else { return nil }
        if !options.tellsUser {
            let asksForLogIn = exchange.asksForLogIn
            let header = "--header passes a session to the backend"
            if asksForLogIn, asked.probe == nil { return "the backend asks for a log-in: \(header)" }
            if asksForLogIn, !options.callsRPCs, !logIns.isEmpty {
                return "the backend asks for a log-in: --rpc logs in as the mocks do, and \(header)"
            }
            // After a failed log-in, the backend rejects the user or redirects to the log-in.
            if asksForLogIn || exchange.isRedirected, let failed = failedSteps.first,
                !failedSteps.contains(where: { $0.title == asked.title })
            {
                return failed.reason
            }
        }
        if asked.isGuess, exchange.mock.status.kind == .clientError, let found = exchange.response?.status,
            found != exchange.mock.status
        {
            return
                "the file doesn't say what was refused, and the backend responds to something else with \(found.code)"
        }
        if exchange.asksForLogIn, let probe = asked.probe, logIns.contains(probe.id), !givesSecret {
            let missing =
                asked.isGuess ? "doesn't name all variables; add them" : "may have a pseudonym as password; add yours"
            return "the backend refuses (\(exchange.response?.status.code ?? 401)): the file \(missing) by --variable"
        }
        guard asked.isGuess, let refusal = exchange.refusalOfGuess else { return nil }
        return "the backend refuses (\(refusal)): the file doesn't name all variables; add them by --variable"
    }

    /// Whether the options name a password or another secret for the log-in.
    private var givesSecret: Bool {
        let secrets = SecretNames(options.redactedKeys)
        return options.variables.keys.contains { secrets.kind(of: $0) != nil }
    }

    /// Compares the responses.
    func fill(_ report: inout MocksComparisonReport) {
        var refused = 0
        var hidden: [StubID: String] = [:]
        var cookies: Set<String> = []
        for asked in order.compactMap({ asked[$0] }) {
            let differences = differences(asked).filter { difference in
                // Backends set a cookie with every response; one finding is enough.
                difference.rule != "cookie-added" || cookies.insert(difference.now ?? "").inserted
            }
            if let obstacle = obstacle(to: asked) {
                if let probe = asked.probe {
                    hidden[probe.id] = obstacle
                } else {
                    report.unverified.append(.init(request: asked.title, source: "\(asked.source)", reason: obstacle))
                }
                continue
            }
            if [401, 403].contains(asked.exchanges.first?.response?.status.code),
                differences.contains(where: { $0.rule == "status-changed" })
            {
                refused += 1
            }
            let found = located(differences, in: asked)
            let title = asked.titleWithPlace
            report.subjects.append(FindingReport.Page(path: title, findings: found.map(\.finding)))
            report.differences += found
        }
        noteUnverified(hidden, &report)
        report.isCutShort = !isOpen
        if refused > 0 {
            report.notes.append(
                "The backend refuses \(refused) \(refused == 1 ? "request" : "requests") with 401 or 403: add --header 'Cookie=session=…' or --header 'Authorization=Bearer …' to log in."
            )
        }
        report.notes += options.paths.filter { path in !probes.contains { $0.values(in: path) != nil } }
            .map { "--path \($0) matches no mock route that can be requested." }
        if isOver { report.notes.append("Stopped: the time was over.") }
        if failuresInRow >= Self.mostFailures { report.notes.append("Stopped: the backend doesn't respond any more.") }
        if report.compared == 0, report.unverified.isEmpty { report.notes.append("The folder has no mocks.") }
    }

    /// The differences with the request and the line of the file.
    private func located(_ differences: [Difference], in asked: Asked) -> [Difference] {
        guard !differences.isEmpty else { return [] }
        let file = asked.source.file
        let lines = file.flatMap { RouteFileLines(of: asked.probe?.id, in: $0, mocks) }
        return differences.map { difference in
            var difference = difference
            let path = difference.path
            let line = file == nil ? nil : lines?.line(of: difference.place) ?? asked.source.line
            difference.path = FindingPath(page: asked.title, steps: path.steps, pointer: path.pointer, line: line)
            difference.fix = Self.fix(asked)
            difference.file = file
            return difference
        }
    }

    private func noteUnverified(_ hidden: [StubID: String], _ report: inout MocksComparisonReport) {
        let compared = Set(asked.values.compactMap { $0.probe?.id }).subtracting(hidden.keys)
        for probe in probes where !compared.contains(probe.id) || probe.obstacle != nil {
            let known = probe.obstacle ?? hidden[probe.id] ?? (isOver ? "the time was over" : reasons[probe.id])
            let reason = known ?? "no session leads to its state"
            report.unverified.append(.init(request: probe.title, source: "\(probe.source)", reason: reason))
        }
    }

    // MARK: Writing files

    /// Writes the backend's responses into the files of mocks that differ, without secrets.
    func update(_ report: inout MocksComparisonReport) {
        let different = order.compactMap { asked[$0] }.filter { obstacle(to: $0) == nil && !differences($0).isEmpty }
        guard !different.isEmpty else { return }
        guard var files = RouteFileUpdate(mocks), let folder = mocks.folderPath else {
            return report.notUpdated.append("the mocks came from no folder")
        }
        // All at once: the same secret has the same pseudonym everywhere.
        var redaction = Redaction(keys: options.redactedKeys)
        let recorded = redaction.redacted(
            different.map { $0.exchanges.first?.recorded(below: first.basePath) ?? RecordedExchange(.get, "/") }
        )
        for (asked, exchange) in zip(different, recorded) {
            var reason = Self.obstacle(toWriting: asked)
            do throws(MessageError) {
                if reason == nil, let probe = asked.probe { try files.replace(probe.id, with: exchange) }
            } catch {
                reason = error.description
            }
            if let reason { report.notUpdated.append("\(asked.titleWithPlace): \(reason)") }
        }
        do {
            try RecordingWriter(folder).write(files.files, update: true)
            report.updated = files.files.map(\.path)
            report.notes += redaction.report.map { "redacted: \($0)" }
        } catch {
            report.notUpdated.append(error.text)
        }
    }

    /// The reason why a response isn't written; nil if it can be.
    private static func obstacle(toWriting asked: Asked) -> String? {
        if asked.probe == nil { return "the files of an app say more than its responses: change it by hand" }
        if asked.exchanges.first?.response == nil { return "the backend hasn't responded" }
        // A rejection depends on the sent values and on earlier steps, so it isn't a useful recording.
        return asked.exchanges.contains(where: \.isRefused)
            ? "the backend refuses what the mock accepts: record it again, or change it by hand" : nil
    }
}

extension ComparedExchange {
    /// The exchange with the backend as a recorded exchange; nil without a response.
    ///
    /// - Parameter basePath: the path of the backend's base URL, without a trailing slash.
    fileprivate func recorded(below basePath: String) -> RecordedExchange? {
        guard let response else { return nil }
        var exchange = RecordedExchange(
            request.method,
            mockRequest.url.target,
            requestHeaders: request.headers,
            requestBody: request.body,
            status: response.status.code,
            responseHeaders: response.headers,
            responseBody: response.body
        )
        exchange.moveToMocks(from: (request.url.scheme.rawValue, request.url.authority), below: basePath)
        return exchange
    }
}
