package import Backlot

extension ApplinRules {
    /// The pictures of a page, in its order, even of a page that clients reject.
    package static func pictures(
        in document: JSONValue,
        path: String,
        dialect: Dialect,
        words: ApplinLanguage = .standard
    ) -> [PagePicture] {
        let tree = tree(of: document, dialect: dialect, words: words)
        return tree.nodes(Image.vocabulary, NavButton.vocabulary).compactMap { node in
            let key = node.kind == Image.vocabulary ? "url" : "photo_url"
            guard let url = node.string(key), !url.isEmpty else { return nil }
            return PagePicture(url: url, place: tree.path(to: node, "/\(key)", page: path))
        }
    }
}

extension PageLink.Kind {
    /// The target of a node's action, and the key of its path or URL; nil for an action without a target.
    static func target(of node: DocumentNode) -> (kind: PageLink.Kind, key: String)? {
        switch node.kind {
        case Push.vocabulary, ReplaceAll.vocabulary: (.page, "page")
        case RPC.vocabulary: (.rpc, "url")
        case ChoosePhoto.vocabulary, TakePhoto.vocabulary: (.upload, "url")
        default: nil
        }
    }
}

extension ApplinRules {
    /// The targets of a page's actions, in the order of the page, in either dialect, and even of a page that clients reject.
    ///
    /// It leaves out page paths that are empty or have no leading slash, since other rules cover them.
    package static func links(
        in document: JSONValue,
        path: String,
        dialect: Dialect,
        words: ApplinLanguage = .standard
    ) -> [PageLink] {
        let tree = tree(of: document, dialect: dialect, words: words)
        return tree.nodes.compactMap { node in
            guard node.isRead, let (kind, key) = PageLink.Kind.target(of: node), let target = node.string(key),
                kind == .page ? target.hasPrefix("/") : !target.isEmpty
            else { return nil }
            let place = tree.path(to: node, node.text == nil ? "/\(key)" : "", page: path)
            return PageLink(kind: kind, action: node.name, target: target, place: place)
        }
    }
}
