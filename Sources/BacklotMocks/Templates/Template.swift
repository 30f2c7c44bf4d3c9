import BacklotJSON

/// A text or a document with tags. It is parsed once, when its file is loaded, and filled in within a bound.
package struct Template: Sendable {
    let nodes: [TemplateNode]
    let usesSession: Bool
    /// The data that it names.
    let data: Set<String>
    /// Whether it may take so long that no event loop should wait for it.
    let isCostly: Bool
    /// How many values of the request are remembered while it is filled in.
    let slots: Int
    private let capacity: Int

    /// A text without tags.
    init(constant: String) {
        nodes = [.bytes(Array(constant.utf8))]
        (usesSession, data, isCostly, slots, capacity) = (false, [], false, 0, constant.utf8.count)
    }

    /// Reads a text.
    ///
    /// - Parameter isJSON: whether values are written so that the text stays JSON.
    init(_ text: String, dialect: TemplateDialect = .own, isJSON: Bool = false) throws(TemplateMistake) {
        var builder = TemplateBuilder(dialect)
        try builder.addText(text, isJSON: isJSON)
        self.init(try builder.end(), builder, capacity: text.utf8.count + 64)
    }

    /// Reads a document whose strings and keys may have tags.
    init(document: JSONValue, dialect: TemplateDialect) throws(TemplateMistake) {
        var builder = TemplateBuilder(dialect)
        try builder.addValue(document, [])
        self.init(try builder.end(), builder, capacity: 1024)
    }

    private init(_ nodes: [TemplateNode], _ builder: TemplateBuilder, capacity: Int) {
        self.nodes = nodes
        data = builder.scope.data
        (usesSession, isCostly, slots) = (builder.scope.usesSession, builder.scope.isCostly, builder.scope.slots)
        self.capacity = capacity
    }

    /// Whether there may be tags in a text.
    package static func hasTags(_ text: String) -> Bool { TemplateScanner.hasTags(text) }

    /// The bytes; nil when they depend on the request.
    var constantBytes: [UInt8]? {
        switch nodes.count {
        case 0: []
        case 1: if case .bytes(let bytes) = nodes[0] { bytes } else { nil }
        default: nil
        }
    }

    /// The text; nil when it depends on the request.
    var constant: String? { constantBytes.map { String(decoding: $0, as: UTF8.self) } }

    /// Fills it in.
    ///
    /// - Parameter limit: how much it may take, as `TemplateOutput` counts.
    func bytes(_ context: TemplateContext, limit: Int) throws(TemplateTooLarge) -> [UInt8] {
        var run = TemplateRun(context, slots: slots, limit: limit, capacity: capacity)
        try run.write(nodes)
        return run.output.bytes
    }

    /// Fills it in, as text.
    ///
    /// - Parameter limit: how much it may take, as `TemplateOutput` counts.
    func text(_ context: TemplateContext, limit: Int) throws(TemplateTooLarge) -> String {
        if let constant { return constant }
        return String(decoding: try bytes(context, limit: limit), as: UTF8.self)
    }

    /// Bodies like those that are sent, to judge before the first request: one with every block once, and one with what
    /// stands after `else` instead. Texts hold the tags' names, and other values are null.
    func samples() -> [[UInt8]] {
        let samples = [false, true].map { takesElse in
            var run = TemplateRun(nil, slots: slots, limit: Self.mostSampled, capacity: capacity)
            run.takesElse = takesElse
            try? run.write(nodes)
            return run.output.bytes
        }
        // Most templates have no blocks.
        return samples[0] == samples[1] ? [samples[0]] : samples
    }

    private static let mostSampled = 4 * 1024 * 1024
}

/// A part of a template.
indirect enum TemplateNode: Sendable {
    case bytes([UInt8])
    /// A comma between two members or elements, where one stands before.
    case comma
    case value(TemplateExpression, TemplateForm)
    case block(TemplateBlock)
}

/// How a value is written.
enum TemplateForm: Sendable {
    /// Unchanged.
    case text
    /// Inside the quotes of a JSON string.
    case escaped
    /// A whole JSON value.
    case value
    /// A JSON value in place of a string, with quotes unless it is a list or an object.
    case lone
}

/// A part of a template that is written conditionally, or several times.
struct TemplateBlock: Sendable {
    enum Kind: Sendable {
        /// Written once if the value is true, or false.
        case condition(isInverted: Bool)
        /// Written for each element.
        case each
        /// Written once, about the value.
        case with
        /// Mustache's: written for each element of a list, once for any other value, and not at all where it is missing.
        case section
        /// Mustache's: written once where the value is missing or an empty list.
        case inverted
        /// The text goes to a helper, whose value is written instead.
        case content(TemplateForm)
        /// Written for each element, with a text between.
        case join(TemplateForm)
    }

    let kind: Kind
    let expression: TemplateExpression
    let main: [TemplateNode]
    /// What stands after `else`.
    let other: [TemplateNode]
}
