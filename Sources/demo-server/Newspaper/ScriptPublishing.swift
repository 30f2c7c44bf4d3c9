import Backlot
import Floki

/// Publishes stories from scripts: `POST /floki/desk/items` takes the lines of `demo-server floki publish`.
///
/// Saves either all lines of a feed or no line. The lines contain their ids, so that a script may repeat a request without a
/// response.
struct ScriptPublishing: Sendable {
    /// The maximum number of entries of a request.
    static let mostLines = 1000
    /// The maximum number of bytes of a request.
    static let mostBytes = 4 << 20

    let app: NewspaperApp
    let access: EditorAccess

    /// Adds the route.
    func register(on router: Router) {
        let path = "\(EditorsApp.path)items"
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
            var batch = StoryBatch()
            for (number, read) in try type == "application/json" ? Self.document(bytes) : try Self.lines(bytes) {
                guard batch.count < Self.mostLines else { throw Self.tooMany }
                try batch.add(number: number, read)
            }
            guard batch.count > 0 else { throw StatusError(.unprocessableContent, "the request has no entries") }
            try await batch.save(in: app)
            return try .json(["saved": batch.count])
        } catch let error as LineError {
            throw StatusError(.unprocessableContent, "\(error); nothing was saved")
        }
    }

    private static let tooMany = StatusError(
        .contentTooLarge,
        "a request has at most \(mostLines) entries: send them in parts"
    )

    private static let types = ["application/x-ndjson", "application/jsonl", "application/json"]

    /// Reads one entry. Its number is that of its line, or its position in a document.
    private typealias Reading = (number: Int, read: () throws(StoryLineError) -> StoryLine)

    private static func lines(_ bytes: [UInt8]) throws -> [Reading] {
        // Blank lines don't count as entries, but take memory.
        let most = 100 * mostLines
        guard bytes.count(where: { $0 == UInt8(ascii: "\n") }) <= most else {
            throw StatusError(.contentTooLarge, "a request has at most \(most) lines: send them in parts")
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        return lines.filter { !$1.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }.map { index, line in
            (index + 1, { () throws(StoryLineError) in try StoryLine(parsing: Array(line)) })
        }
    }

    private static func document(_ bytes: [UInt8]) throws -> [Reading] {
        let value: JSONValue
        do throws(JSONParseError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw StatusError(.badRequest, "the body is not JSON: \(error)")
        }
        guard value.array?.count ?? 1 <= mostLines else { throw tooMany }
        return (value.array ?? [value]).enumerated().map { index, entry in
            (index + 1, { () throws(StoryLineError) in try StoryLine(entry) })
        }
    }
}
