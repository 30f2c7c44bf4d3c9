import Backlot

/// A page, and what is known about the app around it.
struct CheckedPage {
    let tree: PageTree
    /// The page's path below the app's base URL.
    let path: String
    let dialect: Dialect
    /// What the app answers; nil when that isn't known.
    let app: RouteLookup?
    /// The app's base URL, with a slash at its end; nil when it isn't known.
    let baseURL: String?

    /// The nodes of one kind that have one of some names, in the order of the page.
    func nodes(_ kind: PageNode.Kind, _ typs: String...) -> [(index: Int, node: PageNode)] {
        tree.nodes(kind, typs).map { ($0, tree.nodes[$0]) }
    }
}
