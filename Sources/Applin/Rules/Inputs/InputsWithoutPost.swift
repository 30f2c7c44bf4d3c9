import Backlot

/// Clients load a page with GET, and refresh it with POST when it has inputs.
///
/// Source: Applin documentation, Frontend-Backend Protocol, Frontend Role.
struct InputsWithoutPost: PageRule {
    func remarks(on page: CheckedPage) -> [Remark] {
        guard let methods = page.app?.methods(at: page.path.beforeQuery), !methods.contains(.post),
            let input = page.tree.inputs.first
        else { return [] }
        let remark = Remark.error(
            "inputs-without-post",
            at: 0,
            message: "The page has inputs, such as \(input.varName.quoted), so clients refresh it with POST, "
                + "but it doesn't answer POST.",
            fix: "Let \(page.path.quoted) answer POST as well, with the same page."
        )
        return [remark]
    }
}
