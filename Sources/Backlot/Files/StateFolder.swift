/// Where programs keep what should survive them and is no document (XDG Base Directory Specification).
package enum StateFolder {
    /// The folder of a user: that of `XDG_STATE_HOME`, or else `.local/state` below `HOME`; nil where neither is set. Has no
    /// slash at its end, so that `"\(path)/name"` is the path of a file.
    package static func path(_ environment: [String: String]) -> String? {
        // An empty variable is not set, and a relative path doesn't count.
        if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") { return withoutSlashes(folder) }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return "\(withoutSlashes(home))/.local/state"
    }

    private static func withoutSlashes(_ path: String) -> String {
        var rest = path[...]
        while rest.hasSuffix("/") { rest = rest.dropLast() }
        return String(rest)
    }
}
