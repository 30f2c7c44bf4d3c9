package import Backlot

/// Entries in WireMock's form, with only its keys: some of its clients refuse unknown ones.
extension JournalEntry {
    /// The entry: a "serve event".
    func json(below prefix: String) -> JSONValue {
        var event: JSONObject = [
            "id": .string("\(id)"), "request": requestJSON(below: prefix), "responseDefinition": definitionJSON,
            "response": responseJSON, "wasMatched": .bool(wasMatched),
        ]
        let milliseconds = JSONValue.number(JSONNumber(duration.wholeMilliseconds))
        event["timing"] = [
            "addedDelay": 0, "processTime": milliseconds, "responseSendTime": 0, "serveTime": milliseconds,
            "totalTime": milliseconds,
        ]
        if let stub { event["stubMapping"] = stub.json }
        return .object(event)
    }

    /// The request: a "logged request".
    func requestJSON(below prefix: String) -> JSONValue {
        let host = request.headerValues("Host").first ?? "localhost"
        return [
            "url": .string(request.sentURL ?? request.url),
            "absoluteUrl": .string("\(request.scheme)://\(host)\(prefix)\(request.url)"),
            "method": .string(request.method.rawValue),
            "headers": .texts(request.headers.map { ($0.name, JournalRedaction.shown($0.value, of: $0.name)) }),
            "cookies": .texts(request.cookies.map { ($0.name, JournalRedaction.mark) }), "browserProxyRequest": false,
            "queryParams": .object(queryJSON), "loggedDate": .number(JSONNumber(time)),
            "loggedDateString": .string(timeText),
            "bodyAsBase64": .string(Base64.encode(bytes: request.body)), "body": .string(request.text),
        ]
    }

    private var queryJSON: JSONObject {
        var object = JSONObject()
        for (name, values) in request.queryParameters.map({ ($0.name, $0.value) }).grouped(by: { $0 }) {
            object.append(name, ["key": .string(name), "values": .array(values)])
        }
        return object
    }

    private var definitionJSON: JSONValue {
        var definition: JSONObject = [
            "status": JSONValue(response.status.code), "fromConfiguredStub": .bool(stub != nil),
        ]
        if case .fault(let fault) = response.body { definition["fault"] = .string(fault.rawValue) }
        return .object(definition)
    }

    private var responseJSON: JSONValue {
        [
            "status": JSONValue(response.status.code),
            "headers": .texts(
                response.headers.map { ($0.name.rawName, JournalRedaction.shown($0.value, of: $0.name.rawName)) }
            ),
            "bodyAsBase64": .string(Base64.encode(bytes: responseBody)),
            "body": .string(String(decoding: responseBody, as: UTF8.self)),
        ]
    }

    /// `2026-01-01T12:00:00Z`
    private var timeText: String { HTTPDate(secondsSince1970: Int(time / 1000)).rfc3339 }
}

extension JSONValue {
    /// An object of texts. Names that differ only in case become one member with a list.
    package static func texts(_ pairs: some Sequence<(String, String)>) -> JSONValue {
        var object = JSONObject()
        for (name, values) in pairs.grouped(by: { $0.lowercased() }) {
            object.append(name, values.count == 1 ? values[0] : .array(values))
        }
        return .object(object)
    }
}

extension Sequence where Element == (String, String) {
    /// The values of each name, in the order of the first ones. Names with the same key are one name.
    fileprivate func grouped(by key: (String) -> String) -> [(name: String, values: [JSONValue])] {
        var groups: [(name: String, values: [JSONValue])] = []
        var places: [ExactKey: Int] = [:]
        for (name, value) in self {
            let exact = ExactKey(text: key(name))
            let place = places[exact] ?? groups.count
            if place == groups.count {
                places[exact] = place
                groups.append((name, []))
            }
            groups[place].values.append(.string(value))
        }
        return groups
    }
}

extension Duration {
    /// Rounded down.
    fileprivate var wholeMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
