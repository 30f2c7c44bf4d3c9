/// Clients make some pages themselves, so that the app's own page under such a path is never asked for.
struct ReservedPagePath: PageRule {
    func remarks(on page: CheckedPage) -> [Remark] {
        guard ClientPages.contains(page.path) else { return [] }
        let remark = Remark.warning(
            "reserved-page-path",
            at: 0,
            message: "Clients show a page of their own for \(page.path.quoted), and never ask for this one.",
            fix: "Serve it under another path."
        )
        return [remark]
    }
}
