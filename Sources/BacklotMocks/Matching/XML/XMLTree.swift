internal import BacklotHTTP
import CLibXML2

/// A part of an XML document, as it is compared: without comments, and without blanks around texts.
indirect enum XMLTree: Sendable, Equatable {
    case element(XMLElement)
    case text(String)
    case instruction(target: String, data: String)

    /// The name by which siblings are ordered before they are compared.
    var name: String {
        switch self {
        case .element(let element): element.name
        case .text: ""
        case .instruction(let target, _): target
        }
    }
}

/// An element with what it holds.
struct XMLElement: Sendable, Equatable {
    struct Attribute: Sendable, Equatable {
        let name: String
        let namespace: String?
        let value: String
    }

    /// Without its prefix, unless names are taken as they are written.
    let name: String
    /// nil for none.
    let namespace: String?
    let attributes: [Attribute]
    let children: [XMLTree]

    /// The root of a document.
    ///
    /// - Parameter isPlain: whether names are taken as they are written, prefix included.
    init(parsing text: String, isPlain: Bool = false) throws(XMLProblem) {
        let document = try XMLDocument(parsing: text, namespaces: .kept)
        guard let root = unsafe xmlDocGetRootElement(document.document) else { throw XMLProblem("it has no element") }
        unsafe self.init(root, isPlain: isPlain)
        // The tree points into the document up to here.
        withExtendedLifetime(document) {}
    }

    private init(_ node: xmlNodePtr, isPlain: Bool) {
        (name, namespace) = unsafe Self.name(node.pointee.name, node.pointee.ns, isPlain)
        attributes = unsafe Self.attributes(of: node, isPlain: isPlain)
        var children: [XMLTree] = []
        var child = unsafe node.pointee.children
        while let current = unsafe child {
            switch unsafe current.pointee.type {
            case XML_ELEMENT_NODE: children.append(.element(unsafe XMLElement(current, isPlain: isPlain)))
            case XML_TEXT_NODE, XML_CDATA_SECTION_NODE, XML_ENTITY_REF_NODE:
                var text = unsafe XMLDocument.text(of: current)
                if case .text(let before)? = children.last {
                    children.removeLast()
                    text = before + text
                }
                children.append(.text(text))
            case XML_PI_NODE:
                let target = unsafe Self.text(current.pointee.name) ?? ""
                children.append(.instruction(target: target, data: unsafe XMLDocument.text(of: current)))
            default: break
            }
            unsafe child = current.pointee.next
        }
        self.children = children.compactMap { child in
            guard case .text(let text) = child else { return child }
            let trimmed = text.withoutBlanks
            return trimmed.isEmpty ? nil : .text(trimmed)
        }
    }

    /// An element's attributes; those that declare namespaces too, where names are taken as they are written.
    static func attributes(of node: xmlNodePtr, isPlain: Bool = false) -> [Attribute] {
        var attributes: [Attribute] = []
        var attribute = unsafe node.pointee.properties
        while let current = unsafe attribute {
            let (name, namespace) = unsafe Self.name(current.pointee.name, current.pointee.ns, isPlain)
            let value = unsafe current.pointee.children.map { unsafe XMLDocument.text(of: $0) } ?? ""
            attributes.append(Attribute(name: name, namespace: namespace, value: value))
            unsafe attribute = current.pointee.next
        }
        var declaration = unsafe isPlain ? node.pointee.nsDef : nil
        while let current = unsafe declaration {
            let name = unsafe text(current.pointee.prefix).map { "xmlns:\($0)" } ?? "xmlns"
            let value = unsafe text(current.pointee.href) ?? ""
            attributes.append(Attribute(name: name, namespace: nil, value: value))
            unsafe declaration = current.pointee.next
        }
        return attributes
    }

    private static func name(
        _ name: UnsafePointer<xmlChar>?,
        _ namespace: UnsafeMutablePointer<xmlNs>?,
        _ isPlain: Bool
    ) -> (String, String?) {
        let local = unsafe text(name) ?? ""
        guard let namespace = unsafe namespace else { return (local, nil) }
        if isPlain { return (unsafe text(namespace.pointee.prefix).map { "\($0):\(local)" } ?? local, nil) }
        return (local, unsafe text(namespace.pointee.href))
    }

    static func text(_ text: UnsafePointer<xmlChar>?) -> String? {
        unsafe text.map { unsafe String(cString: $0) }
    }
}
