internal import Backlot
internal import BacklotClients
internal import BacklotJSON
internal import BacklotMocks
internal import HTTPTypes

/// A request, what the mocks have answered, and what the backend has.
struct DriftExchange: Sendable {
    /// The request as the backend got it.
    let request: ClientRequest
    /// The request as the mocks got it.
    let mockRequest: ClientRequest
    let mock: ClientResponse
    let backend: Result<ClientResponse, ClientFailure>
}

/// Compares answers, all but their documents: status, header fields, and which kind of body there is.
struct AnswerDrift {
    /// Whether clients ask for a page, or call what a page's action names.
    let isPage: Bool
    /// Whether the mock logs in, so that its session cookie counts.
    let logsIn: Bool
    /// The header fields that the mock says itself.
    let statedHeaders: [HTTPField.Name]
    let comparesValues: Bool
    var sides = DriftSides.mockAndBackend
    let route: (String) -> String

    /// The differences that all exchanges have, each of them another pass.
    func changes(_ exchanges: [DriftExchange]) -> [DriftChange] {
        let answered = exchanges.compactMap { exchange in
            (try? exchange.backend.get()).map { (exchange: exchange, answer: $0) }
        }
        guard !answered.isEmpty else {
            guard case .failure(let failure)? = exchanges.first?.backend else { return [] }
            return [
                DriftChange(
                    .error,
                    "no-answer",
                    was: "an answer",
                    now: nil,
                    "\(sides.nowFirst) gives no answer: \(failure)."
                )
            ]
        }
        return DriftChange.lasting(
            answered.indices.map { index in
                let other = answered.count > 1 ? answered[(index + 1) % answered.count].answer : nil
                return changes(answered[index].exchange, answered[index].answer, other)
            }
        )
    }

    func changes(_ exchange: DriftExchange, _ answer: ClientResponse, _ other: ClientResponse?) -> [DriftChange] {
        let mock = exchange.mock
        var changes: [DriftChange] = []
        if mock.status != answer.status {
            changes.append(statusChanged(exchange, answer))
            guard mock.status.kind == answer.status.kind else { return changes }
        }
        changes += location(exchange, answer) + cookies(mock, answer) + otherFields(mock, answer)
        // Texts of errors are for people.
        guard mock.status.kind == .successful || mock.mediaType?.hasSuffix("json") == true else { return changes }
        if mock.body.isEmpty != answer.body.isEmpty {
            changes.append(bodyChanged(mock, answer))
            return changes
        }
        if !mock.body.isEmpty, mock.mediaType != answer.mediaType {
            changes.append(
                DriftChange(
                    .error,
                    "content-type-changed",
                    was: mock.mediaType,
                    now: answer.mediaType,
                    "The media type was \(mock.mediaType ?? "missing"), and is \(answer.mediaType ?? "missing")."
                )
            )
        }
        return changes + document(mock, answer, other, path: exchange.request.url.path)
    }

    func statusChanged(_ exchange: DriftExchange, _ answer: ClientResponse) -> DriftChange {
        let (was, now) = ("\(exchange.mock.status)", "\(answer.status)")
        let isGone = [404, 405, 410, 501].contains(answer.status.code) && exchange.mock.status.kind == .successful
        var message = "The status was \(was), and is \(now)"
        if exchange.request.method != .get, exchange.isRefused {
            message = "\(sides.nowFirst) refuses what \(sides.was) accepts: the status was \(was), and is \(now)"
        }
        if answer.status.kind == .redirection, let place = answer.headers[.location] {
            let isSame = (try? exchange.request.url.resolving(place)) == exchange.request.url
            message += isSame ? ", a redirect to itself" : ", a redirect to \(place.cut(to: 100).inQuotes)"
        } else if answer.status.kind == .clientError, answer.mediaType == "text/plain", !answer.body.isEmpty {
            message += ": \(String(answer.text.prefix { !$0.isNewline }).cut(to: 100).inQuotes)"
        }
        let rule = isGone ? exchange.request.method == .get && isPage ? "page-gone" : "route-gone" : "status-changed"
        return DriftChange(.error, rule, was: was, now: now, message + ".")
    }

    func bodyChanged(_ mock: ClientResponse, _ answer: ClientResponse) -> DriftChange {
        let isGone = answer.body.isEmpty
        return DriftChange(
            isGone ? .error : .warning,
            isGone ? "body-removed" : "body-added",
            was: mock.body.isEmpty ? nil : mock.mediaType ?? "a body",
            now: isGone ? nil : answer.mediaType ?? "a body",
            isGone
                ? "\(sides.nowFirst) answers with no body any more."
                : "\(sides.nowFirst) answers with a body, and \(sides.was) with none."
        )
    }

    // MARK: Documents

    func document(
        _ mock: ClientResponse,
        _ answer: ClientResponse,
        _ other: ClientResponse?,
        path: String
    ) -> [DriftChange] {
        guard let known = mock.document else { return [] }
        guard let found = answer.document else {
            let message =
                "\(sides.wasFirst) answers with JSON, and \(sides.now) with what is none: \(answer.text.cut(to: 60).inQuotes)."
            return [DriftChange(.error, "not-json", was: "JSON", now: answer.mediaType ?? "another body", message)]
        }
        let words = AnswerWords(for: known)
        if words?.wire == "applin", found["page"]?["typ"]?.string == nil {
            let message =
                "\(sides.wasFirst) answers with a page, and \(sides.now) with other JSON: \(answer.text.cut(to: 60).inQuotes)."
            return [DriftChange(.error, "no-page", was: "a page", now: "other JSON", message)]
        }
        if words?.wire == "xpedite", let change = returnCode(known, found) { return [change] }
        let drift = DocumentDrift(
            mock: known,
            backend: found,
            otherPass: other?.document,
            words: words,
            depth: comparesValues ? .values : .structure,
            sides: sides,
            route: route
        )
        guard let words else { return drift.changes }
        return brokenRules(words, known, found, drift.changes, path)
    }

    func returnCode(_ known: JSONValue, _ found: JSONValue) -> DriftChange? {
        let (was, now) = (known["rc"]?.description ?? "", found["rc"]?.description ?? "no code")
        guard (was == "0") != (now == "0") else { return nil }
        return DriftChange(
            .error,
            "return-code-changed",
            was: was,
            now: now,
            "The return code was \(was), and is \(now)."
        )
        .at("/rc")
    }

    /// Adds the rules that the backend's answer breaks and the mock's doesn't. Where a difference that was found already breaks a
    /// rule, both are one finding.
    func brokenRules(
        _ words: AnswerWords,
        _ known: JSONValue,
        _ found: JSONValue,
        _ changes: [DriftChange],
        _ path: String
    ) -> [DriftChange] {
        var changes = changes
        var counts = words.findings(known, path).reduce(into: [String: Int]()) { $0[$1.rule, default: 0] += 1 }
        for finding in words.findings(found, path) {
            if let count = counts[finding.rule], count > 0 {
                counts[finding.rule] = count - 1
                continue
            }
            let pointer = finding.path.pointer
            if let index = changes.firstIndex(where: { $0.isNear(pointer) }) {
                changes[index] = changes[index].explained(finding)
            } else {
                changes.append(DriftChange(broken: finding))
            }
        }
        return changes
    }
}

extension ClientResponse {
    /// The body as JSON; nil for other bodies.
    var document: JSONValue? {
        body.isEmpty ? nil : try? JSONValue(parsing: body, depthLimit: ClientLimits().nesting)
    }
}
