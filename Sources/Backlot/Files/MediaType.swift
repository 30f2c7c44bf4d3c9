/// The media types of files, by the extensions of their names.
package enum MediaType {
    /// The type of a file with an unknown extension.
    package static let unknown = "application/octet-stream"

    /// The types by extension, in lower case.
    package static let byEnding = [
        // Texts, all in UTF-8.
        "css": "text/css; charset=utf-8", "csv": "text/csv; charset=utf-8", "htm": "text/html; charset=utf-8",
        "html": "text/html; charset=utf-8", "ics": "text/calendar; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "log": "text/plain; charset=utf-8",
        "md": "text/markdown; charset=utf-8", "mjs": "text/javascript; charset=utf-8",
        "text": "text/plain; charset=utf-8", "tsv": "text/tab-separated-values; charset=utf-8",
        "txt": "text/plain; charset=utf-8", "vcf": "text/vcard; charset=utf-8", "vtt": "text/vtt; charset=utf-8",
        // Data. JSON is always UTF-8; XML and similar formats declare their encoding themselves.
        "atom": "application/atom+xml", "geojson": "application/geo+json", "ipa": "application/octet-stream",
        "json": "application/json", "jsonld": "application/ld+json", "map": "application/json",
        "mobileconfig": "application/x-apple-aspen-config", "ndjson": "application/x-ndjson", "pdf": "application/pdf",
        "pkpass": "application/vnd.apple.pkpass", "plist": "application/x-plist", "rss": "application/rss+xml",
        "rtf": "application/rtf", "sqlite": "application/vnd.sqlite3", "toml": "application/toml",
        "wasm": "application/wasm", "webmanifest": "application/manifest+json", "xhtml": "application/xhtml+xml",
        "xml": "application/xml", "yaml": "application/yaml", "yml": "application/yaml",
        // Archives.
        "7z": "application/x-7z-compressed", "apk": "application/vnd.android.package-archive",
        "br": "application/x-brotli", "bz2": "application/x-bzip2", "gz": "application/gzip",
        "jar": "application/java-archive", "tar": "application/x-tar", "tgz": "application/gzip",
        "xz": "application/x-xz", "zip": "application/zip", "zst": "application/zstd",
        // Images.
        "apng": "image/apng", "avif": "image/avif", "bmp": "image/bmp", "gif": "image/gif", "heic": "image/heic",
        "heif": "image/heif", "ico": "image/vnd.microsoft.icon", "jpeg": "image/jpeg", "jpg": "image/jpeg",
        "jxl": "image/jxl", "png": "image/png", "svg": "image/svg+xml", "tif": "image/tiff", "tiff": "image/tiff",
        "webp": "image/webp",
        // Fonts.
        "otf": "font/otf", "ttc": "font/collection", "ttf": "font/ttf", "woff": "font/woff", "woff2": "font/woff2",
        // Sound and video.
        "aac": "audio/aac", "aif": "audio/aiff", "aiff": "audio/aiff", "caf": "audio/x-caf", "flac": "audio/flac",
        "m3u8": "application/vnd.apple.mpegurl", "m4a": "audio/mp4", "m4s": "video/iso.segment", "m4v": "video/x-m4v",
        "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4", "mpd": "application/dash+xml",
        "oga": "audio/ogg", "ogg": "audio/ogg", "ogv": "video/ogg", "opus": "audio/ogg", "ts": "video/mp2t",
        "wav": "audio/wav", "weba": "audio/webm", "webm": "video/webm",
        // Models and documents.
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "epub": "application/epub+zip", "glb": "model/gltf-binary", "gltf": "model/gltf+json",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "reality": "model/vnd.reality", "usdz": "model/vnd.usdz+zip",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ]

    /// The extension of a file name, in lower case; empty for a name without one.
    package static func ending(of name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return name[name.utf8.index(after: dot)...].lowercased()
    }

    /// Whether files with such an extension are already compressed, so that compressing them again is useless.
    static func isCompressed(_ ending: String) -> Bool {
        switch ending {
        case "svg", "bmp", "ico", "tif", "tiff", "aif", "aiff", "wav": false
        case "woff", "woff2", "pdf", "pkpass", "docx", "xlsx", "pptx", "epub", "usdz", "reality", "ipa": true
        case "7z", "apk", "br", "bz2", "gz", "jar", "tgz", "xz", "zip", "zst": true
        default:
            byEnding[ending].map { $0.hasPrefix("image/") || $0.hasPrefix("audio/") || $0.hasPrefix("video/") } ?? false
        }
    }
}
