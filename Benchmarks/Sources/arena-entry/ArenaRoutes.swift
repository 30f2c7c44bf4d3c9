import Backlot
import BacklotJSON
import HTTPTypes

/// The routes that the profiles ask for. Everything but the bytes of `Hello, World!` and `ok` is made for each request.
struct ArenaRoutes {
    let dataset: Dataset
    /// The folder of the files below `/static`.
    let files: String

    // TechEmpower wants to know the server by its name, and both want plain text without more words.
    private static let plain: HTTPFields = [.contentType: "text/plain", .server: "Backlot"]
    private static let json: HTTPFields = [.contentType: "application/json", .server: "Backlot"]
    private static let hello = Array("Hello, World!".utf8)
    private static let ok = Array("ok".utf8)
    /// The largest body of the upload profile, and some more.
    private static let longestUpload = 32 * 1024 * 1024

    func router() -> Router {
        let router = Router()
        router.use(Compression())
        router.get("/plaintext") { _ in Response(headers: Self.plain, body: .bytes(Self.hello)) }
        router.get("/json") { _ in
            let body = JSONWriter.document(capacity: 32) { $0.object { $0.field("message", "Hello, World!") } }
            return Response(headers: Self.json, body: .bytes(body))
        }
        router.get("/pipeline") { _ in Response(headers: Self.plain, body: .bytes(Self.ok)) }
        for path in ["/baseline11", "/baseline2"] {
            router.get(path) { Self.number(try Self.sum($0)) }
        }
        router.post("/baseline11") { request in
            let body = String(decoding: try await request.body.collect(), as: UTF8.self)
            return Self.number(try Self.sum(request, and: body))
        }
        router.get("/json/{count}") { [dataset] request in
            let count = try request.parameter("count", as: Int.self)
            guard dataset.items.indices.contains(count - 1) else {
                throw StatusError(.badRequest, "the path's 'count' is \(count): write 1 to \(dataset.items.count)")
            }
            guard let multiplier = request.queryValue("m") else {
                throw StatusError(.badRequest, "the query has no 'm'")
            }
            let body = try dataset.json(first: count, times: Self.integer(multiplier))
            return Response(headers: Self.json, body: .bytes(body))
        }
        router.post("/upload") { request in
            var count = 0
            for try await piece in request.body.limited(to: Self.longestUpload) { count += piece.count }
            return Self.number(count)
        }
        router.files(files, at: "/static")
        return router
    }

    private static func number(_ number: Int) -> Response {
        Response(headers: plain, body: .bytes(Array("\(number)".utf8)))
    }

    /// The sum of the query's values, and of a body's, where there is one.
    private static func sum(_ request: Request, and body: String? = nil) throws -> Int {
        var texts = request.queryParameters.map(\.value)
        if let body { texts.append(body) }
        return try texts.reduce(0) { sum, text in
            let (next, overflows) = sum.addingReportingOverflow(try integer(text))
            guard !overflows else { throw StatusError(.badRequest, "the sum is too large") }
            return next
        }
    }

    private static func integer(_ text: String) throws -> Int {
        guard let number = Int(text) else {
            throw StatusError(.badRequest, "\(text.debugDescription) is no whole number")
        }
        return number
    }
}
