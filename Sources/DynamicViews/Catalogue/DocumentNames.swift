public import BacklotJSON

/// The localisation keys and the names of pictures in a document, with the places where they stand.
public struct DocumentNames: Sendable, Equatable {
    /// What a name stands for.
    public enum Kind: String, Sendable, CaseIterable {
        /// A text, by its localisation key.
        case text
        /// A picture, by its name among the app's.
        case image
    }

    /// The localisation keys, each with the JSON pointers of its places.
    public let texts: [String: [String]]
    /// The names of pictures, each with the JSON pointers of its places.
    public let images: [String: [String]]

    /// The names in a document; none where it is no object.
    public init(in document: JSONValue) {
        let uses = CheckedDocument(document.object ?? [:], dialect: .ios, catalogue: Catalogue()).uses
        func places(_ kind: Kind) -> [String: [String]] {
            uses.reduce(into: [:]) { places, use in
                guard use.kind == kind else { return }
                places[use.name, default: []].append("\(use.node.pointer)/\(use.key)")
            }
        }
        texts = places(.text)
        images = places(.image)
    }
}
