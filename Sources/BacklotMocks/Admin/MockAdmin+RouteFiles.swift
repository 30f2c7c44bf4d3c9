import Backlot
import BacklotHTTP
import BacklotJSON
import HTTPTypes

/// Commands about the files below `Routes/` themselves, for editors: WireMock has none of them.
extension MockAdmin {
    static let routeFileRoutes: [AdminRoute] = [
        AdminRoute(.get, "/routes") { admin, call in
            let files = try admin.folder().list()?.files.keys.filter(Self.isEditable).sorted() ?? []
            let found = call.query("url").map { url in admin.files(at: url, among: files) } ?? files
            return Response(json: ["files": .array(found.map { .string($0) })])
        },
        AdminRoute(.get, "/schemas/{kind}") { admin, call in
            let kind = call.parameters["kind"] ?? ""
            guard let schema = MockVocabulary.schema(of: kind, formats: admin.backend.configuration.formats) else {
                throw AdminProblem.notFound("schema \(kind)")
            }
            return Response(json: schema)
        },
        AdminRoute(.get, below: "/routes") { admin, call in
            let name = try call.routeFile()
            let folder = try admin.folder()
            do throws(UnreadableFile) {
                let bytes = try folder.read(name)
                let headers: HTTPFields = [
                    .contentType: "text/plain; charset=utf-8", .eTag: "\(ETag(ContentHash.text(of: bytes)))",
                    .xContentTypeOptions: "nosniff",
                ]
                return Response(headers: headers, body: .bytes(bytes))
            } catch {
                throw AdminProblem(.notFound, "Not found", "\(name) \(error.reason)")
            }
        },
        AdminRoute(.put, below: "/routes") { admin, call in try admin.writeRouteFile(call) },
        AdminRoute(.post, below: "/routes") { admin, call in try admin.judgeRouteFile(call) },
    ]

    /// Files whose text people write.
    private static func isEditable(_ name: String) -> Bool {
        [".json", ".yaml", ".yml"].contains { name.lowercased().hasSuffix($0) }
    }

    /// The files that answer at a URL: those of stubs, in the order in which they are asked, and those of apps.
    private func files(at url: String, among files: [String]) -> [String] {
        let path = String(url.prefix { $0 != "?" && $0 != "#" })
        guard backend.covers(path), let request = try? MockRequest(.get, String(path.dropFirst(backend.prefix.count)))
        else { return [] }
        var found: [String] = []
        var budget = MatchBudget.command
        for stub in backend.stubs.candidates(for: request).map(\.stub) {
            guard case .file(let file, _) = stub.source, files.contains(file), !found.contains(file),
                stub.request.url.matches(request, &budget)
            else { continue }
            found.append(file)
        }
        // Files of apps are parts of one: those of the path's folder with its last name come first.
        let names = request.pathSegments.filter { !$0.isEmpty }
        for file in files where (try? AppFileName(file, among: backend.configuration.apps)) != nil {
            let parts = file.split(separator: "/").map(String.init)
            let own = parts.last?.split(separator: ".").first.map(String.init)
            let last = names.last?.split(separator: ".").first.map(String.init)
            if Array(parts.dropLast()) == Array(names.dropLast()), own == last { found.append(file) }
        }
        return found
    }

    /// Writes a file where nobody else has changed it since the client read it (`If-Match`), or where it isn't there
    /// (`If-None-Match: *`).
    private func writeRouteFile(_ call: AdminCall) throws(AdminProblem) -> Response {
        let name = try call.routeFile()
        guard Self.isEditable(name) else {
            throw AdminProblem(.unprocessableContent, "Not written", "\(name) ends neither in .json nor in .yaml")
        }
        let folder = try folder()
        let tag = ETag(ContentHash.text(of: call.request.body))
        // Of two editors that save at once, one is the second.
        let problem: AdminProblem? = Self.writing.withLock { _ in
            let now = (try? folder.read(name)).map { ETag(ContentHash.text(of: $0)) }
            if let wanted = call.request.headerValues("If-Match").first {
                guard let now, ETag(parsing: wanted)?.stronglyMatches(now) == true else {
                    let what = now == nil ? "is gone" : "has changed"
                    return AdminProblem(.preconditionFailed, "Conflict", "\(name) \(what) since it was read")
                }
            } else if call.request.headerValues("If-None-Match").first == "*", now != nil {
                return AdminProblem(.preconditionFailed, "Conflict", "\(name) is there already")
            }
            do throws(UnwritableFile) {
                try folder.write(call.request.body, to: name)
                return nil
            } catch {
                return AdminProblem(.unprocessableContent, "Not written", error.reason)
            }
        }
        if let problem { throw problem }
        var response = Response.done
        response.headers[.eTag] = "\(tag)"
        return response
    }

    private static let writing = Locked(())

    /// Says what is wrong with what a file would hold, and what it would answer first; nothing is written.
    private func judgeRouteFile(_ call: AdminCall) throws(AdminProblem) -> Response {
        let name = try call.routeFile()
        var document = JSONValue.null
        var problems: [FileProblem] = []
        var warnings: [FileProblem] = []
        let folder = try folder()
        do throws(FileProblems) {
            if let file = try backend.parse(name, in: folder, draft: call.request.body) {
                document = file.firstDocument
                warnings = file.warnings
            }
        } catch {
            problems = error.list
        }
        return Response(
            json: [
                "problems": .array(problems.map(\.json)), "warnings": .array(warnings.map(\.json)),
                "document": document,
            ]
        )
    }
}

extension AdminCall {
    /// The file that the path names, below the folder of the routes.
    fileprivate func routeFile() throws(AdminProblem) -> String {
        let name = request.pathSegments.dropFirst().joined(separator: "/")
        guard !name.isEmpty else { throw .notFound("file") }
        return name
    }
}
