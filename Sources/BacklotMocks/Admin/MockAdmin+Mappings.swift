import Backlot
import BacklotHTTP
import BacklotJSON
import HTTPTypes

/// Commands about stubs. Removed stubs of files come back with a reset, or when their files change.
extension MockAdmin {
    static let mappingRoutes: [AdminRoute] = [
        AdminRoute(.get, "/mappings") { admin, call in try admin.listMappings(call) },
        AdminRoute(.post, "/mappings") { admin, call in
            let stub = try admin.stub(call)
            admin.backend.stubs.add(stub)
            return Response(json: stub.json, status: .created)
        },
        AdminRoute(.delete, "/mappings") { admin, _ in
            admin.backend.stubs.removeAll()
            return .done
        },
        AdminRoute(.post, "/mappings/reset") { admin, _ in
            admin.backend.stubs.reset()
            return .done
        },
        AdminRoute(.post, "/mappings/save") { admin, _ in
            let added = admin.backend.stubs.all.filter { !$0.source.isFile }.count
            guard added > 0 else { return .done }
            throw AdminProblem(
                .notImplemented,
                "Stubs are not saved",
                "\(added) were added at run time, and no files are written here: put them into mappings/ below the routes"
            )
        },
        AdminRoute(.post, "/mappings/import") { admin, call in try admin.importMappings(call) },
        AdminRoute(.post, "/mappings/find-by-metadata") { admin, call in
            let found = try admin.stubs(withMetadata: call)
            return Response(json: ["mappings": .array(found.map(\.json)), "meta": ["total": found.total]])
        },
        AdminRoute(.post, "/mappings/remove-by-metadata") { admin, call in
            for stub in try admin.stubs(withMetadata: call) { admin.backend.stubs.remove(stub.id) }
            return .done
        },
        AdminRoute(.get, "/mappings/{id}") { admin, call in
            let id = try call.id("mapping")
            guard let stub = admin.backend.stubs.stub(id) else { throw AdminProblem.notFound("mapping \(id)") }
            return Response(json: stub.json)
        },
        AdminRoute(.put, "/mappings/{id}") { admin, call in
            let id = try call.id("mapping")
            guard admin.backend.stubs.stub(id) != nil else { throw AdminProblem.notFound("mapping \(id)") }
            let stub = try admin.stub(call, id: id)
            guard admin.backend.stubs.replace(stub) else { throw AdminProblem.notFound("mapping \(id)") }
            return Response(json: stub.json)
        },
        AdminRoute(.delete, "/mappings/{id}") { admin, call in
            let id = try call.id("mapping")
            guard admin.backend.stubs.remove(id) != nil else { throw AdminProblem.notFound("mapping \(id)") }
            return .done
        },
    ]

    /// The stub in the body.
    private func stub(_ call: AdminCall, id: StubID? = nil) throws -> Stub {
        try stub(.object(try call.object()), id: id)
    }

    private func stub(_ document: JSONValue, id: StubID? = nil) throws -> Stub {
        guard var object = AdminCall.completed(stub: document).object else {
            throw StubProblem("a mapping is an object, such as {\"request\": {}, \"response\": {}}", at: [])
        }
        if let id {
            object["uuid"] = nil
            object["id"] = .string("\(id)")
        }
        return try backend.stub(json: .object(object))
    }

    private func listMappings(_ call: AdminCall) throws(AdminProblem) -> Response {
        let all = backend.stubs.all
        let rest = all.dropFirst(try call.number("offset") ?? 0)
        let page = rest.prefix(try call.number("limit") ?? rest.count)
        return Response(json: ["mappings": .array(page.map(\.json)), "meta": ["total": all.total]])
    }

    private func importMappings(_ call: AdminCall) throws -> Response {
        let document = JSONValue.object(try call.object())
        guard let mappings = document["mappings"]?.array else {
            throw AdminProblem.value("mappings", "the list of mappings is missing: {\"mappings\": [{…}, …]}")
        }
        let options = document["importOptions"]
        let ignoresDuplicates = options?["duplicatePolicy"]?.string == "IGNORE"
        // All are read before the first is added: a mistake changes nothing.
        var stubs: [Stub] = []
        for (index, mapping) in mappings.enumerated() {
            do {
                stubs.append(try stub(mapping))
            } catch let problem as StubProblem {
                throw StubProblem(
                    problem.text,
                    at: [.key("mappings"), .index(index)] + problem.path,
                    isAboutKey: problem.isAboutKey
                )
            }
        }
        if options?["deleteAllNotInImport"]?.bool == true {
            let kept = Set(stubs.map(\.id))
            for stub in backend.stubs.all where !kept.contains(stub.id) { backend.stubs.remove(stub.id) }
        }
        // The stub that is added last is asked first, which must be the first of the import.
        for stub in stubs.reversed() where !(ignoresDuplicates && backend.stubs.stub(stub.id) != nil) {
            backend.stubs.add(stub)
        }
        return .done
    }

    /// The stubs whose metadata the body's pattern matches.
    private func stubs(withMetadata call: AdminCall) throws -> [Stub] {
        var reading = StubReading(.passedOver)
        let pattern = try ContentPattern(Field(.object(try call.object())), &reading)
        return call.comparing(on: backend) { budget in
            backend.stubs.all.filter { stub in
                stub.json["metadata"].map { pattern.matches(.json($0), &budget) } ?? false
            }
        }
    }
}

extension [Stub] {
    fileprivate var total: JSONValue { .number(JSONNumber(Int64(count))) }
}
