import Backlot

/// What the name of a file says that belongs to an app: `bank/log_in.method.yaml` is the method `log_in` of the app at `/bank`.
struct AppFileName: Sendable, Hashable {
    /// The files that make up one app.
    struct Group: Sendable, Hashable, Comparable {
        /// The folder's path below the routes' folder; empty for that itself.
        let folder: String
        let kind: String

        /// The files, for messages and as the owner of routes: `bank/*.method`.
        var name: String { (folder.isEmpty ? "" : "\(folder)/") + "*.\(kind)" }

        static func < (left: Group, right: Group) -> Bool { left.name < right.name }
    }

    /// The path below the routes' folder.
    let file: String
    /// What stands before the kind.
    let name: String
    let group: Group
    let isYAML: Bool

    /// Reads a name.
    ///
    /// - Returns: nil for a file that belongs to no app of these formats.
    /// - Throws: `RouteFileName.Mistake`.
    init?(_ file: String, among formats: [AppFormat]) throws(RouteFileName.Mistake) {
        let names = file.split(separator: "/").map(String.init)
        let parts = (names.last ?? "").split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 3, let ending = parts.last?.lowercased(), let kind = parts.dropLast().last,
            formats.contains(where: { $0.kind == kind })
        else { return nil }
        guard ["json", "yaml", "yml"].contains(ending) else {
            throw RouteFileName.Mistake(
                text: "a \(kind) is written in JSON or YAML; let the name end in .\(kind).json or .\(kind).yaml"
            )
        }
        if let folder = names.dropLast().first(where: { $0.contains { "[]?#%{}\\".contains($0) } }) {
            throw RouteFileName.Mistake(
                text: "the folder '\(folder)' can't be part of an app's path, which has no parameters; rename it"
            )
        }
        self.file = file
        name = parts.dropLast(2).joined(separator: ".")
        group = Group(folder: names.dropLast().joined(separator: "/"), kind: kind)
        isYAML = ending != "json"
    }
}
