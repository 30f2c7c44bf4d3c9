/// Where programs keep what should survive them and is no document (XDG Base Directory Specification).
package enum StateFolder {
    /// The folder of a user: that of `XDG_STATE_HOME`, or else `.local/state` below `HOME`; nil where neither is set.
    package static func path(_ environment: [String: String]) -> String? {
        // An empty variable is not set, and a relative path doesn't count.
        if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") { return folder }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return "\(home)/.local/state"
    }
}
