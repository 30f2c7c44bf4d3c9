import Backlot
import BacklotHTTP
import BacklotJSON
import HTTPTypes
import Logging

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Commands about recordings.
extension MockAdmin {
    static let recordingRoutes: [AdminRoute] = [
        AdminRoute(.get, "/recordings/status") { admin, _ in
            Response(json: ["status": .string(admin.backend.recordings.status.rawValue)])
        },
        AdminRoute(.post, "/recordings/start") { admin, call in
            let order = try RecordingOrder(try call.object())
            guard let origin = order.origin ?? admin.backend.recordings.standing else {
                throw AdminProblem.value(
                    "targetBaseUrl",
                    "the backend is missing: {\"targetBaseUrl\": \"http://127.0.0.1:9000\"}"
                )
            }
            admin.backend.recordings.start(order, from: origin, settings: admin.settings(order), of: admin.backend)
            return .done
        },
        AdminRoute(.post, "/recordings/stop") { admin, call in
            let recordings = admin.backend.recordings
            guard let recording = recordings.stop(of: admin.backend), let order = recordings.last?.order else {
                throw AdminProblem(.badRequest, "Not currently recording.", "start a recording first", code: 30)
            }
            do {
                return try admin.keep(recording, order, updating: call.updating).answer(order)
            } catch {
                recordings.resume(of: admin.backend)
                throw error
            }
        },
        AdminRoute(.post, "/recordings/snapshot") { admin, call in
            let order = try RecordingOrder(try call.object())
            var exchanges = order.ids == nil ? admin.backend.recordings.last?.recording.recorder.exchanges ?? [] : []
            let (noted, skipped) = admin.noted(order)
            exchanges += noted
            let settings = admin.settings(order)
            // A recording that is on has its own files.
            if let (recording, _) = admin.backend.recordings.last, noted.isEmpty, order.isDefault {
                return try admin.keep(recording, order, updating: call.updating).answer(order)
            }
            let own = Recording(
                Recorder(exchanges, skipped: skipped),
                settings,
                formats: admin.backend.configuration.formats,
                logger: admin.backend.logger
            )
            return try admin.keep(own, order, updating: call.updating).answer(order)
        },
    ]

    private func settings(_ order: RecordingOrder) -> Recording.Settings {
        backend.recordings.settings(order, folder: backend.routesFolder?.path)
    }

    /// What is known of requests that another backend has answered because a stub says so, and of the mocks' own answers.
    private func noted(_ order: RecordingOrder) -> (exchanges: [RecordedExchange], skipped: [String]) {
        let forwarded = backend.recordings.forwarded
        var exchanges = order.ids == nil ? forwarded.exchanges : []
        var skipped: [String] = []
        for entry in journal.entries.reversed() where entry.fault == nil {
            if let ids = order.ids, !ids.contains(entry.id) { continue }
            guard let stub = entry.stub else { continue }
            if stub.answer.forwarding != nil {
                if order.ids != nil {
                    skipped.append("\(entry.id): another backend has answered it; order a snapshot without ids")
                }
                continue
            }
            guard order.takesOwnAnswers else { continue }
            guard entry.request.body.count == entry.bodySize else {
                skipped.append("\(entry.id): the journal has not kept the request's body")
                continue
            }
            var exchange = RecordedExchange(entry.request.method, entry.request.url, status: entry.response.status.code)
            for (name, value) in entry.request.headers {
                guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else { continue }
                exchange.requestHeaders.append(HTTPField(name: name, value: value))
            }
            exchange.requestBody = entry.request.body
            exchange.responseHeaders = entry.response.headers
            exchange.responseBody = entry.responseBody
            exchange.began = forwarded.start.duration(to: entry.request.received)
            exchange.duration = entry.duration
            exchanges.append(exchange)
        }
        return (exchanges.sorted { $0.began < $1.began }, skipped)
    }

    /// Makes stubs of a recording, which answer from now on.
    private func keep(_ recording: Recording, _ order: RecordingOrder, updating: Bool?) throws -> [Stub] {
        let report: RecordingReport
        do {
            report = try recording.write(updating: updating)
        } catch let mistake as RecordingWriter.Mistake {
            let cure =
                mistake.kind == .conflict
                ? "; the recording goes on: stop it with POST \(Self.path)/recordings/stop?update=true, or move those files away first"
                : ""
            throw AdminProblem(
                .unprocessableContent,
                "Not written",
                mistake.text.replacing("--update", with: "?update=true") + cure
            )
        }
        var stubs = try backend.stubs(of: report.files)
        guard recording.settings.folder == nil || recording.settings.folder != backend.routesFolder?.path else {
            // What follows the folder would read them within a second; a test may ask at once.
            for file in report.files where !file.path.hasPrefix("__files/") {
                backend.stubs.setStubs(stubs.filter { $0.source.file == file.path }, ofFile: file.path)
            }
            return stubs
        }
        if recording.settings.folder == nil, backend.recordings.standing == nil {
            for index in stubs.indices { stubs[index].source = .runTime }
            for stub in stubs.reversed() { backend.stubs.add(stub) }
        }
        return stubs
    }
}

extension MockBackend {
    /// The stubs that files make.
    fileprivate func stubs(of files: [RecordedFile]) throws -> [Stub] {
        let folder = FileManager.default.temporaryDirectory.path + "/backlot-\(StubID())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try RecordingWriter(folder).write(files)
        var configuration = MockConfiguration(formats: self.configuration.formats)
        configuration.path = self.configuration.path
        let backend = MockBackend(configuration, logger: logger)
        let routes = try RouteFiles(folder, backend: backend)
        for problem in routes.scan().problems { logger.error("\(problem)") }
        return backend.stubs.all
    }
}

extension AdminCall {
    /// Whether files are replaced that are there; nil where the call doesn't say.
    fileprivate var updating: Bool? { query("update").map { $0 == "true" } }
}

extension [Stub] {
    /// The stubs, or their ids, as commands show them.
    fileprivate func answer(_ order: RecordingOrder) -> Response {
        order.showsStubs
            ? Response(json: ["mappings": .array(map(\.json))])
            : Response(json: ["ids": .array(map { .string("\($0.id)") })])
    }
}
