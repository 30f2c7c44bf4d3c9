public import BacklotHTTP

/// What tells one state of a resource from another (RFC 9110, section 8.8): sent with an answer, and compared with the
/// conditions of later requests.
public struct Validators: Equatable, Sendable {
    /// The entity tag.
    public var eTag: ETag?
    /// When the resource was changed last. Where there is a tag, clients need it only for caches of old.
    public var lastModified: HTTPDate?

    /// Validators: a tag, a date, both, or none.
    public init(eTag: ETag? = nil, lastModified: HTTPDate? = nil) {
        self.eTag = eTag
        self.lastModified = lastModified
    }
}
