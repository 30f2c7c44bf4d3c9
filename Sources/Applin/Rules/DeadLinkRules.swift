import Backlot

/// Rules about the targets of actions.
enum DeadLinkRules {
    /// The page that push or replace_all goes to begins with a slash, since clients add it to the base URL; they show no
    /// pages of other servers.
    ///
    /// Source: Applin documentation, Frontend-Backend Protocol, Pages and URLs.
    @Sendable static func slashes(_ page: CheckedPage, _ remarks: inout Remarks) {
        for node in page.tree.nodes(Push.vocabulary, ReplaceAll.vocabulary) {
            guard let target = node.string("page"), !target.hasPrefix("/") else { continue }
            if node.text != nil, target.isEmpty { continue }  // is malformed already
            let fix =
                target.hasScheme
                ? "Use launch_url for an address outside the app, and a path such as \"/terms\" for a page."
                : "Write \("/\(target)".quoted)."
            remarks.error(
                "link-without-slash",
                at: node,
                "page",
                message: "\(node.name) goes to \(target.quoted), but paths of pages begin with a slash.",
                fix: fix
            )
        }
    }

    /// Clients fail to push a page that is on the stack already, and the page itself always is.
    ///
    /// Source: Applin documentation, Actions, push.
    @Sendable static func selfPushes(_ page: CheckedPage, _ remarks: inout Remarks) {
        for node in page.tree.nodes(Push.vocabulary) where node.string("page") == page.path {
            remarks.error(
                "push-of-itself",
                at: node,
                "page",
                message: "The page pushes itself, so clients show an error.",
                fix: "Use poll to refresh the page, or replace_all to show it alone."
            )
        }
    }

    // MARK: Dead links

    /// The targets of actions need a route: GET for a page, POST for an rpc, PUT for a photo.
    @Sendable static func deadLinks(_ page: CheckedPage, _ remarks: inout Remarks) {
        guard let app = page.facts.app else { return }
        for node in page.tree.nodes where node.isRead {
            guard let (kind, key) = PageLink.Kind.target(of: node), let url = node.string(key),
                let path = path(of: url, kind), let methods = app.methods(at: path)
            else { continue }
            // The path of a route, with a parameter that is still in braces. Tags of mock files have two braces.
            let isPattern = url.contains("{") && !url.contains("{{")
            guard isPattern || !methods.contains(kind.words.method) else { continue }
            let problem =
                isPattern
                ? "which has a parameter without a value"
                : methods.isEmpty
                    ? "but nothing is there"
                    : "which accepts \(methods.map(\.rawValue).joined(separator: ", ")) but not \(kind.words.method.rawValue)"
            remarks.error(
                kind.words.rule,
                at: node,
                key,
                message: "\(node.name) \(kind.words.verb) \(path.quoted), \(problem), so clients show an error.",
                fix: isPattern
                    ? "Give the route its id:, and the action a value, as in push(plot, id: 7)."
                    : methods.isEmpty
                        ? fix(of: path, kind, app)
                        : "Correct the path, or make it accept \(kind.words.method.rawValue)."
            )
        }
    }

    /// The fix for a dead link. The link may contain the base URL's path, which clients add themselves.
    private static func fix(of path: String, _ kind: PageLink.Kind, _ app: RouteLookup) -> String {
        let rest = "/\(path.dropFirst(app.basePath.count))"
        guard app.basePath != "/", path.hasPrefix(app.basePath),
            app.methods(at: rest)?.contains(kind.words.method) == true
        else {
            return "Correct the path, or add \(kind.words.noun) there."
        }
        return "Write \(rest.quoted): clients add the path to the app's base URL, which is at \(app.basePath)."
    }

    /// The path to look up; nil if other rules check the URL, and for pages that clients make themselves.
    static func path(of url: String, _ kind: PageLink.Kind) -> String? {
        let path = url.beforeQuery
        if kind == .page {
            return path.hasPrefix("/") && !PageRules.clientPages.contains(path) ? path : nil
        }
        guard !url.isEmpty, !url.hasScheme, !url.hasPrefix("//"), ClientURL.place(of: url, base: nil) == .inside else {
            return nil
        }
        return path.hasPrefix("/") ? path : "/\(path)"
    }
}

extension PageLink.Kind {
    /// The rule that a dead link breaks, the method of the missing route, and words for messages.
    fileprivate var words: (rule: String, method: HTTPRequest.Method, verb: String, noun: String) {
        switch self {
        case .page: ("dead-link", .get, "goes to", "a page")
        case .rpc: ("dead-rpc", .post, "posts to", "an rpc")
        case .upload: ("dead-upload", .put, "puts to", "an upload")
        }
    }
}
