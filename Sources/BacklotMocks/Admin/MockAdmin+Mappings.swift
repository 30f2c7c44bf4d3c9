import Backlot
import BacklotHTTP
import BacklotJSON
import HTTPTypes

/// Commands about stubs. Removed stubs of files come back with a reset, or when their files change.
extension MockAdmin {
    static let importKinds = [
        Kind(
            "import",
            as: [.imported],
            "Stubs that are added.",
            keys: [
                .required("mappings", .array(.any), "The stubs, of which the first is asked first."),
                .optional("importOptions", .object(.importOptions), "What becomes of other stubs."),
                .optional("meta", .any, "Nothing: WireMock writes it."),
            ]
        ),
        Kind(
            "options",
            as: [.importOptions],
            "What becomes of other stubs.",
            keys: [
                .optional(
                    "duplicatePolicy",
                    .names(["OVERWRITE": "The new one stays.", "IGNORE": "The old one stays."]),
                    "Which of two stubs with one id stays."
                ),
                .optional("deleteAllNotInImport", .bool, "Whether all others are removed.", default: false),
            ]
        ),
    ]

    static let mappingRoutes: [AdminRoute] = [
        AdminRoute(.get, "/mappings") { admin, call in try admin.listMappings(call) },
        AdminRoute(.post, "/mappings") { admin, call in
            let (stub, warnings) = try admin.stub(call)
            try admin.keep(stub)
            admin.backend.stubs.add(stub)
            return Response(json: stub.json, status: .created).warning(of: warnings)
        },
        AdminRoute(.delete, "/mappings") { admin, _ in
            for stub in admin.backend.stubs.all where stub.isPersistent { try admin.forget(stub) }
            admin.backend.stubs.removeAll()
            return .done
        },
        AdminRoute(.post, "/mappings/reset") { admin, _ in
            admin.backend.stubs.reset()
            return .done
        },
        AdminRoute(.post, "/mappings/save") { admin, _ in
            for stub in admin.backend.stubs.all where !stub.source.isFile { try admin.save(stub) }
            return .done
        },
        AdminRoute(.post, "/mappings/remove") { admin, call in
            let document = JSONValue.object(try call.object())
            let id = (document["id"] ?? document["uuid"])?.string.flatMap { StubID($0) }
            let found = admin.backend.stubs.all.filter { stub in
                id.map { stub.id == $0 } ?? (stub.json["request"] == document["request"])
            }
            for stub in found.prefix(id == nil ? 1 : found.count) { try admin.remove(stub) }
            return .done
        },
        AdminRoute(.get, "/mappings/unmatched") { admin, _ in
            let unused = admin.unusedStubs
            return Response(json: ["mappings": .array(unused.map(\.json)), "meta": ["total": unused.total]])
        },
        AdminRoute(.delete, "/mappings/unmatched") { admin, _ in
            for stub in admin.unusedStubs { try admin.remove(stub) }
            return .done
        },
        AdminRoute(.post, "/mappings/import") { admin, call in try admin.importMappings(call) },
        AdminRoute(.post, "/mappings/find-by-metadata") { admin, call in
            let found = try admin.stubs(withMetadata: call)
            return Response(json: ["mappings": .array(found.map(\.json)), "meta": ["total": found.total]])
        },
        AdminRoute(.post, "/mappings/remove-by-metadata") { admin, call in
            for stub in try admin.stubs(withMetadata: call) { try admin.remove(stub) }
            return .done
        },
        AdminRoute(.get, "/mappings/{id}") { admin, call in
            let id = try call.id("mapping")
            guard let stub = admin.backend.stubs.stub(id) else { throw AdminProblem.notFound("mapping \(id)") }
            return Response(json: stub.json)
        },
        AdminRoute(.put, "/mappings/{id}") { admin, call in
            let id = try call.id("mapping")
            guard let former = admin.backend.stubs.stub(id) else { throw AdminProblem.notFound("mapping \(id)") }
            let (stub, warnings) = try admin.stub(call, id: id)
            if former.isPersistent, !stub.isPersistent || MappingFiles.name(of: former) != MappingFiles.name(of: stub) {
                try admin.forget(former)
            }
            try admin.keep(stub)
            guard admin.backend.stubs.replace(stub) else { throw AdminProblem.notFound("mapping \(id)") }
            return Response(json: stub.json).warning(of: warnings)
        },
        AdminRoute(.delete, "/mappings/{id}") { admin, call in
            let id = try call.id("mapping")
            guard let stub = admin.backend.stubs.stub(id) else { throw AdminProblem.notFound("mapping \(id)") }
            try admin.remove(stub)
            return .done
        },
    ]

    /// The stub in the body.
    private func stub(_ call: AdminCall, id: StubID? = nil) throws -> (Stub, [StubProblem]) {
        var warnings: [StubProblem] = []
        let stub = try stub(.object(try call.object()), id: id, &warnings)
        return (stub, warnings)
    }

    private func stub(_ document: JSONValue, id: StubID? = nil, _ warnings: inout [StubProblem]) throws -> Stub {
        guard var object = AdminCall.completed(stub: document).object else {
            throw StubProblem("a mapping is an object, such as {\"request\": {}, \"response\": {}}", at: [])
        }
        if let id {
            object["uuid"] = nil
            object["id"] = .string("\(id)")
        }
        return try backend.stub(json: .object(object), &warnings)
    }

    // MARK: Files

    private func save(_ stub: Stub) throws(AdminProblem) {
        try writing { folder throws(UnwritableFile) in try MappingFiles(folder: folder).save(stub) }
    }

    /// Writes the file of a stub that is to outlive the server.
    private func keep(_ stub: Stub) throws(AdminProblem) {
        if stub.isPersistent { try save(stub) }
    }

    private func forget(_ stub: Stub) throws(AdminProblem) {
        guard stub.isPersistent, backend.routesFolder != nil else { return }
        try writing { folder throws(UnwritableFile) in try MappingFiles(folder: folder).remove(stub) }
    }

    private func remove(_ stub: Stub) throws(AdminProblem) {
        try forget(stub)
        backend.stubs.remove(stub.id)
    }

    /// The stubs that no request in the journal was answered by.
    private var unusedStubs: [Stub] {
        let used = Set(journal.entries.compactMap { $0.stub?.id })
        return backend.stubs.all.filter { !used.contains($0.id) }
    }

    // MARK: Lists

    private func listMappings(_ call: AdminCall) throws(AdminProblem) -> Response {
        let all = backend.stubs.all
        let rest = all.dropFirst(try call.number("offset") ?? 0)
        let page = rest.prefix(try call.number("limit") ?? rest.count)
        return Response(json: ["mappings": .array(page.map(\.json)), "meta": ["total": all.total]])
    }

    private func importMappings(_ call: AdminCall) throws -> Response {
        let document = try call.object(as: .imported).value
        let options = document["importOptions"]
        let ignoresDuplicates = options?["duplicatePolicy"]?.string == "IGNORE"
        let removesOthers = options?["deleteAllNotInImport"]?.bool ?? false
        var warnings: [StubProblem] = []
        // All are read before the first is added: a mistake changes nothing.
        var stubs: [Stub] = []
        for (index, mapping) in (document["mappings"]?.array ?? []).enumerated() {
            let place = [StubProblem.Step.key("mappings"), .index(index)]
            do {
                var found: [StubProblem] = []
                stubs.append(try stub(mapping, &found))
                warnings += found.map { $0.below(place) }
            } catch let problem as StubProblem {
                throw problem.below(place)
            }
        }
        if removesOthers {
            let kept = Set(stubs.map(\.id))
            for stub in backend.stubs.all where !kept.contains(stub.id) { try remove(stub) }
        }
        // The stub that is added last is asked first, which must be the first of the import.
        for stub in stubs.reversed() where !(ignoresDuplicates && backend.stubs.stub(stub.id) != nil) {
            try keep(stub)
            backend.stubs.add(stub)
        }
        return Response.done.warning(of: warnings)
    }

    /// The stubs whose metadata the body's pattern matches.
    func stubs(withMetadata call: AdminCall, among stubs: [Stub]? = nil) throws -> [Stub] {
        var reader = MockReader(.passedOver)
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
    /// How many warnings an answer names.
    private static let mostWarnings = 20

    /// Names, in a field of its own, what was taken but doesn't do what its author may expect: WireMock's clients would stumble
    /// over members that they don't know.
    fileprivate func warning(of warnings: [StubProblem]) -> Response {
        guard let name = HTTPField.Name("Backlot-Warning") else { return self }
        var response = self
        for warning in warnings.prefix(Self.mostWarnings) {
            let text = "\(warning)".unicodeScalars.map { (32...126).contains($0.value) ? String($0) : "?" }.joined()
            response.headers.append(HTTPField(name: name, value: text))
        }
        return response
    }
}

extension [Stub] {
    fileprivate var total: JSONValue { .number(JSONNumber(Int64(count))) }
}

extension Role {
    fileprivate static let imported = Role("import")
    fileprivate static let importOptions = Role("options")
}
