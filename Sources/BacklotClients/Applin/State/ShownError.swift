internal import BacklotJSON

/// A kind of error that a client shows.
public enum ShownErrorKind: String, Sendable, CaseIterable {
    /// The backend rejected the user's request and said why: 403 or 422.
    case user
    /// The app is wrong: another 4xx status, or an impossible action such as a pop of the last page.
    case app
    /// The backend failed, or sent a response that no client can read.
    case server
    /// The backend couldn't be reached, or its response ended early.
    case network
}

/// An error that a client stores and shows.
package struct ShownError: Error, Equatable, Sendable {
    /// The text of a last_error_text before the first error.
    static let noDetails = "Error details not found."

    package let kind: ShownErrorKind
    /// The text of the error page, or its details.
    package let text: String

    package init(_ kind: ShownErrorKind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// The path of the page that shows the error.
    package var page: String {
        switch kind {
        case .user: StaticPages.userError
        case .app: StaticPages.appError
        case .server: StaticPages.serverError
        case .network: StaticPages.networkError
        }
    }

    /// The kind of error that a page shows; nil for other pages.
    package static func kind(shownBy page: String) -> ShownErrorKind? {
        ShownErrorKind.allCases.first { ShownError($0, "").page == page }
    }
}

/// The pages that a client makes itself, without the server.
///
/// Their texts differ between apps; these are minimal.
package enum StaticPages {
    package static let appError = "/applin_app_error"
    package static let networkError = "/applin_network_error"
    package static let serverError = "/applin_server_error"
    package static let userError = "/applin_user_error"
    private static let notLoaded = "/applin_page_not_loaded"

    /// The page at a path; nil if the server has it.
    package static func page(_ path: String) -> PageContents? { pages[path] }

    /// The paths of all pages.
    package static var paths: Set<String> { Set(pages.keys) }

    /// A placeholder for a page that isn't loaded yet. It polls, so that the loaded page replaces it.
    package static let placeholder = PageContents([
        "typ": "nav_page", "title": "Page Not Loaded", "poll_seconds": 30,
        "widget": ["typ": "form_button", "text": "Load Page", "actions": ["poll"]],
    ])

    private static let pages: [String: PageContents] = [
        userError: page("Problem", [["typ": "error_text", "text": "${INTERACTIVE_ERROR_DETAILS}"]]),
        appError: page("Error", errorWidgets("There is an error in this app.")),
        serverError: page("Error", errorWidgets("The server could not answer.")),
        networkError: page("Connection Problem", errorWidgets("The server can't be reached.")),
        notLoaded: placeholder,
        "/applin_state_load_error": page(
            "Connect",
            [["typ": "form_button", "text": "Connect", "actions": ["poll"]]]
        ),
        "/error_details": page("Error Details", [["typ": "last_error_text"]]),
        "/server_status": page("Server Status", [["typ": "text", "text": "Nothing is known."]], isEphemeral: false),
        "/support": page("Support", [["typ": "text", "text": "There is nobody to ask."]], isEphemeral: false),
    ]

    private static func errorWidgets(_ text: String) -> [JSONValue] {
        [
            ["typ": "error_text", "text": .string(text)],
            ["typ": "form_button", "text": "Error Details", "actions": ["push:/error_details"]],
            ["typ": "form_button", "text": "Support", "actions": ["push:/support"]],
        ]
    }

    private static func page(_ title: String, _ widgets: [JSONValue], isEphemeral: Bool = true) -> PageContents {
        PageContents([
            "typ": "nav_page", "title": .string(title), "ephemeral": .bool(isEphemeral),
            "widget": ["typ": "form", "widgets": .array(widgets)],
        ])
    }
}
