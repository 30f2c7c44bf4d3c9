import Backlot

/// Where actions lead, something answers: GET for a page, POST for an rpc, PUT for a photo.
struct DeadLink: PageRule {
    private struct Link {
        let rule: String
        let key: String
        let method: HTTPRequest.Method
        let does: String
        let target: String
    }

    private static let page = Link(rule: "dead-link", key: "page", method: .get, does: "goes to", target: "a page")
    private static let rpc = Link(rule: "dead-rpc", key: "url", method: .post, does: "posts to", target: "an rpc")
    private static let photo = Link(rule: "dead-upload", key: "url", method: .put, does: "puts to", target: "an upload")

    private static let links = [
        "push": page, "replace_all": page, "rpc": rpc, "choose_photo": photo, "take_photo": photo,
    ]

    func remarks(on page: CheckedPage) -> [Remark] {
        guard let app = page.app else { return [] }
        return page.nodes(.action, "push", "replace_all", "rpc", "choose_photo", "take_photo").compactMap {
            index,
            node in
            guard let link = Self.links[node.typ], let url = node.string(link.key), let path = Self.path(of: url, link),
                let methods = app.methods(at: path), !methods.contains(link.method)
            else { return nil }
            let problem =
                methods.isEmpty
                ? "but nothing is there"
                : "which answers \(methods.map(\.rawValue).joined(separator: ", ")) but not \(link.method.rawValue)"
            return .error(
                link.rule,
                at: index,
                node.text == nil ? "/\(link.key)" : "",
                message: "\(node.typ) \(link.does) \(path.quoted), \(problem), so clients show an error.",
                fix: methods.isEmpty
                    ? "Correct the path, or add \(link.target) there."
                    : "Correct the path, or let it answer \(link.method.rawValue)."
            )
        }
    }

    /// The path to look up; nil where other rules judge the URL, and for pages that clients make themselves.
    private static func path(of url: String, _ link: Link) -> String? {
        let path = url.beforeQuery
        if link.key == "page" {
            return path.hasPrefix("/") && !ClientPages.contains(path) ? path : nil
        }
        guard !url.isEmpty, !url.hasScheme, !url.hasPrefix("//"), !url.leadsUp else { return nil }
        return path.hasPrefix("/") ? path : "/\(path)"
    }
}
