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
            "url": .string(request.url), "absoluteUrl": .string("\(request.scheme)://\(host)\(prefix)\(request.url)"),
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
        for parameter in request.queryParameters {
            let values = object[parameter.name]?["values"]?.array ?? []
            object[parameter.name] = [
                "key": .string(parameter.name), "values": .array(values + [.string(parameter.value)]),
            ]
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
        for (name, value) in pairs {
            let key = object.keys.first { $0.lowercased() == name.lowercased() } ?? name
            switch object[key] {
            case nil: object[key] = .string(value)
            case .array(let values): object[key] = .array(values + [.string(value)])
            case let first?: object[key] = .array([first, .string(value)])
            }
        }
        return .object(object)
    }
}

extension Duration {
    /// Rounded down.
    fileprivate var wholeMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
