package import Backlot

extension ApplinRules {
    /// The pictures of a page, in its order; also of a page that clients reject.
    package static func pictures(
        inPage document: JSONValue,
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
    /// What the action of a node leads to, and the key that holds the path or URL; nil for an action that leads nowhere.
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
    /// Where the actions of a page lead, in the order of the page; also of a page that clients reject, and in either dialect.
    ///
    /// Paths of pages without a leading slash are left out, as are empty ones: other rules are about them.
    package static func links(
        inPage document: JSONValue,
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
