import Backlot
import BacklotHTTP
import BacklotJSON
import BacklotMocks
import Logging

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Commands about recordings, and about the journal as other programs read it.
extension Recordings {
    static let commands: [AdminRoute] = [
        AdminRoute(.get, "/requests.har") { admin, _ in
            let entries = Array(admin.journal.entries.reversed())
            return Response(json: HARWriter.document(entries, below: admin.backend.configuration.prefix))
        },
        AdminRoute(.get, "/requests.swift") { _, _ in
            throw AdminProblem(
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
                throw AdminProblem.value(
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
                throw AdminProblem(.badRequest, "Not currently recording.", "start a recording first", code: 30)
            }
            do {
                return try recordings.keep(recording, nil, order, call, admin.backend)
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
            // A recording that is on has its own files.
            if let last, contents.exchanges.isEmpty, order.isDefault {
                return try recordings.keep(last, nil, order, call, admin.backend)
            }
            if order.ids == nil, let last { contents.exchanges += last.recorder.contents.exchanges }
            contents.exchanges.sort { $0.began < $1.began }
            let own = recordings.recording(order, from: nil, of: admin.backend)
            return try recordings.keep(own, contents, order, call, admin.backend)
        },
    ]

    /// What is known of requests that another backend has answered because a stub says so, and of the mocks' own answers.
    private func noted(_ order: RecordingOrder, in journal: Journal) -> Recorder.Contents {
        var noted = Recorder.Contents()
        if order.ids == nil { noted.exchanges = forwarded.contents.exchanges }
        for entry in journal.entries.reversed() where entry.fault == nil {
            guard order.ids?.contains(entry.id) ?? true, let stub = entry.stub else { continue }
            if stub.answer.isForwarded {
                if order.ids != nil {
                    noted.skipped.append("\(entry.id): another backend has answered it; order a snapshot without ids")
                }
            } else if order.takesOwnAnswers {
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

    /// Makes stubs of a recording, which answer from now on, and shows them.
    private func keep(
        _ recording: Recording,
        _ contents: Recorder.Contents?,
        _ order: RecordingOrder,
        _ call: AdminCall,
        _ backend: MockBackend
    ) throws -> Response {
        let report: RecordingReport
        do {
            report = try recording.write(contents, updating: call.query("update").map { $0 == "true" })
        } catch let mistake as RecordingWriter.Mistake {
            let cure =
                mistake.kind == .conflict
                ? "; the recording goes on: stop it with POST \(MockAdmin.path)/recordings/stop?update=true, or move those files away first"
                : ""
            let text = mistake.text.replacing("--update", with: "?update=true")
            throw AdminProblem(.unprocessableContent, "Not written", text + cure)
        }
        var stubs = try backend.stubs(of: report.files)
        if let folder = recording.settings.folder, folder == backend.routesFolder?.path {
            // What follows the folder would read them within a second; a test may ask at once.
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
    /// The stubs that files make.
    fileprivate func stubs(of files: [RecordedFile]) throws -> [Stub] {
        let folder = FileManager.default.temporaryDirectory.path + "/backlot-\(StubID())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try RecordingWriter(folder).write(files)
        var configuration = MockConfiguration(formats: self.configuration.formats)
        configuration.path = self.configuration.path
        let backend = MockBackend(configuration, logger: logger)
        for problem in try RouteFiles(folder, backend: backend).scan().problems { logger.error("\(problem)") }
        return backend.stubs.all
    }
}

extension StubSource {
    /// The path of the file; nil for none.
    fileprivate var file: String? {
        if case .file(let path, _) = self { path } else { nil }
    }
}
