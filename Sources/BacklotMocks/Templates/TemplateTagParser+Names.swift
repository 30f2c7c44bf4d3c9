import BacklotJSON

extension TemplateTagParser {
    /// What a word means: a literal, a variable of a block, a name, or a helper without arguments.
    func name(
        _ word: String,
        isWhole: Bool,
        mayCall: Bool,
        _ scope: inout TemplateScope
    ) throws(TemplateMistake) -> TemplateExpression {
        if let literal = Self.literal(word) { return .literal(literal) }
        if word.hasPrefix("@") { return try data(word, &scope) }
        var rest = word[...]
        var up = 0
        while rest == ".." || rest.hasPrefix("../") {
            up += 1
            rest = rest.dropFirst(3)
        }
        let isUp = up > 0
        var isElement = false
        for prefix in ["this", ".", "./", "this/"] where rest == prefix {
            isElement = true
            rest = ""
        }
        if isUp, rest.isEmpty { isElement = true }
        for prefix in ["this.", "./", "this/", "."] where !isElement && rest.hasPrefix(prefix) {
            isElement = true
            rest = rest.dropFirst(prefix.count)
        }
        let names = rest.isEmpty ? [] : TemplatePath.words(String(rest))
        if isElement || isUp {
            if up < scope.frames.count {
                return isElement ? .element(up: up, names: names) : .nearest(up: up, names: names, .init())
            }
            // Around all blocks are the values of the request.
            guard !names.isEmpty, scope.dialect == .wireMock || isUp else { return .literal(.missing) }
        }
        guard let first = names.first, !first.isEmpty || names.count == 1 else { throw unreadable(word) }
        if !isUp, let parameter = Self.parameter(first, Array(names.dropFirst()), scope) { return parameter }
        return try free(String(rest), names, isWhole: isWhole, mayCall: mayCall, &scope)
    }

    /// A name that no block defines.
    private func free(
        _ word: String,
        _ names: [String],
        isWhole: Bool,
        mayCall: Bool,
        _ scope: inout TemplateScope
    ) throws(TemplateMistake) -> TemplateExpression {
        let helper =
            mayCall && names.count == 1 ? TemplateHelper.all[word].flatMap { $0.arguments.contains(0) ? $0 : nil } : nil
        if scope.dialect == .wireMock, let helper { return .call(try helper.call([], [], text: word, &scope)) }
        let isRoot = scope.roots.contains { $0.rawValue == names[0] } || names[0] == "originalRequest"
        if scope.frames.isEmpty {
            if isRoot { return scope.root(try TemplatePath(word, isWhole: isWhole, roots: scope.roots)) }
            if let helper { return .call(try helper.call([], [], text: word, &scope)) }
            if scope.assigned?.contains(names[0]) == false {
                do {
                    _ = try TemplatePath(word, roots: scope.roots)
                } catch {
                    scope.loose.append((names[0], error))
                }
            }
            return .nearest(up: 0, names: names, .init())
        }
        var fallback = TemplateExpression.Fallback()
        if isRoot, let path = try? TemplatePath(word, isWhole: isWhole, roots: scope.roots),
            case .root(_, let slot) = scope.root(path)
        {
            (fallback.path, fallback.slot) = (path, slot)
        } else if let helper {
            fallback.call = try helper.call([], [], text: word, &scope)
        }
        return .nearest(up: 0, names: names, fallback)
    }

    private func unreadable(_ word: String) -> TemplateMistake {
        TemplateMistake("{{\(word)}} can't be read; write a name in it, such as variables.username")
    }

    private static func literal(_ word: String) -> TemplateValue? {
        switch word {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null", "undefined": return .missing
        default:
            guard let first = word.utf8.first,
                first == UInt8(ascii: "-") || first >= UInt8(ascii: "0") && first <= UInt8(ascii: "9"),
                case .number(let number)? = try? JSONValue(parsing: word)
            else { return nil }
            return .json(.number(number))
        }
    }

    /// A name after `as`.
    private static func parameter(_ first: String, _ rest: [String], _ scope: TemplateScope) -> TemplateExpression? {
        for (up, frame) in scope.frames.reversed().enumerated() {
            switch frame.parameters.firstIndex(of: first) {
            case 0: return .element(up: up, names: rest)
            case 1: return .place(.key, up: up)
            default: continue
            }
        }
        return nil
    }

    /// `@index` and its like, `@root`, and variables.
    private func data(_ word: String, _ scope: inout TemplateScope) throws(TemplateMistake) -> TemplateExpression {
        var rest = word.dropFirst()
        var up = 0
        while rest.hasPrefix("../") {
            up += 1
            rest = rest.dropFirst(3)
        }
        if rest.hasPrefix("root.") {
            return scope.root(try TemplatePath(String(rest.dropFirst(5)), isWhole: true, roots: scope.roots))
        }
        if let place = TemplateExpression.Place(rawValue: String(rest)), place != .root {
            guard let frame = scope.loop(up) else {
                throw TemplateMistake("{{\(word)}} stands in no {{#each}}, so that there is nothing to count")
            }
            return .place(place, up: frame)
        }
        let names = TemplatePath.words(String(rest))
        if scope.assigned?.contains(names[0]) == false {
            let known = "write @index, @first, @last, @key, @odd, @even or @root.request"
            scope.loose.append((names[0], TemplateMistake("{{\(word)}} is not known; \(known)")))
        }
        return .nearest(up: 0, names: names, .init())
    }
}
