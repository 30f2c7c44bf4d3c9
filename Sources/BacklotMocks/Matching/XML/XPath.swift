import Backlot
import CLibXML2

/// A path into an XML document: XPath 1.0, evaluated by libxml2, within limits.
struct XPath: Sendable, Equatable {
    /// The longest path, in bytes.
    private static let longest = 4096
    /// The most levels of nested brackets.
    private static let mostDepth = 50

    /// The values that a path leads to.
    enum Value: Equatable, Sendable {
        /// Parts of the document, in its order.
        case nodes([Node])
        case text(String)
        case number(Double)
        case bool(Bool)
    }

    /// A part of a document.
    struct Node: Equatable, Sendable {
        /// The text of the part, including all parts below it.
        let text: String
        /// Elements as XML; the text of all other nodes.
        let source: String
        /// The name of an element or attribute; empty for all other nodes.
        var name = ""
        /// The attributes of an element.
        var attributes: [NamedValue] = []
    }

    let source: String
    /// Namespaces by their prefixes in the path; empty to ignore namespaces.
    let namespaces: [String: String]

    /// - Throws: `XMLError` for a text that isn't a path.
    init(_ source: String, namespaces: [String: String] = [:]) throws(XMLError) {
        self.source = source
        self.namespaces = namespaces
        guard source.utf8.count <= Self.longest else {
            throw XMLError("a path of more than \(Self.longest) bytes is not read")
        }
        var depth = 0
        for byte in source.utf8 {
            if "([".utf8.contains(byte) { depth += 1 }
            if ")]".utf8.contains(byte) { depth -= 1 }
            guard depth <= Self.mostDepth else {
                throw XMLError("more than \(Self.mostDepth) brackets stand in each other")
            }
        }
        guard !source.utf8.contains(0) else { throw XMLError("it holds the character 0") }
        // Unknown functions and prefixes only cause errors when a path is evaluated.
        _ = try values(inText: "<a b='c'>d</a>")
    }

    /// Parses a document and follows the path in it.
    ///
    /// - Throws: `XMLError` for a text that isn't XML, and for a path that takes too many steps there.
    func values(inText text: String) throws(XMLError) -> Value {
        let document = try XMLDocument(parsing: text, namespaces: namespaces.isEmpty ? .ignored : .kept)
        // Up to the end, the result points into the document.
        defer { withExtendedLifetime(document) {} }
        guard let context = unsafe xmlXPathNewContext(document.document) else {
            throw XMLError("there is no memory to follow a path")
        }
        defer { unsafe xmlXPathFreeContext(context) }
        unsafe context.pointee.error = { _, _ in }
        // A single step may look at the whole document: the larger it is, the fewer there may be.
        unsafe context.pointee.opLimit = UInt(20_000 + 40 * document.nodeCount)
        for (prefix, name) in namespaces { unsafe xmlXPathRegisterNs(context, prefix, name) }
        let watch = document.nodeCount > XPathWatch.fewNodes ? unsafe XPathWatch(context) : nil
        defer { watch?.end() }
        guard let found = unsafe xmlXPathEvalExpression(source, context) else {
            throw unsafe problem(context, isLate: watch?.hasStopped == true)
        }
        defer { unsafe xmlXPathFreeObject(found) }
        return try unsafe value(found, document)
    }

    private func problem(_ context: xmlXPathContextPtr, isLate: Bool) -> XMLError {
        let code = unsafe context.pointee.lastError.code - Int32(XML_XPATH_EXPRESSION_OK.rawValue)
        switch UInt32(bitPattern: code) {
        case XPATH_UNDEF_PREFIX_ERROR.rawValue:
            return XMLError("a prefix in it stands for no namespace; name its namespace in xPathNamespaces")
        case XPATH_UNKNOWN_FUNC_ERROR.rawValue: return XMLError("a function in it is not known to XPath 1.0")
        case XPATH_UNDEF_VARIABLE_ERROR.rawValue: return XMLError("a variable in it has no value")
        case XPATH_OP_LIMIT_EXCEEDED.rawValue, XPATH_RECURSION_LIMIT_EXCEEDED.rawValue, XPATH_MEMORY_ERROR.rawValue:
            return XMLError("it takes too many steps and was given up", isGivenUp: true)
        default:
            return XMLError(isLate ? "it takes too long and was given up" : "it isn't XPath 1.0", isGivenUp: isLate)
        }
    }

    private func value(_ object: xmlXPathObjectPtr, _ document: XMLDocument) throws(XMLError) -> Value {
        switch unsafe object.pointee.type {
        case XPATH_BOOLEAN: return unsafe .bool(object.pointee.boolval != 0)
        case XPATH_NUMBER: return unsafe .number(object.pointee.floatval)
        case XPATH_STRING: return unsafe .text(object.pointee.stringval.map { unsafe XMLDocument.string($0) } ?? "")
        case XPATH_NODESET:
            guard let set = unsafe object.pointee.nodesetval, unsafe set.pointee.nodeNr > 0 else { return .nodes([]) }
            var nodes: [Node] = []
            var left = 4 * XMLDocument.largest
            unsafe xmlXPathNodeSetSort(set)
            for index in 0..<Int(unsafe set.pointee.nodeNr) {
                guard let node = unsafe set.pointee.nodeTab[index] else { continue }
                // A namespace's node isn't part of the tree.
                guard unsafe node.pointee.type != XML_NAMESPACE_DECL else { continue }
                let text = unsafe XMLDocument.text(of: node)
                let isElement = unsafe node.pointee.type == XML_ELEMENT_NODE
                let source = isElement ? unsafe document.source(of: node) : text
                var part = Node(text: text, source: source)
                let isNamed = unsafe isElement || node.pointee.type == XML_ATTRIBUTE_NODE
                if isNamed { part.name = unsafe XMLElement.text(node.pointee.name) ?? "" }
                if isElement {
                    let attributes = unsafe XMLElement.attributes(of: node)
                    part.attributes = attributes.map { NamedValue(name: $0.name, value: $0.value) }
                }
                nodes.append(part)
                left -= text.utf8.count + source.utf8.count
                guard left > 0 else {
                    throw XMLError("it leads to too many large parts and was given up", isGivenUp: true)
                }
            }
            return .nodes(nodes)
        default: throw XMLError("its result can't be read")
        }
    }
}

extension XPath.Value {
    /// The parts, in the form that operators compare: elements as XML. Empty for a value that isn't a part of the document.
    var sources: [String] {
        if case .nodes(let nodes) = self { nodes.map(\.source) } else { [] }
    }
}

/// Ends the evaluation of a path that takes too long: libxml2 checks its limit of steps with each step.
@safe private final class XPathWatch: @unchecked Sendable {
    /// In documents with fewer nodes, the limit of steps also limits the time.
    static let fewNodes = 100
    private static let time = Duration.milliseconds(200)

    private let context: Locked<xmlXPathContextPtr?>
    private let stopped = Locked(false)
    private let task = Locked<Task<Void, any Error>?>(nil)

    init(_ context: xmlXPathContextPtr) {
        unsafe self.context = Locked(context)
        let task = Task.detached { [self] in
            try await Task.sleep(for: Self.time)
            stop()
        }
        self.task.withLock { $0 = task }
    }

    var hasStopped: Bool { stopped.withLock { $0 } }

    private func stop() {
        unsafe context.withLock { context in
            guard let running = unsafe context else { return }
            unsafe running.pointee.opLimit = 1
            stopped.withLock { $0 = true }
        }
    }

    /// Stops nothing from now on.
    func end() {
        unsafe context.withLock { unsafe $0 = nil }
        task.withLock { $0?.cancel() }
    }
}
