/// What kind of error a client shows.
public enum ShownErrorKind: String, Sendable, CaseIterable {
    /// The backend refused what the user wanted, and said why: 403 or 422.
    case user
    /// The app is wrong: another 4xx, or an action that can't be done, such as a pop of the last page.
    case app
    /// The backend failed, or answered what no client can read.
    case server
    /// The backend couldn't be reached, or its answer ended early.
    case network
}

/// An error as a client keeps and shows it.
struct ShownError: Error, Equatable, Sendable {
    let kind: ShownErrorKind
    /// What the error page says, or what stands under its details.
    let text: String

    init(_ kind: ShownErrorKind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// The page that shows it.
    var page: String {
        switch kind {
        case .user: StaticPages.userError
        case .app: StaticPages.appError
        case .server: StaticPages.serverError
        case .network: StaticPages.networkError
        }
    }

    /// The kind of error that a page shows; nil for other pages.
    static func kind(shownBy page: String) -> ShownErrorKind? {
        ShownErrorKind.allCases.first { ShownError($0, "").page == page }
    }
}
