import Backlot
import BacklotHTTP
import BacklotJSON
import HTTPTypes

/// One of the routes that a crud file makes for the rows of a bucket.
struct CrudRoute: Sendable {
    enum Part: Sendable {
        /// The whole list, at the path of the file.
        case list
        /// One row, by the parameter of that name.
        case row(String)

        var methods: [HTTPRequest.Method] {
            switch self {
            case .list: [.get, .head, .post]
            case .row: [.get, .head, .put, .patch, .delete]
            }
        }
    }

    let bucket: String
    let part: Part

    /// Whether a method changes rows.
    func changes(by method: HTTPRequest.Method) -> Bool { method != .get && method != .head }

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - scope: the client's.
    ///   - prefix: what stands before the path of the request.
    func answer(
        _ request: MockRequest,
        _ parameters: PathParameters,
        _ data: DataBuckets,
        _ scope: ScenarioStates.Scope,
        prefix: String
    ) -> Response {
        do throws(DataProblem) {
            guard let bucket = data.bucket(bucket) else { throw DataProblem.missing(bucket) }
            switch part {
            case .list where request.method == .post: return try insert(request, bucket, data, scope, prefix)
            case .list where !changes(by: request.method):
                let rows = data.value(bucket.name, in: scope)?.array ?? []
                return try CrudList(request, bucket).answer(rows, at: prefix + request.path)
            case .row(let name) where part.methods.contains(request.method):
                return try answer(request, id: parameters[name] ?? "", bucket, data, scope)
            default:
                let allowed = part.methods.map(\.rawValue).joined(separator: ", ")
                var response = DataProblem(
                    .methodNotAllowed,
                    "\(request.method) is not answered here; allowed: \(allowed)"
                ).response
                response.headers[.allow] = allowed
                return response
            }
        } catch {
            return error.response
        }
    }

    private func answer(
        _ request: MockRequest,
        id: String,
        _ bucket: DataBucket,
        _ data: DataBuckets,
        _ scope: ScenarioStates.Scope
    ) throws(DataProblem) -> Response {
        let match = DataMatch([(bucket.key, .string(id))])
        guard changes(by: request.method) else {
            let rows = data.value(bucket.name, in: scope)?.array ?? []
            guard let row = rows.first(where: { match.fits($0) }) else { throw missing(match) }
            return Response(json: row)
        }
        let new = request.method == .delete ? JSONObject() : try Self.body(request, isPatch: request.method == .patch)
        return try data.change([bucket.name], in: scope) { draft throws(DataProblem) in
            try draft.change(bucket.name) { bucket, content throws(DataProblem) in
                var rows = content.rows
                guard let index = rows.firstIndex(where: { match.fits($0) }) else { throw missing(match) }
                if request.method == .delete {
                    rows.remove(at: index)
                    content.set(.array(rows), key: bucket.key)
                    return Response(status: .noContent)
                }
                let old = rows[index]
                if let key = new[bucket.key], !DataMatch.isSame(old[bucket.key], key) {
                    let text =
                        "the \(bucket.key) of a row can't be changed: the path says \(id), the body \(key.excerpt)"
                    throw DataProblem(.conflict, text)
                }
                var row = JSONObject()
                row[bucket.key] = old[bucket.key]
                let changed = request.method == .patch ? old.merged(with: .object(new)) : .object(new)
                for member in changed.object?.members ?? [] where member.key != bucket.key {
                    row[member.key] = member.value
                }
                try bucket.check(.object(row))
                rows[index] = .object(row)
                content.set(.array(rows), key: bucket.key)
                return Response(json: .object(row))
            }
        }
    }

    private func insert(
        _ request: MockRequest,
        _ bucket: DataBucket,
        _ data: DataBuckets,
        _ scope: ScenarioStates.Scope,
        _ prefix: String
    ) throws(DataProblem) -> Response {
        let new = try Self.body(request, isPatch: false)
        let row = try data.change([bucket.name], in: scope) { draft throws(DataProblem) in
            try draft.change(bucket.name) { bucket, content throws(DataProblem) in
                let row = try content.append(new, key: bucket.key, bucket.ids)
                try bucket.check(row)
                return row
            }
        }
        var response = Response(json: row, status: .created)
        if let key = Subject.json(row[bucket.key] ?? .null).text, row[bucket.key] != nil {
            let path = request.path.utf8.last == UInt8(ascii: "/") ? String(request.path.dropLast()) : request.path
            response.headers[.location] = "\(prefix)\(path)/\(PercentText.encode(key))"
        }
        return response
    }

    private func missing(_ match: DataMatch) -> DataProblem {
        DataProblem(.notFound, "no row of '\(bucket)' has \(match)")
    }

    private static func body(_ request: MockRequest, isPatch: Bool) throws(DataProblem) -> JSONObject {
        let type = request.headerValues("Content-Type").first?.prefix { $0 != ";" }.trimmed.lowercased()
        let allowed = isPatch ? ["application/json", "application/merge-patch+json"] : ["application/json"]
        if let type, !allowed.contains(type) {
            throw DataProblem(.unsupportedMediaType, "\(type.shown) is not read here; send \(allowed.alternatives)")
        }
        let value: JSONValue
        do throws(JSONParseError) {
            value = try JSONValue(parsing: request.body)
        } catch {
            throw DataProblem(.badRequest, "the body is no JSON: \(error)")
        }
        guard let object = value.object else {
            throw DataProblem(.unprocessableContent, "the body must be an object, not \(value.kind)")
        }
        return object
    }
}

extension DataProblem {
    /// A problem document (RFC 9457).
    var response: Response {
        var problem: JSONObject = [
            "type": "about:blank", "title": .string(status.reasonPhrase),
            "status": .number(JSONNumber(Int64(status.code))),
            "detail": .string(text),
        ]
        if !failures.isEmpty {
            problem["errors"] = .array(
                failures.map { ["pointer": .string($0.instance), "detail": .string($0.text)] }
            )
        }
        var response = Response(json: .object(problem), status: status)
        response.headers[.contentType] = "application/problem+json"
        return response
    }
}
