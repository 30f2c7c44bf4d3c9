public import Backlot
public import BacklotJSON

/// Judges Applin pages by what goes over the wire, whoever made it: this library, a mock file or a foreign backend.
///
/// Source: Applin documentation, and what its public clients were seen to accept, reject and crash on.
public enum ApplinRules {
    private static let rules: [any PageRule] = [
        PagePath(), ReservedPagePath(), InputsWithoutPost(),
        PollSecondsZero(), StreamTrue(), StartWidget(), EndWidget(), MisplacedBackButton(),
        BlankButtonText(), AspectRatio(), SelectorWithoutInitialString(), EmptyCheckboxActions(),
        DuplicateVarNames(), CollidingVarNames(),
        ActionsAfterModal(), ModalButtons(), LoneOnUserErrorPoll(),
        LinkPath(), SelfPush(), DeadLink(), URLOutsideBase(),
    ]

    /// What is wrong with a page; empty when all is well. The findings are in the order of the page.
    ///
    /// - Parameters:
    ///   - document: The body of an answer: an object with the page under `page`.
    ///   - path: The page's path below the app's base URL, such as `/new_account`.
    ///   - dialect: Which clients the app is for.
    ///   - app: What else the app answers; nil when that isn't known, and links are not followed.
    ///   - baseURL: The app's base URL, such as `https://example.com/travel/`; nil when it isn't known, and absolute URLs
    ///     can't be judged.
    public static func findings(
        inPage document: JSONValue,
        path: String,
        dialect: Dialect,
        app: RouteLookup?,
        baseURL: String? = nil
    ) -> [Finding] {
        var walk = PageTreeWalk(dialect: dialect)
        walk.walk(document)
        let page = CheckedPage(
            tree: walk.tree,
            path: path,
            dialect: dialect,
            app: app,
            baseURL: baseURL.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
        )
        var remarks = walk.remarks
        if !page.tree.nodes.isEmpty {
            remarks += rules.flatMap { $0.remarks(on: page) }
        }
        // `sorted` doesn't promise to be stable; the offset keeps remarks about one node in the order of the rules.
        return remarks.enumerated()
            .sorted { ($0.element.node ?? -1, $0.offset) < ($1.element.node ?? -1, $1.offset) }
            .map { $0.element.finding(in: page.tree, page: path) }
    }
}
