import Backlot
import CLibXML2

/// A document that libxml2 has parsed, within limits: it doesn't load other files, and entities can't be declared.
///
/// One thread at a time may use it.
@safe final class XMLDocument {
    /// The largest document that is read, in bytes.
    static let largest = 1024 * 1024
    /// The most nodes of a document.
    static let mostNodes = 50_000

    /// The largest document with declarations of types, in bytes.
    static let largestDeclaring = 16 * 1024
    /// The most namespaces at one place.
    static let mostNamespaces = 10_000
    /// The most comparisons of names with each other and with namespaces.
    static let mostComparisons = 100_000_000

    /// The treatment of namespaces.
    enum Namespaces {
        /// Names count without their prefixes, so that paths need none: `/Envelope/Body` finds `<s:Envelope><s:Body/>`.
        case ignored
        /// Names belong to their namespaces, and a path names them with its own prefixes.
        case kept
    }

    let document: xmlDocPtr
    /// The number of nodes.
    private(set) var nodeCount = 0

    /// Parses a document.
    ///
    /// - Throws: `XMLError` for a text that isn't XML, is too large, or declares entities.
    init(parsing text: String, namespaces: Namespaces = .ignored) throws(XMLError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.largest else {
            throw XMLError("XML of more than \(Self.largest) bytes is not read", isGivenUp: true)
        }
        guard !bytes.isEmpty else { throw XMLError("an empty text is no XML") }
        let tags = bytes.split(separator: UInt8(ascii: "<"))
        // libxml2 compares each attribute of an element with the others.
        guard tags.allSatisfy({ $0.count { $0 == UInt8(ascii: "=") } < 5000 }) else {
            throw XMLError("XML with 5000 or more equals signs in a tag, or after it, is not read", isGivenUp: true)
        }
        // It compares declared names, too, and gives each element all declared attributes.
        guard bytes.count <= Self.largestDeclaring || tags.allSatisfy({ !$0.declaresTypes }) else {
            let text =
                "XML of more than \(Self.largestDeclaring) bytes that declares types, as with <!ATTLIST, is not read"
            throw XMLError(text, isGivenUp: true)
        }
        Self.start()
        guard let context = unsafe xmlNewParserCtxt() else {
            throw XMLError("there is no memory for an XML document")
        }
        defer { unsafe xmlFreeParserCtxt(context) }
        // Entities could stand for the contents of files, or for texts of any size.
        unsafe context.pointee.sax.pointee.entityDecl = { context, _, _, _, _, _ in
            guard let context = unsafe context?.assumingMemoryBound(to: xmlParserCtxt.self) else { return }
            unsafe xmlStopParser(context)
        }
        unsafe Self.limitComparisons(context)
        let options = Int32(
            bitPattern: XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
                | XML_PARSE_NOCDATA.rawValue
        )
        let parsed = unsafe bytes.withUnsafeBytes { buffer in
            let address = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            // The text has been decoded. By another encoding, its bytes would mean something else than what was checked above.
            return unsafe xmlCtxtReadMemory(context, address, Int32(buffer.count), nil, "UTF-8", options)
        }
        guard let parsed = unsafe parsed else { throw unsafe Self.problem(context) }
        unsafe document = parsed
        let isStopped = unsafe context.pointee.disableSAX != 0
        guard unsafe context.pointee.wellFormed != 0, !isStopped else { throw unsafe Self.problem(context) }
        guard let root = unsafe xmlDocGetRootElement(parsed) else { throw XMLError("it has no element") }
        try unsafe count(root, isStripped: namespaces == .ignored)
    }

    deinit {
        unsafe xmlFreeDoc(document)
    }

    private static let isStarted: Void = xmlInitParser()

    /// Prepares the library, once per process.
    static func start() { _ = isStarted }

    /// Stops the parser when an element's names have been compared too often. The count so far takes the place of a pointer.
    private static func limitComparisons(_ context: xmlParserCtxtPtr) {
        unsafe context.pointee.sax.pointee.startElementNs = {
            context,
            name,
            prefix,
            uri,
            spaces,
            names,
            count,
            defaults,
            values in
            guard let parser = unsafe context?.assumingMemoryBound(to: xmlParserCtxt.self) else { return }
            let (scope, attributes) = unsafe (Int(parser.pointee.nsNr) / 2, Int(count))
            let comparisons = unsafe Int(bitPattern: parser.pointee._private) + (scope + attributes) * (1 + attributes)
            unsafe parser.pointee._private = UnsafeMutableRawPointer(bitPattern: comparisons)
            guard scope <= XMLDocument.mostNamespaces, comparisons <= XMLDocument.mostComparisons else {
                unsafe parser.pointee._private = UnsafeMutableRawPointer(bitPattern: -1)
                return unsafe xmlStopParser(parser)
            }
            unsafe xmlSAX2StartElementNs(context, name, prefix, uri, spaces, names, count, defaults, values)
        }
    }

    private static func problem(_ context: xmlParserCtxtPtr) -> XMLError {
        if unsafe context.pointee.errNo == Int32(bitPattern: XML_ERR_USER_STOP.rawValue) {
            let isTooWide = unsafe Int(bitPattern: context.pointee._private) < 0
            let text =
                isTooWide
                ? "it has too many namespaces and attributes" : "it declares entities, which are not read here"
            return XMLError(text, isGivenUp: true)
        }
        guard let error = unsafe xmlCtxtGetLastError(context) else { return XMLError("it can't be read") }
        let text = unsafe error.pointee.message.map { unsafe String(cString: $0) } ?? "it can't be read"
        return unsafe XMLError(text.split(separator: "\n").joined(separator: " "), line: Int(error.pointee.line))
    }

    /// Counts the nodes below an element, and removes their namespaces if requested.
    private func count(_ root: xmlNodePtr, isStripped: Bool) throws(XMLError) {
        var next: xmlNodePtr? = unsafe root
        while let node = unsafe next {
            nodeCount += 1
            guard nodeCount <= Self.mostNodes else {
                throw XMLError("XML of more than \(Self.mostNodes) nodes is not read", isGivenUp: true)
            }
            unsafe next = Self.following(node, below: root)
            guard unsafe node.pointee.type == XML_ELEMENT_NODE else { continue }
            if isStripped { unsafe Self.strip(node) }
            if let child = unsafe node.pointee.children { unsafe next = child }
        }
    }

    /// The node after another and all below it, in the document's order.
    private static func following(_ node: xmlNodePtr, below root: xmlNodePtr) -> xmlNodePtr? {
        var node = unsafe node
        while unsafe node != root {
            if let next = unsafe node.pointee.next { return unsafe next }
            guard let parent = unsafe node.pointee.parent else { return nil }
            unsafe node = parent
        }
        return nil
    }

    private static func strip(_ node: xmlNodePtr) {
        unsafe node.pointee.ns = nil
        // A prefix that isn't declared is a part of the name.
        unsafe node.pointee.name = local(node.pointee.name)
        var attribute = unsafe node.pointee.properties
        while let current = unsafe attribute {
            unsafe current.pointee.ns = nil
            unsafe current.pointee.name = local(current.pointee.name)
            unsafe attribute = current.pointee.next
        }
    }

    private static func local(_ name: UnsafePointer<xmlChar>?) -> UnsafePointer<xmlChar>? {
        guard let name = unsafe name, let colon = unsafe xmlStrchr(name, UInt8(ascii: ":")) else { return unsafe name }
        return unsafe UnsafePointer(colon + 1)
    }

    // MARK: Texts

    /// A node's text, including all nodes below it.
    static func text(of node: xmlNodePtr) -> String {
        guard let content = unsafe xmlNodeGetContent(node) else { return "" }
        defer { unsafe backlot_xml_free(content) }
        return unsafe string(content)
    }

    /// A text of the library. References to characters (`&#x301;`) may have brought any number of combining marks.
    static func string(_ text: UnsafePointer<xmlChar>) -> String { unsafe String(cString: text).withFewMarks }

    /// A node as XML.
    func source(of node: xmlNodePtr) -> String {
        guard let buffer = unsafe xmlBufferCreate() else { return "" }
        defer { unsafe xmlBufferFree(buffer) }
        guard unsafe xmlNodeDump(buffer, document, node, 0, 0) >= 0, let content = unsafe xmlBufferContent(buffer)
        else {
            return ""
        }
        return unsafe Self.string(content)
    }
}

extension ArraySlice<UInt8> {
    /// Whether the text after a `<` begins a declaration of types.
    fileprivate var declaresTypes: Bool {
        first == UInt8(ascii: "!") && ["!ATTLIST", "!ELEMENT", "!NOTATION"].contains { starts(with: $0.utf8) }
    }
}

/// The error for a text that can't be read as XML, or a path that can't be followed.
struct XMLError: Error, Equatable, CustomStringConvertible {
    let text: String
    /// The line, from 1; nil if the place is unknown.
    let line: Int?
    /// Whether a limit ended the work before the result was known.
    let isGivenUp: Bool

    init(_ text: String, line: Int? = nil, isGivenUp: Bool = false) {
        (self.text, self.line, self.isGivenUp) = (text, line, isGivenUp)
    }

    var description: String { line.map { "\(text), in line \($0)" } ?? text }
}

/// A part of an XML document for comparisons: without comments, and without blanks around texts.
indirect enum XMLTree: Sendable, Equatable {
    case element(XMLElement)
    case text(String)
    case instruction(target: String, data: String)

    /// The name for ordering siblings before they are compared.
    var name: String {
        switch self {
        case .element(let element): element.name
        case .text: ""
        case .instruction(let target, _): target
        }
    }
}

/// An element with its contents.
struct XMLElement: Sendable, Equatable {
    struct Attribute: Sendable, Equatable {
        let name: String
        let namespace: String?
        let value: String
    }

    /// The name without its prefix, unless names are plain.
    let name: String
    /// nil without a namespace.
    let namespace: String?
    let attributes: [Attribute]
    let children: [XMLTree]

    /// The root of a document.
    ///
    /// - Parameter isPlain: whether to keep names as written, with their prefixes.
    init(parsing text: String, isPlain: Bool = false) throws(XMLError) {
        let document = try XMLDocument(parsing: text, namespaces: .kept)
        guard let root = unsafe xmlDocGetRootElement(document.document) else { throw XMLError("it has no element") }
        unsafe self.init(root, isPlain: isPlain)
        // Up to here, the tree points into the document.
        withExtendedLifetime(document) {}
    }

    private init(_ node: xmlNodePtr, isPlain: Bool) {
        (name, namespace) = unsafe Self.name(node.pointee.name, node.pointee.ns, isPlain)
        attributes = unsafe Self.attributes(of: node, isPlain: isPlain)
        var children: [XMLTree] = []
        // Comments part a text into many.
        var text = ""
        func endText() {
            let trimmed = text.withFewMarks.withoutBlanks
            if !trimmed.isEmpty { children.append(.text(trimmed)) }
            text = ""
        }
        var child = unsafe node.pointee.children
        while let current = unsafe child {
            switch unsafe current.pointee.type {
            case XML_ELEMENT_NODE:
                endText()
                children.append(.element(unsafe XMLElement(current, isPlain: isPlain)))
            case XML_TEXT_NODE, XML_CDATA_SECTION_NODE, XML_ENTITY_REF_NODE:
                unsafe text += XMLDocument.text(of: current)
            case XML_PI_NODE:
                endText()
                let target = unsafe Self.text(current.pointee.name) ?? ""
                children.append(.instruction(target: target, data: unsafe XMLDocument.text(of: current)))
            default: break
            }
            unsafe child = current.pointee.next
        }
        endText()
        self.children = children
    }

    /// An element's attributes. If names are plain, they include those that declare namespaces.
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
        unsafe text.map { unsafe XMLDocument.string($0) }
    }
}
