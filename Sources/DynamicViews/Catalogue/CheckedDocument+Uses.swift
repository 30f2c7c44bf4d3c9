import BacklotJSON

/// A place in a document where a text or a picture is named.
struct NameUse {
    let kind: DocumentNames.Kind
    let name: String
    let node: WireNode
    let key: String
}

extension CheckedDocument {
    /// Every place where a text or a picture is named.
    var uses: [NameUse] {
        nodes.flatMap { node in
            Self.keys(of: node).compactMap { kind, key in
                node.string(key).map { NameUse(kind: kind, name: $0, node: node, key: key) }
            }
        }
    }

    private static func keys(of node: WireNode) -> [(DocumentNames.Kind, String)] {
        switch node.part {
        case .document: []
        case .configuration: [(.image, "image")]
        case .option: [(.text, "text")]
        case .widget:
            switch node.kind {
            case .text, .button, .toggle, .navigation, .multiValue, .customerCard: [(.text, "text")]
            case .information: [(.text, "text"), (.image, "image")]
            case .image: [(.image, "image")]
            case .section: [(.text, "header")]
            default: []
            }
        }
    }
}
