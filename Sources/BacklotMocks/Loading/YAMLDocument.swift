package import BacklotJSON

/// A YAML text, as JSON, with the places of its parts.
///
/// Words mean what they do in YAML 1.2, so that `no` and `on` are texts.
package struct YAMLDocument: Sendable {
    /// How deeply parts are nested at most, once aliases are followed.
    package static let deepest = 64
    /// How many parts a file of ours has at most, once aliases are followed.
    package static let mostNodes = 200_000
    /// The texts and keys of a document have at most so many bytes more than its file, once aliases are followed.
    static let mostAliasBytes = 16 * 1024 * 1024

    package let value: JSONValue
    /// The text.
    package let bytes: [UInt8]
    private let root: YAMLNode?

    /// - Throws: `FileProblem`.
    package init(_ text: String, file: String, mostNodes: Int = Self.mostNodes) throws(FileProblem) {
        bytes = Array(text.utf8)
        var reader = YAMLReader(text, file: file, mostNodes: mostNodes)
        root = try reader.document()
        var value = root?.value ?? .null
        // It names the file's schema, for editors.
        if var object = value.object, object["$schema"] != nil {
            object["$schema"] = nil
            value = .object(object)
        }
        self.value = value
    }

    /// The place of a part, or of its key; of the nearest part around it when it isn't there.
    package func position(of path: [StubProblem.Step], key: Bool = false) -> TextPosition {
        guard var node = root else { return TextPosition() }
        for (index, step) in path.enumerated() {
            let found: YAMLNode.Part? =
                switch step {
                case .key(let name): node.parts.first { $0.key == name }
                case .index(let index): node.value.array != nil && index < node.parts.count ? node.parts[index] : nil
                }
            guard let found else { return node.position }
            if key, index == path.count - 1, let position = found.keyPosition { return position }
            node = found.node
        }
        return node.position
    }
}

/// A part of a YAML text, with its place.
struct YAMLNode: Sendable {
    /// An element of a sequence, or a pair of a mapping.
    struct Part: Sendable {
        var key: String?
        var keyPosition: TextPosition?
        let node: YAMLNode
    }

    let value: JSONValue
    let position: TextPosition
    /// The text of a scalar, and whether it stands without quotes.
    var text: String?
    var isBare = false
    var parts: [Part] = []
    /// The number of parts and the bytes of texts in it, aliases followed, itself among them.
    var size = (nodes: 1, bytes: 0)
    /// How deeply its parts are nested.
    var height = 0

    init(_ value: JSONValue, _ position: TextPosition) {
        (self.value, self.position) = (value, position)
    }
}
