internal import BacklotHTTP
internal import HTTPTypes

/// What is said of every file of a type: made once for each.
struct FileFields {
    /// What is known of a type.
    struct Entry {
        let fields: HTTPFields
        /// Whether there may be a file beside it that is the same in gzip.
        let mayBePrecompressed: Bool
    }

    private let byEnding: [String: Entry]
    private let unknown: Entry

    init(cacheControl: String?) {
        let cacheControl = cacheControl
        let make = { (ending: String, type: String) in
            var fields: HTTPFields = [
                .contentType: type, .xContentTypeOptions: "nosniff", .acceptRanges: "bytes",
            ]
            if let cacheControl { fields.append(HTTPField(name: .cacheControl, value: cacheControl)) }
            return Entry(fields: fields, mayBePrecompressed: !MediaType.isCompressed(ending))
        }
        byEnding = Dictionary(uniqueKeysWithValues: MediaType.byEnding.map { ($0, make($0, $1)) })
        unknown = make("", MediaType.unknown)
    }

    /// What is known of the file with that name.
    subscript(name: String) -> Entry { byEnding[MediaType.ending(of: name)] ?? unknown }
}
