import Backlot

/// A function that tags call by name: `{{upper variables.name}}`. Names and meanings are those of WireMock and of the Handlebars that
/// it uses.
///
/// The cost of a helper is counted outside of it, by the size of its arguments and its result; only expensive helpers count more.
struct TemplateHelper: Sendable {
    /// - Throws: `MessageError` with a text that is written instead, or `TemplateTooLarge`.
    typealias Body = @Sendable (TemplateArguments, inout TemplateRun) throws -> TemplateValue

    /// The effect of `{{#name …}}…{{/name}}`.
    enum Block: Sendable, Equatable {
        /// For helpers that aren't blocks.
        case none
        /// The text is written if the helper's value is true.
        case condition
        /// The text becomes the helper's argument at a place.
        case content(Int)
        /// The text is written for each element of a list, with another text between.
        case join
        /// The text is written for each element of the value, or once for the whole value.
        case each, with
    }

    /// A constant argument that is read in advance, so that mistakes in it are found when a template is read.
    struct Preparation: Sendable {
        /// The place of the argument; nil for the named one.
        var position: Int?
        var name = ""
        let read: @Sendable (String) throws(TemplateError) -> any Sendable
    }

    let name: String
    /// The allowed numbers of values.
    let arguments: ClosedRange<Int>
    /// The names of values such as `format='yyyy'`.
    let named: [String]
    let block: Block
    /// The place of the argument that names a variable; nil for helpers that don't set one.
    let variable: Int?
    let preparations: [Preparation]
    let body: Body

    init(
        _ name: String,
        _ arguments: ClosedRange<Int>,
        named: [String] = [],
        block: Block = .content(0),
        variable: Int? = nil,
        preparing preparations: [Preparation] = [],
        _ body: @escaping Body
    ) {
        (self.name, self.arguments, self.named, self.block) = (name, arguments, named, block)
        (self.variable, self.preparations, self.body) = (variable, preparations, body)
    }

    /// Every helper, by its name.
    static let all: [String: TemplateHelper] = {
        let helpers = logic + texts + encodings + numbers + lists + dates + json + random
        return Dictionary(uniqueKeysWithValues: helpers.map { ($0.name, $0) })
    }()

    /// Helpers of WireMock, and transforms of Mustache, that aren't supported, with the reasons.
    private static let refused: [String: String] = {
        let templates = "there are no other templates here"
        let transform =
            "Mustache's transforms are not known here; write a helper such as {{upper name}} or {{size list}}"
        var refused = [
            "systemValue": "a mock may not read the environment or system properties; write the value itself",
            "formatXml": "XML isn't laid out here; write it in its final form",
            "jwt": "tokens aren't made here; write one of your own as a text",
            "jwks": "keys aren't made here; write the document as a text",
            "i18n": "there are no catalogues of texts here", "i18nJs": "there are no catalogues of texts here",
            "log": "templates only write into the response",
        ]
        for name in ["include", "partial", "block", "embedded", "precompile"] { refused[name] = templates }
        for name in [
            "capitalized", "lowercased", "uppercased", "reversed", "empty", "first", "last", "count", "sorted",
            "enumerated", "plusone", "minusone", "equalzero", "even", "odd", "index",
        ] { refused[name] = transform }
        return refused
    }()

    static func unknown(_ name: String, in text: String) -> TemplateError {
        if let reason = refused[name] { return TemplateError("{{\(text)}}: \(reason)") }
        return TemplateError(
            "there is no helper '\(name)'\(Suggestion.hint(for: name, among: all.keys.sorted())) in {{\(text)}}"
        )
    }

    /// Whether its block only needs a text.
    var takesContentAlone: Bool { if case .content = block { arguments.contains(1) } else { false } }

    /// Whether it is one of Handlebars' own blocks, which apply to a value.
    var isOwnBlock: Bool { ["if", "unless", "each", "with"].contains(name) }

    /// Whether its values may have any names.
    var takesAnyName: Bool { name == "object" }

    /// Whether a call writes nothing.
    func isSilent(_ arguments: TemplateArguments) -> Bool {
        guard let variable else { return false }
        return arguments.values.count > variable || arguments.call.named.contains { $0.name == "assign" }
    }

    /// A call; its constant arguments are read in advance.
    func call(
        _ positional: [TemplateExpression],
        _ named: [(name: String, value: TemplateExpression)],
        text: String,
        isBlock: Bool = false,
        _ scope: TemplateScope
    ) throws(TemplateError) -> TemplateCall {
        var content: Int?
        if isBlock, case .content(let position) = block { content = position }
        let count = positional.count + (content == nil ? 0 : 1)
        guard arguments.contains(count) else {
            let (least, most) = (arguments.lowerBound, arguments.upperBound)
            let expected = least == most ? "\(least)" : most == .max ? "at least \(least)" : "\(least) to \(most)"
            let noun = most == 1 ? "value" : "values"
            throw TemplateError("the helper '\(name)' takes \(expected) \(noun), and {{\(text)}} has \(count)")
        }
        if name == "xPath" || name == "soapXPath" { scope.isCostly = true }
        if let variable {
            let index = content.map { $0 < variable } == true ? variable - 1 : variable
            let given = positional.indices.contains(index) ? positional[index] : nil
            switch named.first(where: { $0.name == "assign" })?.value ?? given {
            case .literal(let value): scope.assigned?.insert(value.text)
            case .some: scope.assigned = nil
            case nil: break
            }
        }
        var prepared: (any Sendable)?
        for preparation in preparations {
            let given = preparation.position.flatMap { positional.indices.contains($0) ? positional[$0] : nil }
            guard case .literal(let value)? = given ?? named.first(where: { $0.name == preparation.name })?.value
            else { continue }
            prepared = try preparation.read(value.text)
        }
        return TemplateCall(helper: self, positional: positional, named: named, prepared: prepared, text: text)
    }
}

extension Optional {
    /// The value; for nil, this throws an error with the text that a helper writes instead.
    func or(_ problem: @autoclosure () -> String) throws(MessageError) -> Wrapped {
        guard let self else { throw MessageError(problem()) }
        return self
    }
}

/// The values that a helper is called with.
struct TemplateArguments {
    let call: TemplateCall
    var values: [TemplateValue] = []
    var named: [(name: String, value: TemplateValue)] = []

    init(_ call: TemplateCall) {
        self.call = call
    }

    /// A value by its place; missing if there are fewer.
    subscript(index: Int) -> TemplateValue { values.indices.contains(index) ? values[index] : .missing }

    /// A value by its name.
    subscript(name: String) -> TemplateValue { named.first { $0.name == name }?.value ?? .missing }

    func flag(_ name: String) -> Bool? {
        let value = self[name]
        return value.isMissing ? nil : value.text == "true"
    }

    /// The value of a name, or another if it is missing.
    func value<Value>(_ name: String, or usual: Value?, _ read: (TemplateValue) -> Value?) -> Value? {
        self[name].isMissing ? usual : read(self[name])
    }

    /// The list in the first argument.
    func list(or problem: String) throws(MessageError) -> [JSONValue] { try self[0].elements.or(problem) }

    /// A whole number.
    func int(
        _ index: Int,
        in range: ClosedRange<Int> = .min ... .max,
        or problem: String
    ) throws(MessageError) -> Int {
        try self[index].int.flatMap { range.contains($0) ? $0 : nil }.or(problem)
    }

    /// The result of reading a text: in advance, if it is constant.
    func prepared<Value>(
        _ text: String,
        _ read: (String) throws(TemplateError) -> Value
    ) throws(TemplateError) -> Value {
        if let value = call.prepared as? Value { return value }
        return try read(text)
    }

    var areUnknown: Bool { values.contains(where: \.isUnknown) || named.contains { $0.value.isUnknown } }

    var size: Int { values.reduce(0) { $0 + $1.size } }
}
