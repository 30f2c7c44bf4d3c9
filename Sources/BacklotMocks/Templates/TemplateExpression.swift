import BacklotJSON

/// Where a template comes from, which decides how its tags are read and written.
enum TemplateDialect: Sendable {
    /// One of our own files: Handlebars and Mustache.
    case own
    /// A file for WireMock.
    case wireMock
}

/// The value that a tag, or a part of one, stands for.
indirect enum TemplateExpression: Sendable {
    case literal(TemplateValue)
    /// A value of the request, and the number under which it is remembered.
    case root(TemplatePath, slot: Int)
    /// A value of a block's element, so many blocks out.
    case element(up: Int, names: [String])
    /// A name that the nearest block's element has, from so many blocks out; else a variable, else a value of the request, else
    /// a helper's.
    case nearest(up: Int, names: [String], Fallback)
    /// The place of a block's element, so many blocks out.
    case place(Place, up: Int)
    case transform(TemplateTransform, TemplateExpression)
    case call(TemplateCall)

    struct Fallback: Sendable {
        var path: TemplatePath?
        var slot = -1
        var call: TemplateCall?
    }

    enum Place: String, Sendable {
        case index, first, last, key, odd, even
        case position = "index_1"
        case root
    }

    /// The text that stands for it while a file is judged.
    var text: String {
        switch self {
        case .literal(let value): value.text
        case .root(let path, _): path.text
        case .element(_, let names), .nearest(_, let names, _): names.isEmpty ? "." : names.joined(separator: ".")
        case .place(let place, _): "@\(place.rawValue)"
        case .transform(let transform, let expression): "\(transform.rawValue)(\(expression.text))"
        case .call(let call): call.text
        }
    }
}

/// A helper with its arguments.
struct TemplateCall: Sendable {
    let helper: TemplateHelper
    let positional: [TemplateExpression]
    let named: [(name: String, value: TemplateExpression)]
    /// What was made of a constant argument when the template was read.
    let prepared: TemplatePreparation
    /// The text in the tag.
    let text: String
}

/// What a template's tags may name at a place, and what was found in it so far.
struct TemplateScope {
    /// A block that has an element.
    struct Frame {
        var isLoop: Bool
        /// The names after `as`: of the element, and of its place or key.
        var parameters: [String] = []
    }

    let dialect: TemplateDialect
    var frames: [Frame] = []
    /// How many values of the request are remembered.
    var slots = 0
    var usesSession = false
    /// The data that is named.
    var data: Set<String> = []
    /// Whether some helper may take so long that no event loop should wait for it.
    var isCostly = false
    /// The variables that helpers set; nil when their names aren't known before there is a request.
    var assigned: Set<String>? = []
    /// Names that only a variable can have, with what is wrong if none does.
    var loose: [(name: String, mistake: TemplateMistake)] = []

    init(_ dialect: TemplateDialect) {
        self.dialect = dialect
    }

    var roots: [TemplateRoot] { dialect == .own ? TemplateRoot.listed : TemplateRoot.ofWireMock }

    /// Refuses names that nothing has.
    func checkNames() throws(TemplateMistake) {
        guard let assigned else { return }
        for (name, mistake) in loose where !assigned.contains(name) { throw mistake }
    }

    /// Notes where the names are that may turn out to be unknown.
    mutating func locate(_ change: (TemplateMistake) -> TemplateMistake) {
        for index in loose.indices { loose[index].mistake = change(loose[index].mistake) }
    }

    mutating func root(_ path: TemplatePath) -> TemplateExpression {
        if path.root == .session { usesSession = true }
        if path.root == .data, let name = path.names.first { data.insert(name) }
        guard path.root.isConstant else { return .root(path, slot: -1) }
        defer { slots += 1 }
        return .root(path, slot: slots)
    }

    /// The innermost block that repeats, so many of them out.
    func loop(_ up: Int) -> Int? {
        var left = up
        for (distance, frame) in frames.reversed().enumerated() where frame.isLoop {
            if left == 0 { return distance }
            left -= 1
        }
        return nil
    }
}
