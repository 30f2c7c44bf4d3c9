import Backlot
import BacklotMocks
import Logging

/// The commands for recordings, and for the journal in formats of other programs.
extension Recordings {
    static let commands: [AdminRoute] = [
        AdminRoute(.get, "/requests.har") { admin, _ in
            let entries = Array(admin.journal.entries.reversed())
            return Response(json: HARWriter.document(entries, below: admin.backend.configuration.prefix))
        },
        AdminRoute(.get, "/requests.swift") { _, _ in
            throw AdminError(
                .notImplemented,
                "No tests here",
                "this server makes no Swift tests of its journal; demo-server does: 'demo-server mock'"
            )
        },
        AdminRoute(.get, "/recordings/status") { admin, _ in
            Response(json: ["status": .string(admin.backend.recordings.status)])
        },
        AdminRoute(.post, "/recordings/start") { admin, call in
            let order = try RecordingOrder(try call.object())
            let recordings = admin.backend.recordings
            guard let origin = order.origin ?? recordings.standing else {
                throw AdminError.value(
                    "targetBaseUrl",
                    "the backend is missing: {\"targetBaseUrl\": \"http://127.0.0.1:9000\"}"
                )
            }
            recordings.start(order, from: origin, of: admin.backend)
            return .done
        },
        AdminRoute(.post, "/recordings/stop") { admin, call in
            let recordings = admin.backend.recordings
            guard let recording = recordings.stop(of: admin.backend), let order = recordings.last?.order else {
                throw AdminError(.badRequest, "Not currently recording.", "start a recording first", code: 30)
            }
            do {
                let advice =
                    "; the recording continues: stop it with POST \(MockAdmin.path)/recordings/stop?update=true, or move those files away first"
                return try recordings.keep(recording, nil, order, call, admin.backend, onConflict: advice)
            } catch {
                recordings.resume(of: admin.backend)
                throw error
            }
        },
        AdminRoute(.post, "/recordings/snapshot") { admin, call in
            let order = try RecordingOrder(try call.object())
            let recordings = admin.backend.recordings
            let last = recordings.last?.recording
            var contents = recordings.noted(order, in: admin.journal)
            // A recording in progress has its own files.
            if let last, contents.exchanges.isEmpty, order.isDefault {
                return try recordings.keep(last, nil, order, call, admin.backend)
            }
            if order.ids == nil, let recorder = recordings.current?.recorder {
                // Each recorder counts the time from its own start.
                let offset = recordings.forwarded.start.duration(to: recorder.start)
                contents.exchanges += recorder.contents.exchanges.map { exchange in
                    var exchange = exchange
                    exchange.began += offset
                    return exchange
                }
            }
            contents.exchanges.sort { $0.began < $1.began }
            let own = recordings.recording(order, from: nil, of: admin.backend)
            return try recordings.keep(own, contents, order, call, admin.backend)
        },
    ]

    /// The recorded requests that stubs forwarded to other backends, and the mocks' own responses.
    private func noted(_ order: RecordingOrder, in journal: Journal) -> Recorder.Contents {
        var noted = Recorder.Contents()
        if order.ids == nil { noted.exchanges = forwarded.contents.exchanges }
        for entry in journal.entries.reversed() where entry.fault == nil {
            guard order.ids?.contains(entry.id) ?? true, let stub = entry.stub else { continue }
            if stub.response.isForwarded {
                if order.ids != nil {
                    noted.skipped.append("\(entry.id): another backend responded to it; order a snapshot without ids")
                }
            } else if order.takesOwnResponses {
                guard entry.request.body.count == entry.bodySize else {
                    noted.skipped.append("\(entry.id): the journal has not kept the request's body")
                    continue
                }
                var exchange = RecordedExchange(whole: entry)
                exchange.began = forwarded.start.duration(to: entry.request.received)
                noted.exchanges.append(exchange)
            }
        }
        return noted
    }

    /// Makes stubs from a recording, puts them into use, and shows them.
    ///
    /// - Parameter advice: the end of the error's text if files are in the way.
    private func keep(
        _ recording: Recording,
        _ contents: Recorder.Contents?,
        _ order: RecordingOrder,
        _ call: AdminCall,
        _ backend: MockBackend,
        onConflict advice: String = ""
    ) throws -> Response {
        let report: RecordingReport
        do {
            report = try recording.write(contents, updating: call.query("update").map { $0 == "true" })
        } catch let mistake as RecordingWriter.WritingError {
            let text = mistake.text.replacing("--update", with: "?update=true")
            throw AdminError(.unprocessableContent, "Not written", text + (mistake.kind == .conflict ? advice : ""))
        }
        var stubs = try backend.stubs(of: report.files)
        if let folder = recording.settings.folder, folder == backend.routesFolder?.path {
            // The folder's watcher reads the files within a second, but a test may send a request at once.
            for file in report.files where !file.path.hasPrefix("__files/") {
                backend.stubs.setStubs(stubs.filter { $0.source.file == file.path }, ofFile: file.path)
            }
        } else if recording.settings.folder == nil, standing == nil {
            for index in stubs.indices { stubs[index].source = .runTime }
            for stub in stubs.reversed() { backend.stubs.add(stub) }
        }
        return order.showsStubs
            ? Response(json: ["mappings": .array(stubs.map(\.json))])
            : Response(json: ["ids": .array(stubs.map { .string("\($0.id)") })])
    }
}

extension MockBackend {
    /// The stubs of some files.
    fileprivate func stubs(of files: [RecordedFile]) throws -> [Stub] {
        var configuration = MockConfiguration(formats: self.configuration.formats)
        configuration.path = self.configuration.path
        let backend = MockBackend(configuration, logger: logger)
        try RecordingWriter.whileWritten(files) { folder in
            for problem in try RouteFiles(folder, backend: backend).scan().problems { logger.error("\(problem)") }
        }
        return backend.stubs.all
    }
}

/// The content of a recording command in WireMock's format: its "record spec" or "snapshot spec".
struct RecordingOrder: Sendable {
    private static let keys = [
        "targetBaseUrl", "filters", "captureHeaders", "requestBodyPattern", "repeatsAsScenarios", "persist",
        "outputFormat",
    ]
    /// The unsupported keys of WireMock, with the reasons.
    private static let refused = [
        (
            "extractBodyCriteria",
            "large bodies, and those that aren't text, go into files automatically; leave the key out"
        ),
        ("transformerParameters", "transformers aren't supported; leave the key out"),
        ("transformers", "stubs can't be transformed while recording; leave the key out, and edit the files"),
    ]

    /// The backend; nil for a snapshot.
    private(set) var origin: Origin?
    private(set) var filter = RecordingFilter()
    /// The ids of the journal's entries to use; nil for all.
    private(set) var ids: Set<StubID>?
    /// Whether a snapshot includes the mocks' own responses.
    private(set) var takesOwnResponses = false
    private(set) var captures = RecordedMatchers()
    /// Whether stubs are written into files.
    private(set) var isPersistent = true
    /// Whether the response shows whole stubs instead of their ids.
    private(set) var showsStubs = true
    /// Whether all options have their default values.
    private(set) var isDefault = true

    init() {}

    /// - Throws: `StubError`.
    init(_ object: JSONObject) throws(StubError) {
        isDefault = object.members.allSatisfy {
            $0.value.isNull || ["targetBaseUrl", "outputFormat"].contains($0.key)
        }
        let field = LocatedValue(.object(object))
        for (key, reason) in Self.refused {
            guard let value = field[key], value.value != [], value.value != [:] else { continue }
            throw StubError("\(key) is not supported: \(reason)", at: value.path, isAboutKey: true)
        }
        try MockReader(isForeign: false).refuse(field, but: Self.keys + Self.refused.map { $0.0 })
        if let target = field["targetBaseUrl"] {
            let text = try target.string()
            origin = Origin(text)
            if origin == nil {
                throw target.problem("'\(text)' can't be asked; write a URL such as http://127.0.0.1:9000")
            }
        }
        if let filters = field["filters"] { try read(filters) }
        if let headers = field["captureHeaders"] { try captures.read(headers: headers) }
        if let pattern = field["requestBodyPattern"] { try captures.read(body: pattern) }
        filter.keepsRepeats = try field["repeatsAsScenarios"]?.bool() ?? true
        isPersistent = try field["persist"]?.bool() ?? true
        if let format = field["outputFormat"] {
            showsStubs = try format.word(of: ["FULL", "IDS", "full", "ids"]).uppercased() == "FULL"
        }
    }

    private mutating func read(_ filters: LocatedValue) throws(StubError) {
        var object = try filters.object()
        if let list = filters["ids"] {
            ids = []
            for element in try list.elements() {
                let text = try element.string()
                guard let id = StubID(text) else {
                    throw element.problem(
                        "\(JSONValue.string(text).excerpt) isn't a UUID; write ids of the journal's entries"
                    )
                }
                ids?.insert(id)
            }
        }
        takesOwnResponses = try filters["allowNonProxied"]?.bool() ?? false
        object["ids"] = nil
        object["allowNonProxied"] = nil
        guard object.count > 0 else { return }
        do throws(StubError) {
            filter.pattern = try RequestPattern(json: AdminCall.completed(pattern: .object(object)))
        } catch {
            throw StubError(error.text, at: filters.path + error.path, isAboutKey: error.isAboutKey)
        }
    }
}

/// The matchers to add to recorded requests, beyond those that distinguish their responses.
struct RecordedMatchers: Sendable {
    private static let bodyOptions = [
        "equalToJson": ["ignoreArrayOrder", "ignoreExtraElements"], "equalTo": ["caseInsensitive"],
    ]

    /// The header fields, each with the options of its matcher.
    private var headers: [(name: HTTPField.Name, options: JSONObject)] = []
    /// The name and options of the matcher for bodies; nil without one.
    private var body: (matcher: String, options: JSONObject)?

    mutating func read(headers field: LocatedValue) throws(StubError) {
        for (name, member) in try field.members() {
            guard let header = HTTPField.Name(name) else {
                throw StubError("'\(name)' can't be the name of a header field", at: member.path, isAboutKey: true)
            }
            try MockReader(isForeign: false).refuse(member, but: ["caseInsensitive"])
            let ignoresCase = try member["caseInsensitive"]?.bool() ?? false
            headers.append((header, ignoresCase ? ["caseInsensitive": true] : [:]))
        }
    }

    mutating func read(body field: LocatedValue) throws(StubError) {
        let keys = ["ignoreArrayOrder", "ignoreExtraElements", "caseInsensitive"]
        try MockReader(isForeign: false).refuse(field, but: ["matcher"] + keys)
        let matcher = try field["matcher"]?.word(of: ["auto", "equalTo", "equalToJson", "equalToXml"])
        var options = JSONObject()
        for key in keys { options[key] = try (field[key]?.bool()).map { .bool($0) } }
        body = (matcher ?? "auto", options)
    }

    /// The matchers for an exchange's header fields, by name.
    func headers(of exchange: RecordedExchange) -> [(name: String, matcher: JSONValue)] {
        headers.compactMap { name, options in
            guard let value = exchange.requestHeaders[name] else { return nil }
            return (name.rawName, .object((["equalTo": .string(value)] as JSONObject).merging(options)))
        }
    }

    /// The matcher for an exchange's body; nil without one.
    func body(of exchange: RecordedExchange) -> JSONValue? {
        guard let body, !exchange.requestBody.isEmpty, !exchange.requestType.hasPrefix("multipart/") else { return nil }
        let bytes = exchange.requestBody
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return ["binaryEqualTo": .string(Base64.encode(bytes: bytes))]
        }
        let isJSON = (try? JSONValue(parsing: bytes)) != nil
        let usual = isJSON ? "equalToJson" : exchange.requestType.hasSuffix("xml") ? "equalToXml" : "equalTo"
        let matcher = body.matcher == "auto" ? usual : body.matcher
        var object: JSONObject = [matcher: .string(text)]
        for member in body.options.members where Self.bodyOptions[matcher]?.contains(member.key) == true {
            object[member.key] = member.value
        }
        return .object(object)
    }
}
