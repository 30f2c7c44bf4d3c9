import Backlot

/// Rules about where actions lead.
enum LinkRules {
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
                message: "The page pushes itself, which clients answer with an error.",
                fix: "Use poll to refresh the page, or replace_all to show it alone."
            )
        }
    }

    // MARK: Dead links

    /// Where actions lead, something answers: GET for a page, POST for an rpc, PUT for a photo.
    @Sendable static func deadLinks(_ page: CheckedPage, _ remarks: inout Remarks) {
        guard let app = page.facts.app else { return }
        for node in page.tree.nodes where node.isRead {
            guard let (kind, key) = PageLink.Kind.target(of: node), let url = node.string(key),
                let path = path(of: url, kind), let methods = app.methods(at: path), !methods.contains(kind.method)
            else { continue }
            let problem =
                methods.isEmpty
                ? "but nothing is there"
                : "which answers \(methods.map(\.rawValue).joined(separator: ", ")) but not \(kind.method.rawValue)"
            remarks.error(
                kind.rule,
                at: node,
                key,
                message: "\(node.name) \(kind.verb) \(path.quoted), \(problem), so clients show an error.",
                fix: methods.isEmpty
                    ? "Correct the path, or add \(kind.noun) there."
                    : "Correct the path, or let it answer \(kind.method.rawValue)."
            )
        }
    }

    /// The path to look up; nil where other rules judge the URL, and for pages that clients make themselves.
    private static func path(of url: String, _ kind: PageLink.Kind) -> String? {
        let path = url.beforeQuery
        if kind == .page {
            return path.hasPrefix("/") && !PageRules.clientPages.contains(path) ? path : nil
        }
        guard !url.isEmpty, !url.hasScheme, !url.hasPrefix("//"), !url.leadsUp else { return nil }
        return path.hasPrefix("/") ? path : "/\(path)"
    }

    // MARK: URLs outside of the app

    /// Rpcs and photo uploads stay below the app's base URL: clients reject a page with one that leaves it.
    @Sendable static func foreignURLs(_ page: CheckedPage, _ remarks: inout Remarks) {
        for node in page.tree.nodes(RPC.vocabulary, ChoosePhoto.vocabulary, TakePhoto.vocabulary) {
            guard let url = node.string("url") else { continue }
            let isWeb = ["http:", "https:"].contains(where: url.lowercased().hasPrefix)
            if url.hasScheme, page.facts.baseURL == nil, isWeb {
                remarks.warning(
                    "absolute-url",
                    at: node,
                    "url",
                    message:
                        "\(url.quoted) is absolute: clients reject the page unless it is below the app's base URL.",
                    fix: "Write the path below the base URL, such as \"/save\"."
                )
            } else if leaves(url, base: page.facts.baseURL) {
                remarks.rejection(
                    "url-outside-base",
                    at: node,
                    "url",
                    message: "\(url.quoted) is outside the app's base URL, so clients reject the whole page.",
                    fix:
                        "Write a path below the base URL, such as \"/save\"; to reach another server, let yours call it."
                )
            }
        }
    }

    private static func leaves(_ url: String, base: String?) -> Bool {
        if url.hasPrefix("//") { return true }
        guard url.hasScheme else { return url.leadsUp }
        guard let base, url.hasPrefix(base) else { return true }
        return String(url.dropFirst(base.count)).leadsUp
    }
}

extension PageLink.Kind {
    fileprivate var rule: String {
        switch self {
        case .page: "dead-link"
        case .rpc: "dead-rpc"
        case .upload: "dead-upload"
        }
    }

    fileprivate var method: HTTPRequest.Method {
        switch self {
        case .page: .get
        case .rpc: .post
        case .upload: .put
        }
    }

    fileprivate var verb: String {
        switch self {
        case .page: "goes to"
        case .rpc: "posts to"
        case .upload: "puts to"
        }
    }

    fileprivate var noun: String {
        switch self {
        case .page: "a page"
        case .rpc: "an rpc"
        case .upload: "an upload"
        }
    }
}
