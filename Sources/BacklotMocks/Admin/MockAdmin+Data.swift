import Backlot
import BacklotHTTP
import BacklotJSON
import HTTPTypes

/// Commands about data, which WireMock doesn't have. They apply to all clients, unless `?session=` gives the value of a session
/// cookie.
extension MockAdmin {
    static let dataRoutes: [AdminRoute] = [
        AdminRoute(.get, "/data") { admin, _ in
            let data = admin.backend.data
            return Response(json: [
                "data": .array(data.names.compactMap { data.bucket($0) }.map(\.json)),
                "clients": .number(JSONNumber(Int64(data.clients))), "bytes": .number(JSONNumber(Int64(data.bytes))),
            ])
        },
        AdminRoute(.post, "/data/reset") { admin, call in
            if call.scope == .shared { admin.backend.data.reset() } else { admin.backend.data.reset(call.scope) }
            return .done
        },
        AdminRoute(.get, "/data/{bucket}") { admin, call in
            Response(json: admin.backend.data.value(try admin.bucket(call), in: call.scope) ?? .null)
        },
        AdminRoute(.put, "/data/{bucket}") { admin, call in
            let (name, value) = (try admin.bucket(call), try call.json())
            do throws(DataProblem) {
                try admin.backend.data.set(value, of: name, in: call.scope)
            } catch {
                throw AdminProblem(error.status, "The data can't be set", error.text)
            }
            return .done
        },
        AdminRoute(.delete, "/data/{bucket}") { admin, call in
            admin.backend.data.reset(try admin.bucket(call), in: call.scope)
            return .done
        },
    ]

    private func bucket(_ call: AdminCall) throws(AdminProblem) -> String {
        let name = call.parameters["bucket"] ?? ""
        guard backend.data.bucket(name) != nil else {
            let hint = Suggestion.hint(for: name, among: backend.data.names)
            throw .notFound("data '\(name)'\(hint)")
        }
        return name
    }
}

extension DataBucket {
    /// What a list of buckets says about it.
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "scope": .string(sharing.rawValue), "isList": .bool(isList),
            "file": .string("\(source)"),
        ]
    }
}
