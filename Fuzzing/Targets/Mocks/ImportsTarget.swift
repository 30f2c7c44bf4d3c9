import Backlot
import BacklotJSON
import TestSupport

@testable import BacklotHTTP
@testable import BacklotMocks
@testable import BacklotRecording

extension FuzzTarget {
    /// Documents that become mocks: HAR, OpenAPI, tables in CSV, and route files. The first line of an input is the file's name.
    /// An error says what is wrong; otherwise the mocks start without a broken file, and each route responds.
    static let imports = FuzzTarget(name: "imports") { input async throws(Violation) in
        let end = input.firstIndex(of: 10) ?? input.endIndex
        let name = String(decoding: input[..<end], as: UTF8.self)
        let bytes = Array(input[end...].dropFirst())
        do {
            return try await withTemporaryFolder { folder in
                let run = ImportRun(bytes: bytes, folder: folder)
                if name.hasSuffix(".har") { return try await run.checkHAR() }
                if name.hasPrefix("openapi.") { return try await run.checkOpenAPI(name) }
                if name.hasSuffix(".csv") { return try await run.checkCSV() }
                return try await run.checkRouteFile(name)
            }
        } catch let violation as Violation {
            throw violation
        } catch {
            throw Violation(description: "\(name): \(error)")
        }
    }
}

private struct ImportRun {
    let bytes: [UInt8]
    let folder: TemporaryFolder

    // MARK: Documents

    func checkHAR() async throws -> Bool {
        let capture: HARRecording
        do throws(MessageError) {
            capture = try HARRecording(bytes)
        } catch {
            try require(!error.description.isEmpty, "an error without a text")
            return false
        }
        let report = RecordingReport(
            capture.exchanges,
            skipped: capture.skipped,
            keys: [],
            formats: FuzzedMocks.formats,
            options: RouteRecording.Options()
        )
        guard !report.files.isEmpty else {
            try require(report.lines.contains { $0.hasPrefix("skipped: ") }, "nothing says why there are no files")
            return false
        }
        let mocks = try start(with: report.files)
        for (index, exchange) in report.exchanges.enumerated() where Self.isReplayable(exchange) {
            let call = MockScript.Call(
                method: exchange.method.rawValue,
                target: exchange.url,
                headers: exchange.requestHeaders,
                body: exchange.requestBody
            )
            if index == 0 {
                // Nothing has changed a state yet.
                let (status, _) = try await response(to: call, in: mocks)
                let isSame = [0, exchange.status].contains(status)
                try require(isSame, "\(exchange.title) was recorded with \(exchange.status), and is \(status)")
                _ = try mocks.carryOut(.post, "/reset", [])
            }
            try await expectStub(for: call, in: mocks, "\(exchange.title) was recorded")
        }
        return true
    }

    /// Whether files can reproduce an exchange.
    private static func isReplayable(_ exchange: RecordedExchange) -> Bool {
        [.get, .post, .put, .patch, .delete].contains(exchange.method) && ![206, 304].contains(exchange.status)
            && (200...599).contains(exchange.status) && !exchange.path.contains("//")
            && exchange.path.utf8.count { $0 == 47 } <= 30
    }

    func checkOpenAPI(_ name: String) async throws -> Bool {
        let document: OpenAPIImport
        do throws(MockFileErrors) {
            document = try OpenAPIImport(bytes, file: name)
        } catch {
            try require(error.list.contains { !$0.text.isEmpty }, "an error without a text")
            return false
        }
        guard !document.files.isEmpty else {
            try require(!document.remarks.isEmpty, "nothing says why there are no files")
            return false
        }
        let mocks = try start(with: document.files)
        for probe in mocks.backend.probes {
            guard let call = Self.call(probe) else { continue }
            try await expectStub(for: call, in: mocks, "\(probe.title) is documented")
        }
        return true
    }

    func checkCSV() async throws -> Bool {
        try folder.write(bytes, to: "data/rows.csv")
        try folder.write("bucket: rows\n", to: "rows.crud.yaml")
        let mocks = try FuzzedMocks(folder.path)
        guard mocks.report.problems.isEmpty else {
            try check(mocks.report.problems)
            return false
        }
        let table = try CSVTable(bytes).rows.map(\.row)
        let (status, body) = try await response(to: .init(method: "GET", target: "/rows"), in: mocks)
        let rows = try JSONValue(parsing: body).array ?? []
        try require(status == 200 && rows.count == table.count, "\(table.count) rows became \(status) \(rows.count)")
        for (row, written) in zip(rows, table) {
            // A row without an id gets one.
            for member in written.members where member.key != "id" || !member.value.isNull {
                try require(row[member.key] == member.value, "\(written) became \(row)")
            }
            let id = row["id"].map { $0.string ?? "\($0)" } ?? ""
            // No path can name these.
            guard !id.isEmpty, id != ".", id != "..", !id.contains("\0") else { continue }
            let call = MockScript.Call(method: "GET", target: "/rows/\(PercentEncoding.segment(id))")
            let found = try await response(to: call, in: mocks)
            try require(found.status == 200, "\(call.target) is \(found.status), but \(row) is a row")
        }
        return true
    }

    func checkRouteFile(_ name: String) async throws -> Bool {
        let script = MockScript(Array("# FILE \(name)\n".utf8))
        guard let file = script.files.first else { return false }
        try folder.write(bytes, to: file.name)
        let mocks = try FuzzedMocks(folder.path)
        guard !mocks.isUnsuitable else { return false }
        try check(mocks.report.problems)
        let probes = mocks.backend.probes
        for probe in probes {
            guard let call = Self.call(probe) else { continue }
            for other in [call] + call.nearMisses { _ = try await response(to: other, in: mocks) }
        }
        return mocks.report.files > 0
    }

    // MARK: Mocks

    /// Starts mocks with imported files, which are not broken.
    private func start(with files: [RecordedFile]) throws -> FuzzedMocks {
        try RecordingWriter(folder.path).write(files)
        let mocks = try FuzzedMocks(folder.path)
        func text(_ file: String) -> String {
            files.first { $0.path == file }.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
        }
        if let problem = mocks.report.problems.first {
            throw Violation(description: "the import made a broken file: \(problem)\n\(text(problem.file))")
        }
        return mocks
    }

    private func check(_ problems: [MockFileError]) throws(Violation) {
        for problem in problems {
            try require(!problem.text.isEmpty && problem.line > 0 && problem.column > 0, "\(problem) says too little")
        }
    }

    private func response(
        to call: MockScript.Call,
        in mocks: FuzzedMocks
    ) async throws(Violation) -> (status: Int, body: [UInt8]) {
        guard let request = FuzzedMocks.request(call) else { return (0, []) }
        return try await mocks.response(to: request)
    }

    /// Sends a request that a stub must match; it responds as it says.
    private func expectStub(for call: MockScript.Call, in mocks: FuzzedMocks, _ reason: String) async throws(Violation)
    {
        guard let request = FuzzedMocks.request(call) else { return }
        let id = mocks.backend.probed(by: request, body: call.body)?.id
        let (status, body) = try await response(to: call, in: mocks)
        let text = String(decoding: body, as: UTF8.self)
        guard let stub = id.flatMap({ mocks.backend.stubs.stub($0) }) else {
            throw Violation(description: "\(reason), but \(call.target) has no stub: \(status) \(text)")
        }
        let isItsOwn = status < 500 || status == stub.response.status.code
        try require(isItsOwn, "\(reason), but \(call.target) is \(status) \(text)")
        for other in call.nearMisses { _ = try await response(to: other, in: mocks) }
    }

    /// A request for a response; nil if it can't be requested, or if nothing tells which values its path may have.
    private static func call(_ probe: MockProbe) -> MockScript.Call? {
        let names = probe.pattern.segments.compactMap(\.name)
        let values = Dictionary(names.map { ($0, "1") }) { first, _ in first }
        let isOpen = probe.stub.request.conditions.contains { condition in
            if case .values(.pathParameter, let name, _) = condition { probe.parameters[name] == nil } else { false }
        }
        guard !isOpen, probe.obstacle == nil, probe.laterState == nil, let path = probe.path(values) else { return nil }
        let query = encoded(probe.query)
        var call = MockScript.Call(
            method: probe.method.rawValue,
            target: query.isEmpty ? path : "\(path)?\(query)",
            headers: probe.headers
        )
        if let body = probe.body {
            call.body = body
        } else if !probe.form.isEmpty {
            call.body = Array(encoded(probe.form).utf8)
            call.headers[.contentType] = "application/x-www-form-urlencoded"
        } else if probe.variables.count > 0 {
            call.body = JSONValue.object(probe.variables).bytes
            if call.headers[.contentType] == nil { call.headers[.contentType] = "application/json" }
        }
        return call
    }

    private static func encoded(_ values: [NamedValue]) -> String {
        values.map { "\(PercentEncoding.segment($0.name))=\(PercentEncoding.segment($0.value))" }.joined(separator: "&")
    }
}
