/// Makes a web page of an app one of an edition: its links lead into the edition, and those that would lead to nothing become text.
struct EditionPage {
    /// The path of the app on its server, without a slash at its end.
    let path: String
    /// The address of the edition, without a slash at its end.
    let base: String
    /// Whether there is something at an address; asked for those below the base.
    let isThere: (_ address: String) -> Bool

    func repaired(_ html: String) -> String {
        let addresses = #/(?<name>\s(?:href|src|poster|action)\s*=\s*["']?)(?<path>\/[^"'\s>]*)/#.ignoresCase()
        let rooted = html.replacing(addresses) { match in
            guard match.path.hasPrefix("\(path)/") else { return String(match.0) }
            return "\(match.name)\(base)\(match.path.dropFirst(path.count))"
        }
        let links =
            #/<a\s(?:[^<>]*\s)?href\s*=\s*["']?(?<address>[^"'\s<>]*)[^<>]*>(?<content>(?:(?!<a\s).)*?)<\/a\s*>/#
            .ignoresCase().dotMatchesNewlines()
        return rooted.replacing(links) { match in
            let address = match.address
            // Other paths are those of the app's server.
            let isElsewhere = address.hasPrefix("/") && !address.hasPrefix("//")
            return isElsewhere || !isThere(String(address)) ? String(match.content) : String(match.0)
        }
    }
}
