import Backlot
import BacklotHTTP
import BacklotJSON
import HTTPTypes

/// `POST /__preview/inspect` judges a page by the rules of its protocol: `{"app": "/", "path": "/terms", "body": "…"}`, the body
/// as a text.
struct InspectCall {
    /// The largest body that is judged, in bytes.
    static let limit = 16 << 20

    /// `{"findings": […]}`
    let response: Response

    init(_ request: Request, apps: [MountedApp]) async throws {
        var request = request
        request.body.limit = Self.limit
        let call = try await request.json()
        guard let basePath = call["app"]?.string, let path = call["path"]?.string, let body = call["body"]?.string,
            let app = apps.first(where: { $0.basePath == basePath })
        else { throw StatusError(.badRequest, "write {\"app\": \"/\", \"path\": \"/page\", \"body\": \"…\"}") }
        let host = request.headers.first { $0.name.lowercased() == "host" }?.value ?? "localhost"
        let inspector = app.inspector.located(at: "http://\(host)\(basePath)")
        let findings = inspector.findings(inBody: Array(body.utf8), path: path, app: app.lookup)
        response = .json(["findings": .array(findings.map(\.json))])
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
