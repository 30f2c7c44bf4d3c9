import Backlot

/// `POST /__preview/inspect` judges a page by the rules of its protocol: `{"app": "/", "path": "/terms", "body": "…"}`, the body
/// as a text. With `"hasTags": true`, the body is of a mock file whose tags aren't filled in, and what is about them isn't reported.
struct InspectCall {
    /// The largest body that is judged, in bytes.
    static let limit = 16 << 20

    /// `{"findings": […]}`
    let response: Response

    init(_ request: Request, apps: [MountedApp]) async throws {
        var request = request
        request.body.limit = Self.limit
        let call = try await request.json()
        guard let app = apps.named(in: call), let path = call["path"]?.string, let body = call["body"]?.string else {
            throw StatusError(.badRequest, "write {\"app\": \"/\", \"path\": \"/page\", \"body\": \"…\"}")
        }
        let host = request.headers.first { $0.name.lowercased() == "host" }?.value ?? "localhost"
        let inspector = app.inspector.located(at: "\(request.scheme)://\(host)\(app.basePath)")
        let findings = inspector.findings(inBody: Array(body.utf8), path: path, app: app.lookup)
        let document = call["hasTags"]?.bool == true ? try? JSONValue(parsing: Array(body.utf8)) : nil
        let shown = findings.filter { finding in document.map { !finding.isAboutTag(in: $0) } ?? true }
        response = Response(json: ["findings": .array(shown.map(\.json))])
    }
}

extension [MountedApp] {
    /// The app that a call names by its base path: `"app": "/"`, and by its protocol, where several have that path:
    /// `"wire": "applin"`.
    fileprivate func named(in call: JSONValue) -> MountedApp? {
        let wire = call["wire"]?.string
        return first { $0.basePath == call["app"]?.string && (wire == nil || $0.appProtocol.name == wire) }
    }
}

extension Finding {
    fileprivate var json: JSONValue {
        [
            "severity": .string(severity.rawValue), "rule": .string(rule), "pointer": .string(path.pointer),
            "place": .string(path.steps.joined(separator: " › ")), "message": .string(message), "fix": .string(fix),
            "rejects": .bool(isRejection),
        ]
    }
}

/// `POST /__preview/schema` answers `{"app": "/"}` with the JSON Schema of the app's answers, by which the editor completes words
/// and says what they mean.
struct SchemaCall {
    /// `{"schema": …}`; `null` for a protocol whose words aren't known.
    let response: Response

    init(_ request: Request, apps: [MountedApp]) async throws {
        guard let app = apps.named(in: try await request.json()) else {
            throw StatusError(.badRequest, "write {\"app\": \"/\"}")
        }
        response = Response(json: ["schema": app.schema ?? .null])
    }
}

/// `POST /__preview/swift` writes a page in Swift: `{"app": "/", "body": "…"}`, the page in JSON as a text.
struct SwiftSourceCall {
    /// `{"swift": "…", "omissions": ["/page/x: …"]}`; 422 with a text where no code makes such a page.
    let response: Response

    init(_ request: Request, apps: [MountedApp]) async throws {
        var request = request
        request.body.limit = InspectCall.limit
        let call = try await request.json()
        guard let app = apps.named(in: call), let body = call["body"]?.string else {
            throw StatusError(.badRequest, "write {\"app\": \"/\", \"body\": \"…\"}")
        }
        guard let write = app.swiftSource else {
            throw StatusError(.unprocessableContent, "only Applin pages have a form in Swift")
        }
        do {
            let source = try SwiftSource.source(of: Array(body.utf8), by: write)
            let omissions = source.omissions.map { JSONValue.string($0.description) }
            response = Response(json: ["swift": .string(source.text), "omissions": .array(omissions)])
        } catch {
            throw StatusError(.unprocessableContent, error.description)
        }
    }
}

/// `GET /__preview/machine` says where a phone in the same network finds this machine: nowhere, if the server listens to the machine alone.
enum MachineCall {
    static func response(_ access: LocalAccess) -> Response {
        let hosts = access.isOnLoopback ? [] : NetworkInterfaces.localNetworkHosts()
        return Response(json: ["hosts": .array(hosts.map { .string($0) })])
    }
}

/// `POST /__preview/qr` draws `{"text": "…"}` as a QR code.
struct QRCall {
    /// `{"rows": ["0110…", …]}`: 1 for dark.
    let response: Response

    init(_ request: Request) async throws {
        guard let text = try await request.json()["text"]?.string, let code = QRCode(text) else {
            throw StatusError(.badRequest, "write {\"text\": \"…\"}, of 1 to 2,331 bytes")
        }
        let rows = code.rows.map { row in JSONValue.string(String(row.map { $0 ? "1" : "0" })) }
        response = Response(json: ["rows": .array(rows)])
    }
}

/// `POST …/__preview/session` shows a browser's session, and changes it: `{"do": "show"}`, `"logIn"` with `"user"`, `"expire"` or
/// `"forget"`; with `"token"` where no cookie names the session.
struct SessionCall {
    private let sessions: AppSessions
    private let order: String
    private let user: String
    private let token: String?

    /// - Parameter candidates: the sessions of all apps with this base path. A client's token finds its session.
    init(_ request: Request, _ candidates: [AppSessions]) async throws {
        let call = try await request.json()
        let token = call["token"]?.string
        sessions = candidates.first { $0.isByCookie == (token == nil) } ?? candidates[0]
        order = call["do"]?.string ?? ""
        user = call["user"]?.string ?? ""
        self.token = token
    }

    /// `{"session": …}` for `show`; for other orders an empty answer, with a cookie where the session changes.
    func response(_ request: Request) async throws -> Response {
        switch order {
        case "show":
            let record = try await sessions.record(of: request, token: token)
            return Response(json: ["session": record?.json ?? .null])
        case "logIn":
            guard !user.isEmpty else { throw StatusError(.badRequest, "write who is to be logged in, as \"user\"") }
            return try await sessions.logIn(user, request) ?? Self.noCookie
        case "expire":
            if let record = try await sessions.record(of: request, token: token) { try await sessions.end(record) }
            return Response(status: .noContent)
        case "forget": return sessions.forgetCookie() ?? Self.noCookie
        default: throw StatusError(.badRequest, "\"do\" is show, logIn, expire or forget")
        }
    }

    private static var noCookie: Response {
        .text("sessions of this protocol have no cookie", status: .badRequest)
    }
}
