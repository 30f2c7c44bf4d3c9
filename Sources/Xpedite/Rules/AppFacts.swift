/// What is known of the app around a page, for rules about what the page refers to. nil: not known, and not judged.
public struct AppFacts: Sendable, Equatable {
    /// The methods that the app has registered.
    public var methods: Set<String>?
    /// The pictures that earlier pages of the session have preloaded; those of the page itself are added.
    public var images: Set<String>?
    /// The navigations that the client has kept.
    public var navigations: Set<String>?

    /// What is known.
    public init(methods: Set<String>? = nil, images: Set<String>? = nil, navigations: Set<String>? = nil) {
        self.methods = methods
        self.images = images
        self.navigations = navigations
    }
}
