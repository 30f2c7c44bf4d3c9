package import Backlot
package import BacklotJSON

/// Where an action of a page leads: what a crawl follows.
package struct PageLink: Sendable, Equatable {
    /// What is expected there.
    package enum Kind: Sendable {
        case page, rpc, upload
    }

    /// What is expected there.
    package let kind: Kind
    /// The action's name: `push`.
    package let action: String
    /// The path or URL, as the page has it.
    package let target: String
    /// Where on the page the action stands.
    package let place: FindingPath
}

extension ApplinRules {
    private static let links: [String: (kind: PageLink.Kind, key: String)] = [
        "push": (.page, "page"), "replace_all": (.page, "page"), "rpc": (.rpc, "url"),
        "choose_photo": (.upload, "url"), "take_photo": (.upload, "url"),
    ]

    /// Where the actions of a page lead, in the order of the page; also of a page that clients reject, and in either dialect.
    ///
    /// Paths of pages without a leading slash are left out, as are empty ones: other rules are about them.
    package static func links(inPage document: JSONValue, path: String, dialect: Dialect) -> [PageLink] {
        var walk = PageTreeWalk(dialect: dialect)
        walk.walk(document)
        let tree = walk.tree
        return tree.nodes.indices.compactMap { index in
            let node = tree.nodes[index]
            guard node.kind == .action, let (kind, key) = links[node.typ], let target = node.string(key),
                kind == .page ? target.hasPrefix("/") : !target.isEmpty
            else { return nil }
            let place = FindingPath(
                page: path,
                steps: tree.steps(to: index),
                pointer: tree.pointer(to: index) + (node.text == nil ? "/\(key)" : "")
            )
            return PageLink(kind: kind, action: node.typ, target: target, place: place)
        }
    }
}
