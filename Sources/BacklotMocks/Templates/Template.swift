import BacklotJSON

/// A text or a document with tags. It is parsed once, when its file is loaded, and filled in within a limit.
package struct Template: Sendable {
    let nodes: [TemplateNode]
    let usesSession: Bool
    /// The data that it names.
    let data: Set<String>
    /// Whether it may take too long for an event loop.
    let isCostly: Bool
    /// The number of values of the request to remember while it is filled in.
    private let slots: Int
    private let capacity: Int

    /// A text without tags.
    init(constant: String) {
        nodes = [.bytes(Array(constant.utf8))]
        (usesSession, data, isCostly, slots, capacity) = (false, [], false, 0, constant.utf8.count)
    }

    /// Reads a text.
    ///
    /// - Parameter isJSON: whether to write values so that the text stays JSON.
    init(_ text: String, dialect: TemplateDialect = .own, isJSON: Bool = false) throws(TemplateError) {
        try self.init(dialect, capacity: text.utf8.count + 64) { builder throws(TemplateError) in
            try builder.add(text, isJSON: isJSON)
        }
    }

    /// Reads a document with strings and keys that may have tags.
    ///
    /// - Parameter isMatcher: whether values must not change the JSON paths around them.
    init(document: JSONValue, dialect: TemplateDialect, isMatcher: Bool = false) throws(TemplateError) {
        try self.init(dialect, capacity: 1024) { builder throws(TemplateError) in
            builder.isMatcher = isMatcher
            try builder.add(document)
        }
    }

    private init(
        _ dialect: TemplateDialect,
        capacity: Int,
        _ build: (inout TemplateBuilder) throws(TemplateError) -> Void
    ) throws(TemplateError) {
        let scope = TemplateScope(dialect)
        var builder = TemplateBuilder(scope)
        do throws(TemplateError) {
            try build(&builder)
            nodes = try builder.end()
        } catch {
            throw error.located(at: scope.place)
        }
        self.capacity = capacity
        (usesSession, data, isCostly, slots) = (scope.usesSession, scope.data, scope.isCostly, scope.slots)
    }

    /// Whether there may be tags in a text.
    package static func hasTags(_ text: String) -> Bool { TemplateScanner.hasTags(text) }

    /// The bytes; nil if they depend on the request.
    var constantBytes: [UInt8]? {
        guard let first = nodes.first else { return [] }
        if nodes.count == 1, case .bytes(let bytes) = first { return bytes }
        return nil
    }

    /// The text; nil if it depends on the request.
    var constant: String? { constantBytes.map { String(decoding: $0, as: UTF8.self) } }

    /// Fills it in.
    ///
    /// - Parameter limit: the limit for the work, in the units of ``TemplateOutput``.
    func bytes(_ context: TemplateContext, limit: Int) throws(TemplateTooLarge) -> [UInt8] {
        var run = TemplateRun(context, slots: slots, limit: limit, capacity: capacity)
        try run.write(nodes)
        return run.output.bytes
    }

    /// Fills it in, as text.
    ///
    /// - Parameter limit: the limit for the work, in the units of ``TemplateOutput``.
    func text(_ context: TemplateContext, limit: Int) throws(TemplateTooLarge) -> String {
        if let constant { return constant }
        return String(decoding: try bytes(context, limit: limit), as: UTF8.self).withFewMarks
    }

    /// Sample bodies for checks before the first request: one with every block once, and one with the parts after `else`. Texts have
    /// the tags' names, and other values are null.
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

/// The source of a template. The tags are the same, but the dialects differ in lines, in roots, and in values beside JSON strings.
enum TemplateDialect: Sendable {
    /// One of our own files: values outside of JSON strings are written as JSON, and tags without output remove their line.
    case own
    /// A file for WireMock: values outside of JSON strings are written unchanged.
    case wireMock
}

/// A part of a template.
indirect enum TemplateNode: Sendable {
    case bytes([UInt8])
    /// A comma between two members or elements, if one comes before.
    case comma
    case value(TemplateExpression, TemplateForm)
    case block(TemplateBlock)
}

/// The form of a value in the output.
enum TemplateForm: Sendable, Equatable {
    /// Unchanged.
    case text
    /// Inside the quotes of a JSON string.
    case escaped
    /// A complete JSON value.
    case value
    /// A JSON value in place of a string, with quotes unless it is a list or an object.
    case lone
    /// One literal or name of a JSON path, itself inside the quotes of a JSON string.
    case jsonPath(JSONPathPlace)
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
        /// Written for each element of a list, once for any other value, and never if it is missing: `{{#name}}`.
        case section
        /// Written once if the value is missing or an empty list: `{{^name}}`.
        case inverted
        /// The text goes to a helper, and the helper's value is written instead.
        case content(TemplateForm)
        /// Written for each element, with a text in between.
        case join(TemplateForm)

        /// Whether names in it may be members of an element.
        var hasFrame: Bool {
            switch self {
            case .each, .with, .section, .join: true
            case .condition, .inverted, .content: false
            }
        }

        /// Whether its text goes to a helper; then it has no `else`.
        var feedsHelper: Bool {
            switch self {
            case .content, .join: true
            default: false
            }
        }
    }

    let kind: Kind
    let expression: TemplateExpression
    var main: [TemplateNode] = []
    /// The part after `else`.
    var other: [TemplateNode] = []
}

/// The value that a tag, or a part of one, stands for.
indirect enum TemplateExpression: Sendable {
    case literal(TemplateValue)
    /// A value of the request, and its number for remembering it.
    case root(TemplatePath, slot: Int)
    /// A value of a block's element, this number of blocks further out.
    case element(up: Int, names: [String])
    /// A name of the nearest block's element, from this number of blocks further out; otherwise a variable, a value of the request,
    /// or a helper's value.
    case nearest(up: Int, names: [String], Fallback)
    /// The place of a block's element, this number of blocks further out.
    case place(Place, up: Int)
    case call(TemplateCall)

    struct Fallback: Sendable {
        var path: TemplatePath?
        var slot = -1
        var call: TemplateCall?
    }

    enum Place: String, Sendable {
        case index, first, last, key, odd, even
        case position = "index_1"
    }
}

/// A helper with its arguments.
struct TemplateCall: Sendable {
    let helper: TemplateHelper
    let positional: [TemplateExpression]
    let named: [(name: String, value: TemplateExpression)]
    /// The prepared form of a constant argument, from reading the template.
    let prepared: (any Sendable)?
    /// The text in the tag.
    let text: String
}

/// The names that are known at a place of a template, and the findings about them so far.
final class TemplateScope {
    /// A block that has an element.
    struct Frame {
        var isLoop: Bool
        /// The names after `as`: of the element, and of its place or key.
        var parameters: [String] = []
    }

    let dialect: TemplateDialect
    /// The tag that is being read.
    var place = TemplatePlace()
    var frames: [Frame] = []
    /// The number of values of the request to remember.
    private(set) var slots = 0
    private(set) var usesSession = false
    /// The data that is named.
    private(set) var data: Set<String> = []
    /// Whether some helper may take too long for an event loop.
    var isCostly = false
    /// The variables that helpers set; nil if their names depend on the request.
    var assigned: Set<String>? = []
    /// Names that only a variable can have, with the mistake if no variable does.
    private var loose: [(name: String, mistake: TemplateError)] = []

    init(_ dialect: TemplateDialect) {
        self.dialect = dialect
    }

    var roots: [TemplateRoot] { dialect == .own ? TemplateRoot.listed : TemplateRoot.ofWireMock }

    /// Notes a name that is a mistake unless a helper sets a variable with this name.
    func note(_ name: String, _ mistake: TemplateError) {
        if assigned?.contains(name) == false { loose.append((name, mistake.located(at: place))) }
    }

    /// Refuses names that don't exist.
    func checkNames() throws(TemplateError) {
        guard let assigned else { return }
        for (name, mistake) in loose where !assigned.contains(name) { throw mistake }
    }

    func root(_ path: TemplatePath) -> TemplateExpression {
        if path.root == .session { usesSession = true }
        if path.root == .data, let name = path.names.first { data.insert(name) }
        guard path.root.isConstant else { return .root(path, slot: -1) }
        defer { slots += 1 }
        return .root(path, slot: slots)
    }

    /// The loop at this number of loops further out.
    func loop(_ up: Int) -> Int? {
        let loops = frames.reversed().enumerated().filter(\.element.isLoop)
        return loops.indices.contains(up) ? loops[up].offset : nil
    }

    /// A name after `as`.
    func parameter(_ names: [String]) -> TemplateExpression? {
        for (up, frame) in frames.reversed().enumerated() {
            switch frame.parameters.firstIndex(of: names[0]) {
            case 0: return .element(up: up, names: Array(names.dropFirst()))
            case 1: return .place(.key, up: up)
            default: continue
            }
        }
        return nil
    }
}
