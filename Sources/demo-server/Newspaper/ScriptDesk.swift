import Backlot
import Floki

/// Publishes what scripts send: `POST /floki/desk/items` takes the lines of `demo-server floki publish`.
///
/// All lines of a feed are saved, or none. The lines have their ids, so that a script may send them again after an answer that it
/// didn't get.
struct ScriptDesk: Sendable {
    /// The most entries of a request.
    static let mostLines = 1000
    /// The most bytes of a request.
    static let mostBytes = 4 << 20

    let app: GazetteApp
    let access: DeskAccess

    /// Adds the route.
    func register(on router: Router) {
        let path = "\(Newsroom.path)items"
        guard access.takesScripts else {
            router.post(path) { _ in throw Self.closed }
            return
        }
        let authentication = BearerAuthentication(ScriptKey.self, realm: "newsroom") { token in
            access.admits(token: token) ? true : nil
        }
        router.with(authentication, BodyLimit(Self.mostBytes)).post(path) { try await publish($0) }
    }

    private enum ScriptKey: RequestAttribute { typealias Value = Bool }

    private static let closed = StatusError(
        .forbidden,
        "scripts can't publish here: start the server with a --desk-token, and send it as Authorization: Bearer TOKEN"
    )

    private func publish(_ request: Request) async throws -> Response {
        let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        guard let type, Self.types.contains(type) else {
            throw StatusError(
                .unsupportedMediaType,
                "send lines of JSON as application/x-ndjson, or an object or an array of objects as application/json"
            )
        }
        do {
            let bytes = try await request.body.collect()
            let batch = try type == "application/json" ? Self.document(bytes) : Self.lines(bytes)
            guard batch.count > 0 else { throw StatusError(.unprocessableContent, "there is no entry in the request") }
            try await batch.save(in: app)
            return try .json(["saved": batch.count])
        } catch let error as LineError {
            throw StatusError(.unprocessableContent, "\(error); nothing was saved")
        }
    }

    private static let types = ["application/x-ndjson", "application/jsonl", "application/json"]

    private static func lines(_ bytes: [UInt8]) throws -> StoryBatch {
        var batch = StoryBatch()
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) {
            try checkRoom(batch)
            try batch.add(number: index + 1) { () throws(LineMistake) in try StoryLine(parsing: Array(line)) }
        }
        return batch
    }

    /// In a document, the number of an entry stands for that of a line.
    private static func document(_ bytes: [UInt8]) throws -> StoryBatch {
        let value: JSONValue
        do throws(JSONParseError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw StatusError(.badRequest, "the body is not JSON: \(error)")
        }
        var batch = StoryBatch()
        for (index, entry) in (value.array ?? [value]).enumerated() {
            try checkRoom(batch)
            try batch.add(number: index + 1) { () throws(LineMistake) in try StoryLine(entry) }
        }
        return batch
    }

    private static func checkRoom(_ batch: StoryBatch) throws {
        guard batch.count < mostLines else {
            throw StatusError(.contentTooLarge, "a request has at most \(mostLines) entries: send them in parts")
        }
    }
}
