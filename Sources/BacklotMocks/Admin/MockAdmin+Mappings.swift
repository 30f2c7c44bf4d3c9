import Backlot

/// Commands about stubs. Removed stubs of files come back with a reset, or when their files change.
extension MockAdmin {
    static let importKinds = [
        Kind("import", as: [.imported], "Stubs that are added.", keys: importedKeys),
        Kind("options", as: [.importOptions], "The treatment of other stubs.", keys: importOptionsKeys),
    ]
    private static let importOptionsKeys: [Key] = [
        .optional("duplicatePolicy", .words(["OVERWRITE", "IGNORE"]), "Whether a stub replaces one with its id."),
        .optional("deleteAllNotInImport", .bool, "Whether all others are removed.", default: false),
    ]
    private static let importedKeys: [Key] = [
        .required("mappings", .array(.any), "The stubs; the first one takes precedence."),
        .optional("importOptions", .object(.importOptions), "The treatment of other stubs."),
        .optional("meta", .any, "Nothing: WireMock writes it."),
    ]

    static let mappingRoutes: [AdminRoute] = [
        AdminRoute(.get, "/mappings") { admin, call in
            let all = admin.backend.stubs.all
            let rest = all.dropFirst(try call.number("offset") ?? 0)
            return .list(rest.prefix(try call.number("limit") ?? rest.count), total: all.count)
        },
        AdminRoute(.post, "/mappings") { admin, call in
            let (stub, warnings) = try admin.stub(.object(try call.object()))
            try admin.keep([stub])
            admin.backend.stubs.add(stub)
            return Response(json: stub.json, status: .created).warning(of: warnings)
        },
        .doing(.delete, "/mappings") { admin, _ in
            for stub in admin.backend.stubs.all where stub.isPersistent { try admin.forget(stub) }
            admin.backend.stubs.removeAll()
        },
        .doing(.post, "/mappings/reset") { admin, _ in admin.backend.stubs.reset() },
        .doing(.post, "/mappings/save") { admin, _ in
            let stubs = admin.backend.stubs.all.filter { !$0.source.isFile }.map(\.persistent)
            try admin.keep(stubs)
            // The latest stub takes precedence, so the first one is replaced last.
            for stub in stubs.reversed() { _ = admin.backend.stubs.replace(stub) }
        },
        .doing(.post, "/mappings/remove") { admin, call in
            let document = JSONValue.object(try call.object())
            let id = (document["id"] ?? document["uuid"])?.string.flatMap { StubID($0) }
            let found = admin.backend.stubs.all.filter { stub in
                id.map { stub.id == $0 } ?? (stub.json["request"] == document["request"])
            }
            for stub in found.prefix(id == nil ? 1 : found.count) { try admin.remove(stub) }
        },
        AdminRoute(.get, "/mappings/unmatched") { admin, _ in .list(admin.unusedStubs) },
        .doing(.delete, "/mappings/unmatched") { admin, _ in
            for stub in admin.unusedStubs { try admin.remove(stub) }
        },
        AdminRoute(.post, "/mappings/import") { admin, call in try admin.importMappings(call) },
        AdminRoute(.post, "/mappings/find-by-metadata") { admin, call in .list(try admin.stubs(withMetadata: call)) },
        .doing(.post, "/mappings/remove-by-metadata") { admin, call in
            for stub in try admin.stubs(withMetadata: call) { try admin.remove(stub) }
        },
        AdminRoute(.get, "/mappings/{id}") { admin, call in Response(json: try admin.stub(of: call).json) },
        AdminRoute(.put, "/mappings/{id}") { admin, call in
            let former = try admin.stub(of: call)
            var object = try call.object()
            object["uuid"] = nil
            object["id"] = .string("\(former.id)")
            let (stub, warnings) = try admin.stub(.object(object))
            if !stub.isPersistent { try admin.forget(former) }
            try admin.keep([stub])
            guard admin.backend.stubs.replace(stub) else { throw AdminError.notFound("mapping \(stub.id)") }
            return Response(json: stub.json).warning(of: warnings)
        },
        .doing(.delete, "/mappings/{id}") { admin, call in try admin.remove(try admin.stub(of: call)) },
    ]

    /// The stub that the path names.
    private func stub(of call: AdminCall) throws(AdminError) -> Stub {
        let id = try call.id("mapping")
        if let stub = backend.stubs.stub(id) { return stub }
        throw .notFound("mapping \(id)")
    }

    private func stub(_ document: JSONValue) throws(StubError) -> (Stub, [StubError]) {
        try backend.stubWithWarnings(json: AdminCall.completed(stub: document))
    }

    // MARK: Files

    /// Writes the files of those stubs that are persistent.
    private func keep(_ stubs: [Stub]) throws {
        let stubs = stubs.filter(\.isPersistent)
        if !stubs.isEmpty { try MappingFiles(folder: try folder()).save(stubs) }
    }

    private func forget(_ stub: Stub) throws {
        if let folder = backend.routesFolder { try MappingFiles(folder: folder).remove(stub) }
    }

    private func remove(_ stub: Stub) throws {
        try forget(stub)
        backend.stubs.remove(stub.id)
    }

    /// The stubs that haven't matched any request in the journal.
    private var unusedStubs: [Stub] {
        let used = Set(journal.entries.compactMap { $0.stub?.id })
        return backend.stubs.all.filter { !used.contains($0.id) }
    }

    private func importMappings(_ call: AdminCall) throws -> Response {
        let document = try call.object(as: .imported).value
        let options = document["importOptions"]
        let ignoresDuplicates = options?["duplicatePolicy"]?.string == "IGNORE"
        var warnings: [StubError] = []
        // All are read before the first is added, so that a mistake changes nothing.
        var stubs: [Stub] = []
        for (index, mapping) in (document["mappings"]?.array ?? []).enumerated() {
            let place = [StubError.Step.key("mappings"), .index(index)]
            do throws(StubError) {
                let (stub, found) = try stub(mapping)
                stubs.append(stub)
                warnings += found.map { $0.below(place) }
            } catch {
                throw error.below(place)
            }
        }
        if options?["deleteAllNotInImport"]?.bool == true {
            let kept = Set(stubs.map(\.id))
            let others = backend.stubs.all.filter { !kept.contains($0.id) }
            for stub in others { try remove(stub) }
            // What commands have saved is gone; other files stay.
            let staying = others.filter { !$0.isPersistent || $0.source.file != MappingFiles.name(of: $0) }
            let files = Set(staying.compactMap(\.source.file)).sorted()
            if let first = files.first {
                let names = files.count == 1 ? "the file \(first) stays" : "\(files.count) files stay, such as \(first)"
                let text =
                    "\(names): what was removed of them comes back with a reset, or when they change; remove them, too"
                warnings.append(StubError(text, at: [.key("importOptions"), .key("deleteAllNotInImport")]))
            }
        }
        // The latest stub takes precedence, so the first of the import is added last.
        var known = Set(ignoresDuplicates ? backend.stubs.all.map(\.id) : [])
        let added = stubs.reversed().filter { known.insert($0.id).inserted || !ignoresDuplicates }
        try keep(added)
        for stub in added { backend.stubs.add(stub) }
        return Response.done.warning(of: warnings)
    }

    /// The stubs with metadata that the body's pattern matches.
    func stubs(withMetadata call: AdminCall, among stubs: [Stub]? = nil) throws -> [Stub] {
        var reader = MockReader(isForeign: true)
        let document = LocatedValue(.object(try call.object()))
        try reader.check(document, as: .matcher)
        let pattern = try ContentPattern(document, &reader)
        return call.comparing(on: backend) { budget in
            (stubs ?? backend.stubs.all).filter { stub in
                stub.json["metadata"].map { pattern.matches(.json($0), &budget) } ?? false
            }
        }
    }
}

extension Response {
    /// The most warnings in a response.
    private static let mostWarnings = 20

    /// Adds warnings about accepted input in a separate field, since WireMock's clients would fail on unknown members.
    fileprivate func warning(of warnings: [StubError]) -> Response {
        guard let name = HTTPField.Name("Backlot-Warning") else { return self }
        var response = self
        for warning in warnings.prefix(Self.mostWarnings) {
            let text = "\(warning)".unicodeScalars.map { (32...126).contains($0.value) ? String($0) : "?" }.joined()
            response.headers.append(HTTPField(name: name, value: text))
        }
        return response
    }
}

extension Response {
    fileprivate static func list(_ stubs: some Collection<Stub>, total: Int? = nil) -> Response {
        let total = JSONValue(total ?? stubs.count)
        return Response(json: ["mappings": .array(stubs.map(\.json)), "meta": ["total": total]])
    }
}

extension Stub {
    /// The same stub, kept in a file.
    fileprivate var persistent: Stub {
        var (stub, object) = (self, json.object ?? [:])
        stub.isPersistent = true
        object["persistent"] = .bool(true)
        stub.json = .object(object)
        return stub
    }
}

extension Role {
    fileprivate static let imported = Role("import")
    fileprivate static let importOptions = Role("options")
}
