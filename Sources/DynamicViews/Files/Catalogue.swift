public import Backlot

/// The texts and pictures that an app has. For an unknown list (nil), names aren't checked.
public struct Catalogue: Sendable, Equatable {
    /// The localisation keys.
    public var texts: Set<String>?
    /// The names of pictures.
    public var images: Set<String>?

    /// The known lists of an app.
    public init(texts: Set<String>? = nil, images: Set<String>? = nil) {
        self.texts = texts
        self.images = images
    }
}

/// The localisation keys and the names of pictures in a document, with their places.
public struct DocumentNames: Sendable, Equatable {
    /// The localisation keys, each with the JSON pointers of its places.
    public let texts: [String: [String]]
    /// The names of pictures, each with the JSON pointers of its places.
    public let images: [String: [String]]

    /// The names in a document; empty for any value but an object.
    public init(in document: JSONValue) {
        let tree = DynamicViewsRules.tree(of: document)
        var texts: [String: [String]] = [:]
        var images: [String: [String]] = [:]
        for use in NameUse.all(in: tree) {
            let place = tree.path(to: use.node, JSONPointer.step(use.key), page: "").pointer
            switch use.kind {
            case .text: texts[use.name, default: []].append(place)
            case .image: images[use.name, default: []].append(place)
            }
        }
        self.texts = texts
        self.images = images
    }
}
