/// Modules together with all that they import, so that browsers ask for one file instead of forty, and compression sees what they
/// have in common.
///
/// The first module and each one that is loaded later begin a bundle, which is served at that module's path. What the first
/// bundle has, others import from there; it has what several of them need, too. In a bundle each module is a function that is
/// called at once and returns its exports.
struct WebBundles {
    /// The module that pages load.
    static let first = "main.js"

    let modules: [String: WebModule]
    /// The paths at which bundles are served.
    let entries: Set<String>
    private let root: String
    /// The modules of the first bundle, in the order in which they run.
    private let shared: [String]

    /// - Parameter root: where browsers find `Web/`.
    init(_ modules: [String: WebModule], root: String) {
        self.modules = modules
        self.root = root
        let later = Set(modules.values.flatMap(\.later))
        let own = Self.order(from: [Self.first], in: modules, without: [])
        var users: [String: Int] = [:]
        for entry in later {
            for path in Self.order(from: [entry], in: modules, without: Set(own)) { users[path, default: 0] += 1 }
        }
        let common = users.filter { $0.value > 1 }.keys.sorted()
        entries = later.union([Self.first])
        shared = Self.order(from: common + [Self.first], in: modules, without: [])
    }

    /// The modules of a bundle, in the order in which they run.
    func members(of entry: String) -> [String] {
        entry == Self.first ? shared : Self.order(from: [entry], in: modules, without: Set(shared))
    }

    /// The text of a bundle.
    func text(of entry: String) -> [UInt8] {
        let members = members(of: entry)
        var text: [UInt8] = []
        var known: Set<String> = []
        if entry != Self.first {
            known = Set(members.flatMap { modules[$0]?.imports ?? [] }.map(\.path)).subtracting(members)
            text +=
                "import {\(known.sorted().map(Self.name).joined(separator: ","))} from \"\(root)/\(Self.first)\";\n"
                .utf8
        }
        for path in members {
            guard let module = modules[path] else { continue }
            text += "const \(Self.name(path)) = (() => {\n".utf8
            for one in module.imports { text += Self.statement(for: one, isKnown: known.contains(one.path)).utf8 }
            text += module.body
            text += "return {\(module.exports.joined(separator: ","))};\n})();\n".utf8
            known.insert(path)
        }
        if entry == Self.first {
            text += "export {\(members.map(Self.name).joined(separator: ","))};\n".utf8
        } else if let names = modules[entry]?.exports {
            text += "export const {\(names.joined(separator: ","))} = \(Self.name(entry));\n".utf8
        }
        return text
    }

    /// An import. Modules that import each other call each other's functions later, when both have run.
    private static func statement(for one: WebModule.Import, isKnown: Bool) -> String {
        if isKnown { return "const {\(one.names)} = \(name(one.path));\n" }
        return one.names.split { $0 == "," || $0 == " " }
            .map { "const \($0) = (...all) => \(name(one.path)).\($0)(...all);\n" }.joined()
    }

    /// The name of a module in a bundle.
    private static func name(_ path: String) -> String {
        "$" + String(path.dropLast(".js".count).map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    /// Each module after those that it imports, as far as they don't import each other.
    private static func order(
        from entries: [String],
        in modules: [String: WebModule],
        without others: Set<String>
    )
        -> [String]
    {
        var seen = others
        var order: [String] = []
        func visit(_ path: String) {
            guard let module = modules[path], seen.insert(path).inserted else { return }
            for one in module.imports { visit(one.path) }
            order.append(path)
        }
        for entry in entries { visit(entry) }
        return order
    }
}
