import Backlot
import BacklotHTTP
import HTTPTypes

/// Answers with the scripts and styles of the shell, where preview may be used.
struct WebFileHandler: Handler {
    private static let types = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
    ]

    let files: WebFiles
    let access: PreviewAccess

    func answer(_ request: Request) throws -> Answer {
        guard access.admits(request), let path = request.parameters["path"], let file = files[path],
            let type = path.split(separator: ".").last.flatMap({ Self.types[String($0)] })
        else { throw StatusError(.notFound, "nothing answers at \(request.path)") }
        // A browser asks each time whether its copy will do, so that it never mixes two versions.
        let headers: HTTPFields = [
            .contentType: type, .eTag: file.tag, .cacheControl: "no-cache", .xContentTypeOptions: "nosniff",
        ]
        let known = request.headers[.ifNoneMatch] ?? ""
        if known.contains(file.tag) { return .ready(Response(status: .notModified, headers: headers)) }
        return .ready(Response(headers: headers, body: .bytes(file.bytes)))
    }
}
