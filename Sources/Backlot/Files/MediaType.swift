/// The media types of files, by the ending of their names.
enum MediaType {
    private static let byEnding = [
        "css": "text/css; charset=utf-8",
        "csv": "text/csv; charset=utf-8",
        "gif": "image/gif",
        "gz": "application/gzip",
        "html": "text/html; charset=utf-8",
        "ico": "image/vnd.microsoft.icon",
        "jpeg": "image/jpeg",
        "jpg": "image/jpeg",
        "js": "text/javascript; charset=utf-8",
        "json": "application/json",
        "md": "text/markdown; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8",
        "mp3": "audio/mpeg",
        "mp4": "video/mp4",
        "pdf": "application/pdf",
        "png": "image/png",
        "svg": "image/svg+xml",
        "txt": "text/plain; charset=utf-8",
        "wasm": "application/wasm",
        "webp": "image/webp",
        "woff2": "font/woff2",
        "xml": "application/xml",
        "yaml": "application/yaml",
        "zip": "application/zip",
    ]

    /// The media type of a file name; `application/octet-stream` where the ending says nothing.
    static func of(_ name: String) -> String {
        guard let dot = name.lastIndex(of: ".") else { return "application/octet-stream" }
        return byEnding[name[name.index(after: dot)...].lowercased()] ?? "application/octet-stream"
    }
}
