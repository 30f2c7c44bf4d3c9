import BacklotJSON
import BacklotMocks

/// Texts like those that a schema describes.
enum OpenAPIText {
    private static let longest = 1_000

    /// The texts of the formats of JSON Schema, and of those that OpenAPI adds.
    private static let samples: [String: String] = [
        "date-time": "2026-05-17T12:30:00Z", "date": "2026-05-17", "time": "12:30:00Z", "duration": "P1DT12H",
        "email": "user@example.com", "idn-email": "user@example.com", "hostname": "example.com",
        "idn-hostname": "example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "uri": "https://example.com/",
        "url": "https://example.com/", "uri-reference": "/example", "iri": "https://example.com/",
        "iri-reference": "/example", "uri-template": "/things/{id}", "uuid": "6f1c2b0e-3d4a-4b5c-8d7e-9f0a1b2c3d4e",
        "byte": "c3RyaW5n", "base64": "c3RyaW5n", "binary": "string", "password": "password", "regex": ".*",
        "json-pointer": "/name", "relative-json-pointer": "0/name",
    ]

    /// A text of the format, or of the length, that a schema asks for.
    static func sample(_ schema: JSONObject) -> String {
        if let format = schema["format"]?.string, let sample = samples[format] { return sample }
        let least = Int(clamping: schema["minLength"]?.number?.int64 ?? 0)
        let most = Int(clamping: schema["maxLength"]?.number?.int64 ?? Int64(longest))
        var text = "string"
        while text.count < min(least, longest) { text += text }
        let length = max(min(least, longest), min("string".count, max(0, most)))
        return String(text.prefix(length))
    }
}
