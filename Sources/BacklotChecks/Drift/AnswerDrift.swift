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
    let route: (String) -> String

    /// The differences that all exchanges have, each of them another pass.
    func changes(_ exchanges: [DriftExchange]) -> [DriftChange] {
        let answered = exchanges.compactMap { exchange in
            (try? exchange.backend.get()).map { (exchange: exchange, answer: $0) }
        }
        guard !answered.isEmpty else {
            guard case .failure(let failure)? = exchanges.first?.backend else { return [] }
            return [
                DriftChange(.error, "no-answer", was: "an answer", now: nil, "The backend gives no answer: \(failure).")
            ]
        }
        return DriftChange.lasting(
            answered.indices.map { index in
                let other = answered.count > 1 ? answered[(index + 1) % answered.count].answer : nil
                return changes(answered[index].exchange, answered[index].answer, other)
            }
        )
    }

    private func changes(_ exchange: DriftExchange, _ answer: ClientResponse, _ other: ClientResponse?) -> [DriftChange]
    {
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

    private func statusChanged(_ exchange: DriftExchange, _ answer: ClientResponse) -> DriftChange {
        let (was, now) = ("\(exchange.mock.status)", "\(answer.status)")
        let isGone = [404, 405, 410, 501].contains(answer.status.code) && exchange.mock.status.kind == .successful
        var message = "The status was \(was), and is \(now)"
        if answer.status.kind == .redirection, let place = answer.headers[.location] {
            let isSame = (try? exchange.request.url.resolving(place)) == exchange.request.url
            message += isSame ? ", a redirect to itself" : ", a redirect to \(place.cut(to: 100).inQuotes)"
        } else if answer.status.kind == .clientError, answer.mediaType == "text/plain", !answer.body.isEmpty {
            message += ": \(answer.text.cut(to: 100).inQuotes)"
        }
        let rule = isGone ? exchange.request.method == .get && isPage ? "page-gone" : "route-gone" : "status-changed"
        return DriftChange(.error, rule, was: was, now: now, message + ".")
    }

    private func bodyChanged(_ mock: ClientResponse, _ answer: ClientResponse) -> DriftChange {
        let isGone = answer.body.isEmpty
        return DriftChange(
            isGone ? .error : .warning,
            isGone ? "body-removed" : "body-added",
            was: mock.body.isEmpty ? nil : mock.mediaType ?? "a body",
            now: isGone ? nil : answer.mediaType ?? "a body",
            isGone
                ? "The backend answers with no body any more."
                : "The backend answers with a body, and the mock with none."
        )
    }

    // MARK: Header fields

    private func location(_ exchange: DriftExchange, _ answer: ClientResponse) -> [DriftChange] {
        guard exchange.mock.status.kind == .redirection else { return [] }
        func place(_ response: ClientResponse, _ url: HTTPURL) -> String? {
            guard let text = response.headers[.location] else { return nil }
            guard let place = try? url.resolving(text) else { return text }
            return place.hasSameOrigin(as: url)
                ? route(place.path) : "\(place.scheme.rawValue)://\(place.authority)\(route(place.path))"
        }
        let (was, now) = (place(exchange.mock, exchange.mockRequest.url), place(answer, exchange.request.url))
        guard was != now else { return [] }
        return [
            DriftChange(
                .error,
                "location-changed",
                was: was,
                now: now,
                "The redirect led to \((was ?? "nowhere").cut(to: 100)), and leads to \((now ?? "nowhere").cut(to: 100))."
            )
        ]
    }

    private func cookies(_ mock: ClientResponse, _ answer: ClientResponse) -> [DriftChange] {
        func settings(_ response: ClientResponse) -> [SetCookie] {
            response.headers[values: .setCookie].compactMap { SetCookie($0) }
        }
        let (known, found) = (settings(mock), settings(answer))
        var changes: [DriftChange] = []
        for cookie in known {
            // Mocks have a session cookie of their own, whatever the backend's name is.
            let isSession = AnswerDrift.isSession(cookie.name)
            if isSession, !logsIn { continue }
            guard let other = found.first(where: { isSession ? Self.isSession($0.name) : $0.name == cookie.name })
            else {
                changes.append(
                    DriftChange(
                        .error,
                        "cookie-removed",
                        was: cookie.name,
                        now: nil,
                        "The backend doesn't set the cookie \(cookie.name.inQuotes) any more."
                    )
                )
                continue
            }
            let (was, now) = (Self.attributes(cookie), Self.attributes(other))
            guard !isSession, was != now else { continue }
            changes.append(
                DriftChange(
                    .warning,
                    "cookie-changed",
                    was: was,
                    now: now,
                    "The cookie \(cookie.name.inQuotes) had \(was), and has \(now)."
                )
            )
        }
        for cookie in found where !Self.isSession(cookie.name) && !known.contains(where: { $0.name == cookie.name }) {
            changes.append(
                DriftChange(
                    .warning,
                    "cookie-added",
                    was: nil,
                    now: cookie.name,
                    "The backend sets the cookie \(cookie.name.inQuotes), and the mock doesn't."
                )
            )
        }
        return changes
    }

    private static func isSession(_ name: String) -> Bool { RecordedSession.isSession(name) }

    /// What tells how long and where clients send a cookie. Recordings have no `Secure`, `Domain` and `SameSite`, which don't fit mocks.
    private static func attributes(_ cookie: SetCookie) -> String {
        let parts = [
            cookie.path.map { "Path=\($0)" }, cookie.isHTTPOnly ? "HttpOnly" : nil,
            cookie.hasMaxAge || cookie.expiresText != nil ? "an end" : nil,
        ]
        let list = parts.compactMap(\.self)
        return list.isEmpty ? "no attributes" : list.joined(separator: ", ")
    }

    private func otherFields(_ mock: ClientResponse, _ answer: ClientResponse) -> [DriftChange] {
        // These are about one answer, or compared elsewhere.
        let passedOver: Set<HTTPField.Name> = [
            .setCookie, .contentType, .location, .eTag, .lastModified, .contentLength, .date, .cacheControl,
            .contentEncoding, .retryAfter, .expires,
        ]
        var changes: [DriftChange] = []
        for name in statedHeaders where !passedOver.contains(name) && answer.headers[name] == nil {
            changes.append(
                DriftChange(
                    .warning,
                    "header-removed",
                    was: name.rawName,
                    now: nil,
                    "The backend doesn't send the header field \(name.rawName) any more."
                )
            )
        }
        guard statedHeaders.contains(.cacheControl) else { return changes }
        let (was, now) = (Self.directives(mock), Self.directives(answer))
        if was != now {
            changes.append(
                DriftChange(
                    .warning,
                    "cache-control-changed",
                    was: was,
                    now: now,
                    "Cache-Control was \(was ?? "missing"), and is \(now ?? "missing")."
                )
            )
        }
        return changes
    }

    /// The names of the directives: their values may be another in each answer.
    private static func directives(_ response: ClientResponse) -> String? {
        response.headers[.cacheControl].map { value in
            value.lowercased().split(separator: ",")
                .map { part in String(part.prefix { $0 != "=" }).filter { $0 != " " } }
                .sorted()
                .joined(separator: ", ")
        }
    }

    // MARK: Documents

    private func document(
        _ mock: ClientResponse,
        _ answer: ClientResponse,
        _ other: ClientResponse?,
        path: String
    ) -> [DriftChange] {
        guard let known = mock.document else { return [] }
        guard let found = answer.document else {
            let message =
                "The mock answers with JSON, and the backend with what is none: \(answer.text.cut(to: 60).inQuotes)."
            return [DriftChange(.error, "not-json", was: "JSON", now: answer.mediaType ?? "another body", message)]
        }
        let words = AnswerWords(for: known)
        if words?.wire == "xpedite", let change = returnCode(known, found) { return [change] }
        let drift = DocumentDrift(
            mock: known,
            backend: found,
            otherPass: other?.document,
            words: words,
            comparesValues: comparesValues,
            route: route
        )
        guard let words else { return drift.changes }
        return brokenRules(words, known, found, drift.changes, path)
    }

    private func returnCode(_ known: JSONValue, _ found: JSONValue) -> DriftChange? {
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

    /// Adds the rules that the backend's answer breaks and the mock's doesn't. What breaks one by a difference that is named already
    /// is told with it.
    private func brokenRules(
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
