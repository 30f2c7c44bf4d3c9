import Backlot
import BacklotJSON

/// A function that tags call by its name: `{{upper variables.name}}`. Names and meanings are those of WireMock and of the Handlebars
/// that it uses.
struct TemplateHelper: Sendable {
    typealias Body = @Sendable (TemplateArguments, inout TemplateRun) throws(TemplateTooLarge) -> TemplateValue

    /// What `{{#name …}}…{{/name}}` means.
    enum Block: Sendable, Equatable {
        /// Helpers that are no blocks.
        case none
        /// The text is written if the helper's value is true.
        case condition
        /// The text becomes the helper's argument at a place.
        case content(Int)
        /// The text is written for each element of a list.
        case join
    }

    let name: String
    /// How many values it takes.
    let arguments: ClosedRange<Int>
    /// The names of values such as `format='yyyy'`.
    let named: [String]
    let block: Block
    /// The place of the argument that names a variable; nil for helpers that set none.
    let variable: Int?
    /// Which argument can be read in advance.
    let preparation: TemplatePreparation.Kind?
    let body: Body

    init(
        _ name: String,
        _ arguments: ClosedRange<Int>,
        named: [String] = [],
        block: Block = .content(0),
        variable: Int? = nil,
        preparation: TemplatePreparation.Kind? = nil,
        _ body: @escaping Body
    ) {
        self.name = name
        self.arguments = arguments
        self.named = named
        self.block = block
        self.variable = variable
        self.preparation = preparation
        self.body = body
    }

    /// Every helper, by its name.
    static let all: [String: TemplateHelper] = Dictionary(
        (logic + strings + formats + numbers + lists + dates + json + xml + texts + random + rows).map {
            ($0.name, $0)
        },
        uniquingKeysWith: { first, _ in first }
    )

    /// Helpers of WireMock that aren't here, and why.
    static let refused = [
        "systemValue": "a mock may not read the environment or system properties; write the value itself",
        "formatXml": "XML isn't laid out here; write it as it is to be sent",
        "jwt": "tokens aren't made here; write one of your own as a text",
        "jwks": "keys aren't made here; write the document as a text",
        "include": "there are no other templates here", "partial": "there are no other templates here",
        "block": "there are no other templates here", "embedded": "there are no other templates here",
        "precompile": "there are no other templates here", "i18n": "there are no catalogues of texts here",
        "i18nJs": "there are no catalogues of texts here", "log": "templates write into the answer only",
    ]

    var isCondition: Bool { block == .condition }

    var hasContent: Bool { if case .content = block { true } else { false } }

    /// Whether it may take so long that no event loop should wait for it.
    static func isCostly(_ name: String) -> Bool { name == "xPath" || name == "soapXPath" }

    /// Whether the names of its values are its user's choice.
    var takesAnyName: Bool { name == "object" }

    /// Whether nothing is written where a call stands.
    func isSilent(_ arguments: TemplateArguments) -> Bool {
        guard let variable else { return false }
        return arguments.values.count > variable || arguments.call.named.contains { $0.name == "assign" }
    }

    /// A call, whose constant arguments are read.
    func call(
        _ positional: [TemplateExpression],
        _ named: [(name: String, value: TemplateExpression)],
        text: String,
        isBlock: Bool = false,
        _ scope: inout TemplateScope
    ) throws(TemplateMistake) -> TemplateCall {
        var count = positional.count
        if isBlock, hasContent { count += 1 }
        guard arguments.contains(count) else {
            let expected =
                arguments.lowerBound == arguments.upperBound
                ? "\(arguments.lowerBound)"
                : arguments.upperBound == .max
                    ? "at least \(arguments.lowerBound)" : "\(arguments.lowerBound) to \(arguments.upperBound)"
            let noun = arguments.upperBound == 1 ? "value" : "values"
            throw TemplateMistake("the helper '\(name)' takes \(expected) \(noun), and {{\(text)}} has \(count)")
        }
        if Self.isCostly(name) { scope.isCostly = true }
        noteVariable(positional, named, isBlock: isBlock, &scope)
        let prepared = try preparation.map { kind throws(TemplateMistake) in
            try TemplatePreparation(kind, positional, named, text: text)
        }
        return TemplateCall(
            helper: self,
            positional: positional,
            named: named,
            prepared: prepared ?? .none,
            text: text
        )
    }

    private func noteVariable(
        _ positional: [TemplateExpression],
        _ named: [(name: String, value: TemplateExpression)],
        isBlock: Bool,
        _ scope: inout TemplateScope
    ) {
        guard let variable else { return }
        var index = variable
        if isBlock, case .content(let content) = block, content < variable { index -= 1 }
        let expression =
            named.first { $0.name == "assign" }?.value ?? (positional.indices.contains(index) ? positional[index] : nil)
        guard let expression else { return }
        if case .literal(let value) = expression {
            scope.assigned?.insert(value.text)
        } else {
            scope.assigned = nil
        }
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

    /// A value by its place; missing where there are fewer.
    subscript(index: Int) -> TemplateValue { values.indices.contains(index) ? values[index] : .missing }

    /// A value by its name.
    subscript(name: String) -> TemplateValue { named.first { $0.name == name }?.value ?? .missing }

    func flag(_ name: String) -> Bool? {
        let value = self[name]
        if value.isMissing { return nil }
        return value.text == "true"
    }

    var areUnknown: Bool { values.contains(where: \.isUnknown) || named.contains { $0.value.isUnknown } }

    var size: Int { values.reduce(0) { $0 + $1.size } }
}

/// What is made of a constant argument when a template is read, so that mistakes in it are found then.
enum TemplatePreparation: Sendable {
    enum Kind: Sendable {
        case jsonPath(Int)
        case pattern(Int)
        case dateFormat
        case xPath(Int)
    }

    case none
    case jsonPath(JSONPath)
    case pattern(Pattern)
    case dateFormat(DateFormat)
    case xPath(XPath)

    init(
        _ kind: Kind,
        _ positional: [TemplateExpression],
        _ named: [(name: String, value: TemplateExpression)],
        text: String
    ) throws(TemplateMistake) {
        self = .none
        switch kind {
        case .jsonPath(let index):
            guard let text = Self.constant(positional, index) else { return }
            do throws(StubProblem) {
                self = .jsonPath(try JSONPath(Field(.string(text))))
            } catch {
                throw TemplateMistake(error.text)
            }
        case .pattern(let index):
            guard let source = Self.constant(positional, index) else { return }
            do throws(PatternError) {
                self = .pattern(try Pattern(source))
            } catch {
                throw TemplateMistake("'\(source)' is no pattern that is known here: \(error)")
            }
        case .xPath(let index):
            guard let source = Self.constant(positional, index) else { return }
            do throws(XMLProblem) {
                self = .xPath(try XPath(source))
            } catch {
                throw TemplateMistake("'\(source)' is no XPath: \(error.text)")
            }
        case .dateFormat:
            guard case .literal(let value)? = named.first(where: { $0.name == "format" })?.value else { return }
            do throws(DateFormat.Mistake) {
                self = .dateFormat(try DateFormat(DateFormat.named[value.text] ?? value.text))
            } catch {
                throw TemplateMistake("'\(value.text)' is no format of dates: \(error.text)")
            }
        }
    }

    private static func constant(_ positional: [TemplateExpression], _ index: Int) -> String? {
        guard positional.indices.contains(index), case .literal(let value) = positional[index] else { return nil }
        return value.text
    }
}

extension TemplateTagParser {
    /// Reads the tag that begins a block whose text goes to a helper.
    static func readBlock(_ text: String, _ scope: inout TemplateScope) throws(TemplateMistake) -> Result {
        try read(text, isWhole: true, isBlock: true, &scope)
    }
}
