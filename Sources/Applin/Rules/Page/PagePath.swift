/// A page's own path begins with a slash: clients add it to the base URL.
///
/// Source: Applin documentation, Frontend-Backend Protocol, Pages and URLs.
struct PagePath: PageRule {
    func remarks(on page: CheckedPage) -> [Remark] {
        guard !page.path.hasPrefix("/") else { return [] }
        let remark = Remark.error(
            "page-path-without-slash",
            at: 0,
            message: "The page's path is \(page.path.quoted), but paths of pages begin with a slash.",
            fix: "Serve it as \("/\(page.path)".quoted)."
        )
        return [remark]
    }
}
