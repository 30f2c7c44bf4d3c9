import Backlot

/// Commands that list near misses.
extension MockAdmin {
    /// The most near misses for one request or pattern.
    private static let most = 3

    static let nearMissRoutes: [AdminRoute] = [
        AdminRoute(.get, "/requests/unmatched/near-misses") { admin, call in
            let unmatched = admin.journal.entries.filter { !$0.wasMatched }
            return call.comparing(on: admin.backend) { budget in
                .nearMisses(
                    unmatched.flatMap { entry in
                        let request = entry.requestJSON(below: admin.backend.configuration.prefix)
                        let misses = admin.backend.nearMisses(of: entry.request, limit: most, &budget)
                        return misses.map { $0.json(of: request) }
                    }
                )
            }
        },
        AdminRoute(.post, "/near-misses/request") { admin, call in
            let document = JSONValue.object(try call.object())
            let request = try MockRequest(logged: document)
            return .nearMisses(admin.backend.nearMisses(of: request, limit: most).map { $0.json(of: document) })
        },
        AdminRoute(.post, "/near-misses/request-pattern") { admin, call in
            let pattern = try call.pattern()
            let document = try call.json()
            let compared = call.comparing(on: admin.backend) { budget in
                admin.journal.entries
                    .map { (entry: $0, match: pattern.match($0.request.forKeeping(body: true), &budget)) }
            }
            let misses =
                compared
                .filter { !$0.match.isMatch }
                .sorted { $0.match.distance < $1.match.distance }
                .prefix(most)
            return .nearMisses(
                misses.map { entry, match in
                    [
                        "request": entry.requestJSON(below: admin.backend.configuration.prefix),
                        "requestPattern": document, "matchResult": match.json,
                    ]
                }
            )
        },
    ]
}

extension NearMiss {
    fileprivate func json(of request: JSONValue) -> JSONValue {
        [
            "request": request, "stubMapping": stub.json, "requestPattern": stub.json["request"] ?? [:],
            "matchResult": match.json,
        ]
    }
}

extension Response {
    fileprivate static func nearMisses(_ misses: [JSONValue]) -> Response {
        Response(json: ["nearMisses": .array(misses)])
    }
}

extension Match {
    /// The near miss in WireMock's form. A comparison that was aborted adds an event.
    fileprivate var json: JSONValue {
        var object: JSONObject = ["distance": .number(distance)]
        let events = failures.filter(\.isGivenUp).map { failure -> JSONValue in
            ["type": "WARNING", "timeOffsetNanos": 0, "data": ["message": .string("\(failure)")]]
        }
        if !events.isEmpty { object["subEvents"] = .array(events) }
        return .object(object)
    }
}

extension JSONValue {
    fileprivate static func number(_ distance: Double) -> JSONValue {
        JSONNumber((distance * 1000).rounded() / 1000).map(JSONValue.number) ?? .null
    }
}

extension MockRequest {
    /// A request that a client describes, in the journal's form.
    ///
    /// - Throws: `AdminError`, `RequestError`.
    fileprivate init(logged document: JSONValue) throws {
        guard let url = document["url"]?.string, url.hasPrefix("/") else {
            throw AdminError.value("url", "write the path and the query, such as \"/things?page=2\"")
        }
        guard let method = HTTPRequest.Method(document["method"]?.string ?? "GET") else {
            throw AdminError.value("method", "write a method, such as \"GET\"")
        }
        var headers = HTTPFields()
        for member in document["headers"]?.object?.members ?? [] {
            for value in member.value.array ?? [member.value] {
                guard headers.count < 1000 else { throw AdminError.value("headers", "write at most 1000 fields") }
                guard (try? headers.append(member.key, value.string ?? value.description)) != nil else {
                    throw AdminError.value("headers", "'\(member.key)' can't be a header field with that value")
                }
            }
        }
        if headers[.cookie] == nil, let cookies = document["cookies"]?.object?.members, !cookies.isEmpty {
            headers[.cookie] = cookies.map { "\($0.key)=\($0.value.string ?? "")" }.joined(separator: "; ")
        }
        let body =
            document["bodyAsBase64"]?.string.flatMap(Base64.decode) ?? Array((document["body"]?.string ?? "").utf8)
        try self.init(method, url, headers: headers, body: body)
    }
}

extension HTTPFields {
    /// Adds a field, unless it describes a message's framing.
    fileprivate mutating func append(_ name: String, _ value: String) throws(HeaderError) {
        if ["content-length", "transfer-encoding", "connection", "expect"].contains(name.lowercased()) { return }
        var one = HTTPFields()
        try one.set(name, to: value)
        append(contentsOf: one)
    }
}
