internal import HTTPTypes

/// What the fields of an answer say about compressing it.
struct CompressionFields: Equatable {
    /// Whether the type is one that is compressed; nil where there is none.
    private(set) var isTypeCompressible: Bool?
    /// Whether some field forbids it: the body is encoded already, nobody is to change it, or its exact
    /// bytes have a digest.
    private(set) var isForbidden = false

    init(_ fields: HTTPFields, types: MediaTypeSet) {
        for field in fields {
            switch field.name.canonicalName {
            case "content-type": isTypeCompressible = types.contains(field.value)
            case "content-encoding", "content-digest", "repr-digest", "digest", "content-md5":
                isForbidden = true
            case "cache-control": isForbidden = isForbidden || Self.forbidsTransformation(field.value)
            default: break
            }
        }
    }

    /// RFC 9111, section 5.2.2.6.
    private static func forbidsTransformation(_ value: String) -> Bool {
        value.split(separator: ",").contains { directive in
            directive.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }.lowercased() == "no-transform"
        }
    }

    /// Whether the body may be compressed.
    ///
    /// - Parameter isNotModified: the answer is a 304, which need not say the type of what the client has.
    func mayBeCompressed(isNotModified: Bool) -> Bool {
        !isForbidden && (isTypeCompressible ?? isNotModified)
    }
}
