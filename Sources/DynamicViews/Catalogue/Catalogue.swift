/// The texts and pictures that an app has. nil: not known, and not judged.
public struct Catalogue: Sendable, Equatable {
    /// The localisation keys.
    public var texts: Set<String>?
    /// The names of pictures.
    public var images: Set<String>?

    /// What is known of an app.
    public init(texts: Set<String>? = nil, images: Set<String>? = nil) {
        self.texts = texts
        self.images = images
    }
}
