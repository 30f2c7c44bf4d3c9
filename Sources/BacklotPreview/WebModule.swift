/// A module of the preview's client, taken apart as far as is needed to put it together with others.
///
/// Imports have one form, `import { a, b } from "./c.js";`. Exports stand before declarations of functions, classes and constants.
/// Both begin at the beginning of a line. Modules that are loaded later have a literal name: `import("./c.js")`.
struct WebModule {
    struct Import {
        /// The imported names, with commas between.
        let names: String
        /// The path of the module that it comes from.
        let path: String
    }

    private(set) var imports: [Import] = []
    /// The paths of the modules that it loads later.
    private(set) var later: [String] = []
    /// The names that it exports.
    private(set) var exports: [String] = []
    /// Its lines without imports and the word `export`, and with absolute paths of what it loads later.
    private(set) var body: [UInt8] = []

    /// - Parameters:
    ///   - path: where it is, below `Web/`.
    ///   - root: where browsers find `Web/`.
    init(_ text: [UInt8], at path: String, root: String) {
        var lines = text.split(separator: 0x0A)[...]
        while let line = lines.popFirst() {
            if line.starts(with: "import {".utf8) {
                var statement = String(decoding: line, as: UTF8.self)
                while !statement.hasSuffix(";"), let more = lines.popFirst() {
                    statement += String(decoding: more, as: UTF8.self)
                }
                read(importing: statement, path)
                continue
            }
            var code = line
            if line.starts(with: "export ".utf8) {
                code = line.dropFirst("export ".utf8.count)
                read(exporting: String(decoding: code, as: UTF8.self))
            }
            body += read(loading: code, path, root)
            body.append(0x0A)
        }
    }

    private mutating func read(importing statement: String, _ path: String) {
        let names = statement.drop { $0 != "{" }.dropFirst().prefix { $0 != "}" }
        let quoted = statement.split(separator: "\"", omittingEmptySubsequences: false)
        guard quoted.count == 3 else { return }
        imports.append(Import(names: String(names), path: Self.resolve(quoted[1], from: path)))
    }

    private mutating func read(exporting declaration: String) {
        let words = declaration.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "$") }
        if let name = words.first(where: { !["async", "function", "class", "const"].contains($0) }) {
            exports.append(String(name))
        }
    }

    private mutating func read(loading line: ArraySlice<UInt8>, _ path: String, _ root: String) -> [UInt8] {
        let call = Array("import(\"".utf8)
        guard let start = line.firstRange(of: call)?.upperBound,
            let end = line[start...].firstIndex(of: UInt8(ascii: "\""))
        else { return Array(line) }
        let target = Self.resolve(Substring(decoding: line[start..<end], as: UTF8.self), from: path)
        later.append(target)
        return line[..<start] + Array("\(root)/\(target)".utf8) + line[end...]
    }

    /// The path below `Web/` that a relative one means in a module.
    private static func resolve(_ relative: Substring, from path: String) -> String {
        var folders = path.split(separator: "/").dropLast()
        for part in relative.split(separator: "/") where part != "." {
            if part == ".." { folders = folders.dropLast() } else { folders.append(part) }
        }
        return folders.joined(separator: "/")
    }
}
