import Backlot

/// Commands for the files in `__files`, which stubs name as their bodies, and for the files below `Routes/`, for editors. WireMock
/// doesn't have the latter.
extension MockAdmin {
    static let fileRoutes: [AdminRoute] = [
        AdminRoute(.get, "/files") { admin, _ in
            let names = try admin.fileNames().filter { $0.hasPrefix("__files/") }
            return Response(json: .array(names.map { .string(String($0.dropFirst("__files/".count))) }))
        },
        AdminRoute(.get, below: "/files") { admin, call in
            let name = "__files/\(try call.fileName())"
            let type = MediaType.byEnding[MediaType.ending(of: name)] ?? MediaType.unknown
            return Response(headers: [.contentType: type], body: .bytes(try admin.read(name)))
        },
        AdminRoute(.put, below: "/files") { admin, call in
            let name = "__files/\(try call.fileName())"
            try admin.folder().write(call.request.body, to: name)
            return .done
        },
        AdminRoute(.delete, below: "/files") { admin, call in
            let name = "__files/\(try call.fileName())"
            guard try admin.folder().remove(name) else { throw AdminError.notFound("file \(name)") }
            return .done
        },
        AdminRoute(.get, "/routes") { admin, call in
            let files = try admin.fileNames().filter(Self.isEditable)
            let found = call.query("url").map { url in admin.files(at: url, among: files) } ?? files
            return Response(json: ["files": .array(found.map { .string($0) })])
        },
        AdminRoute(.get, "/schemas/{kind}") { admin, call in
            let kind = call.parameters["kind"] ?? ""
            guard let schema = MockVocabulary.schema(of: kind, formats: admin.backend.configuration.formats) else {
                throw AdminError.notFound("schema \(kind)")
            }
            return Response(json: schema)
        },
        AdminRoute(.get, below: "/routes") { admin, call in
            let bytes = try admin.read(try call.fileName())
            let headers: HTTPFields = [
                .contentType: "text/plain; charset=utf-8", .eTag: "\(ETag(ContentHash.text(of: bytes)))",
                .xContentTypeOptions: "nosniff",
            ]
            return Response(headers: headers, body: .bytes(bytes))
        },
        AdminRoute(.put, below: "/routes") { admin, call in try admin.writeRouteFile(call) },
        AdminRoute(.post, below: "/routes") { admin, call in try admin.judgeRouteFile(call) },
    ]

    /// The folder of the routes.
    func folder() throws(AdminError) -> RoutesFolder {
        if let folder = backend.routesFolder { return folder }
        let advice = "there is no folder of routes; start the server with --routes DIR"
        throw AdminError(.unprocessableContent, "No files", advice)
    }

    private func fileNames() throws(AdminError) -> [String] { try folder().list()?.files.keys.sorted() ?? [] }

    private func read(_ name: String) throws(AdminError) -> [UInt8] {
        let folder = try folder()
        return try mapErrors({ AdminError(.notFound, "Not found", "\(name) \($0)") }) { try folder.read(name) }
    }

    /// Whether people write the file as text.
    private static func isEditable(_ name: String) -> Bool {
        [".json", ".yaml", ".yml"].contains { name.lowercased().hasSuffix($0) }
    }

    /// The files with a route for a URL: those of stubs, in the order of their matching, and those of apps.
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
        func stem(_ name: String?) -> Substring? { name?.split(separator: ".").first }
        let names = request.pathSegments.filter { !$0.isEmpty }
        return found
            + files.filter { file in
                guard (try? AppFileName(file, among: backend.configuration.apps)) != nil else { return false }
                let parts = file.split(separator: "/").map(String.init)
                return Array(parts.dropLast()) == Array(names.dropLast()) && stem(parts.last) == stem(names.last)
            }
    }

    /// Writes a file where nobody else has changed it since the client read it (`If-Match`), or where it isn't there
    /// (`If-None-Match: *`).
    private func writeRouteFile(_ call: AdminCall) throws -> Response {
        let name = try call.fileName()
        guard Self.isEditable(name) else {
            throw AdminError(.unprocessableContent, "Not written", "\(name) ends neither in .json nor in .yaml")
        }
        let folder = try folder()
        // Of two editors that save at once, one is the second.
        try Self.writing.withLock { _ in
            let now = (try? folder.read(name)).map { ETag(ContentHash.text(of: $0)) }
            if let wanted = call.request.headerValues("If-Match").first {
                guard let now, ETag(parsing: wanted)?.stronglyMatches(now) == true else {
                    let what = now == nil ? "is gone" : "has changed"
                    throw AdminError(.preconditionFailed, "Conflict", "\(name) \(what) since it was read")
                }
            } else if call.request.headerValues("If-None-Match").first == "*", now != nil {
                throw AdminError(.preconditionFailed, "Conflict", "\(name) is there already")
            }
            try folder.write(call.request.body, to: name)
        }
        var response = Response.done
        response.headers[.eTag] = "\(ETag(ContentHash.text(of: call.request.body)))"
        return response
    }

    private static let writing = Locked(())

    /// Checks a draft of a file: its mistakes, and its first page with the number of that response in the file. Nothing is written.
    private func judgeRouteFile(_ call: AdminCall) throws(AdminError) -> Response {
        let (name, folder) = (try call.fileName(), try folder())
        var file: LoadedFile?
        var problems: [MockFileError] = []
        do throws(MockFileErrors) {
            file = try backend.parse(name, in: folder, draft: call.request.body)
        } catch {
            problems = error.list
        }
        // A refusal may stand before the page.
        let index = file?.stubs.firstIndex { $0.response.status.kind == .successful && $0.sample?.object != nil } ?? 0
        let page = file?.app?.document ?? file?.stubs.dropFirst(index).first?.sample
        return Response(json: [
            "problems": .array(problems.map(\.json)), "warnings": .array(file?.warnings.map(\.json) ?? []),
            "document": page ?? .null, "response": JSONValue(index),
        ])
    }
}

extension AdminCall {
    /// The file that the path names.
    fileprivate func fileName() throws(AdminError) -> String {
        let name = request.pathSegments.dropFirst().joined(separator: "/")
        guard !name.isEmpty else { throw .notFound("file") }
        return name
    }
}
