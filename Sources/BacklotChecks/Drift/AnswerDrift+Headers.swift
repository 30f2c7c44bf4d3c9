internal import Backlot
import BacklotClients
import BacklotMocks
internal import HTTPTypes

extension AnswerDrift {
    func location(_ exchange: DriftExchange, _ answer: ClientResponse) -> [DriftChange] {
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

    func cookies(_ mock: ClientResponse, _ answer: ClientResponse) -> [DriftChange] {
        func settings(_ response: ClientResponse) -> [SetCookie] {
            response.headers[values: .setCookie].compactMap { SetCookie(parsing: $0) }
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
                        "\(sides.nowFirst) doesn't set the cookie \(cookie.name.inQuotes) any more."
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
                    "\(sides.nowFirst) sets the cookie \(cookie.name.inQuotes), and \(sides.was) doesn't."
                )
            )
        }
        return changes
    }

    static func isSession(_ name: String) -> Bool { RecordedSession.isSession(name) }

    /// What tells how long and where clients send a cookie. Recordings have no `Secure`, `Domain` and `SameSite`, which don't fit mocks.
    static func attributes(_ cookie: SetCookie) -> String {
        let parts = [
            cookie.path.map { "Path=\($0)" }, cookie.isHTTPOnly ? "HttpOnly" : nil,
            cookie.maxAge != nil || cookie.expiresText != nil ? "an end" : nil,
        ]
        let list = parts.compactMap(\.self)
        return list.isEmpty ? "no attributes" : list.joined(separator: ", ")
    }

    func otherFields(_ mock: ClientResponse, _ answer: ClientResponse) -> [DriftChange] {
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
                    "\(sides.nowFirst) doesn't send the header field \(name.rawName) any more."
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
    static func directives(_ response: ClientResponse) -> String? {
        response.headers[.cacheControl].map { value in
            value.lowercased().split(separator: ",")
                .map { part in String(part.prefix { $0 != "=" }).filter { $0 != " " } }
                .sorted()
                .joined(separator: ", ")
        }
    }
}
