/// The page that push or replace_all goes to begins with a slash, since clients add it to the base URL; they show no pages
/// of other servers.
///
/// Source: Applin documentation, Frontend-Backend Protocol, Pages and URLs.
struct LinkPath: PageRule {
    func remarks(on page: CheckedPage) -> [Remark] {
        page.nodes(.action, "push", "replace_all").compactMap { index, node in
            guard let target = node.string("page"), !target.hasPrefix("/") else { return nil }
            if node.text != nil, target.isEmpty { return nil }  // is malformed already
            let fix =
                target.hasScheme
                ? "Use launch_url for an address outside the app, and a path such as \"/terms\" for a page."
                : "Write \("/\(target)".quoted)."
            return .error(
                "link-without-slash",
                at: index,
                node.text == nil ? "/page" : "",
                message: "\(node.typ) goes to \(target.quoted), but paths of pages begin with a slash.",
                fix: fix
            )
        }
    }
}
