package import Backlot

/// Rules for whole responses. The Applin module has the rules for the page inside a response.
package enum ResponseRules {
    package static func emptyPage(_ path: String) -> Finding {
        error(
            "empty-page",
            path,
            "The response to a request for a page has no body, so clients show a server error.",
            fix: "Respond with a page, or with an error status."
        )
    }

    package static func contentType(_ response: ClientResponse, _ path: String, _ what: String) -> Finding {
        let type = response.headers[.contentType].map { "its Content-Type is \($0.cut(to: 60).inQuotes)" }
        return error(
            "wrong-content-type",
            path,
            "Clients read only bodies of the type \(ResponseInspector.pageType), and \(type ?? "this one has no Content-Type").",
            fix: what == "page"
                ? "Respond with Content-Type: \(ResponseInspector.pageType)." : "Respond to an rpc with an empty body."
        )
    }

    package static func bodyOfRPC(_ path: String) -> Finding {
        warning(
            "rpc-with-body",
            path,
            "The response to an rpc has a body, which clients ignore.",
            fix: "Respond to an rpc with an empty body; to show something new, follow it with poll or push."
        )
    }

    package static func manyWidgets(_ count: Int, _ path: String) -> Finding {
        warning(
            "many-widgets",
            path,
            "The page has \(count) widgets. Clients make a view for each, so the page takes long to appear.",
            fix: "Show some of them, and link to the others with buttons."
        )
    }

    /// The finding about a status that isn't a message to the user.
    ///
    /// - Parameter isStart: whether no link leads there, because it is the app's URL; nil if the path `/` tells it.
    package static func status(_ response: ClientResponse, _ path: String, isStart: Bool? = nil) -> Finding {
        let code = response.status.code
        let isMissing = [404, 410].contains(code) && isStart ?? (path == "/")
        let (rule, meaning) =
            switch code {
            case 400...499: ("app-error", "clients show as an error in the app")
            case 500...599: ("server-error", "clients show as a server error")
            default: ("unexpected-status", "clients don't expect and show as a server error")
            }
        let text = response.text.isEmpty ? "" : ": \(response.text.cut(to: 200).inQuotes)"
        let fix =
            switch code {
            case _ where isMissing: "Correct the URL: nothing is there."
            case 400...499: "Correct the link to it; for problems that the user can solve, respond with 422 and a text."
            default: "Find the cause; the server's log may name it."
            }
        return error(rule, path, "It responds with \(response.status), which \(meaning)\(text).", fix: fix)
    }

    /// The findings about a text for the user.
    package static func userText(_ response: ClientResponse, _ path: String) -> [Finding] {
        let findings = encoding(response, path)
        guard findings.isEmpty else { return findings }
        if response.body.isEmpty {
            return [
                warning(
                    "empty-error",
                    path,
                    "It responds with \(response.status) and no text, so clients show only the status.",
                    fix: "Say in the body what the user can do."
                )
            ]
        }
        return markup(response, path) + length(response, path)
    }

    /// Finds an error text in HTML, because clients would show its tags.
    private static func markup(_ response: ClientResponse, _ path: String) -> [Finding] {
        let beginning = response.text.drop { $0.isWhitespace }
        let isTag = beginning.first == "<" && beginning.dropFirst().first.map { $0 == "!" || $0.isLetter } ?? false
        guard response.mediaType == "text/html" || isTag else { return [] }
        return [
            warning(
                "html-error",
                path,
                "The text of the error is HTML, and clients show its tags.",
                fix: "Respond with text/plain that says what the user can do."
            )
        ]
    }

    /// The finding about a page that responds to its own POST with 422.
    package static func refusedRefresh(_ path: String) -> Finding {
        warning(
            "page-refused",
            path,
            "The page's POST responds with 422, so clients show an error instead of the page.",
            fix: "Respond with the page, with errors at its fields; 422 is for rpcs."
        )
    }

    /// Finds an error text that is longer than clients show.
    package static func length(_ response: ClientResponse, _ path: String) -> [Finding] {
        let count = response.text.count
        guard count > ResponseInspector.shownCharacters else { return [] }
        return [
            warning(
                "long-error",
                path,
                "The text of the error has \(count) characters, and clients show \(ResponseInspector.shownCharacters) of them.",
                fix: "Say it in fewer words."
            )
        ]
    }

    /// Finds a body that isn't UTF-8, because it would crash clients.
    package static func encoding(_ response: ClientResponse, _ path: String) -> [Finding] {
        guard String(validating: response.body, as: UTF8.self) == nil else { return [] }
        return [
            error(
                "not-utf8",
                path,
                "The body is not UTF-8, and crashes clients.",
                fix: "Respond in UTF-8, even in errors and error pages of proxies."
            )
        ]
    }

    /// The finding about a missing or incomplete response.
    package static func noResponse(_ failure: ClientError, _ path: String) -> Finding {
        let (rule, fix) =
            switch failure {
            case .cutShort(nil):
                ("answer-cut-short", "Respond to each request; a server for https ends others like this, too.")
            case .cutShort: ("answer-cut-short", "Send as much as Content-Length says, or the last chunk.")
            case .bodyTooLarge, .headTooLarge: ("answer-too-large", "Send less, or raise the client's limit.")
            case .timedOut: ("answer-too-late", "Respond sooner, or raise the client's limit.")
            case .tooManyRedirects, .badRedirect:
                ("bad-redirect", "Let redirects end at an existing URL, or respond directly.")
            case .malformed: ("malformed-answer", "Respond in HTTP/1.1 (RFC 9112).")
            case .undecodable:
                ("undecodable-answer", "Compress complete bodies, and only with a coding from Accept-Encoding.")
            case .notSecured:
                ("no-answer", "Give the backend a certificate for its host, of an authority that the client trusts.")
            case .invalidURL, .outsideOfProcess, .unknownHost, .notConnected, .noApp, .cancelled:
                ("no-answer", "Check that the backend runs, and that its URL is right.")
            }
        return error(rule, path, "\("\(failure)".capitalizedFirst).", fix: fix)
    }

    private static func error(_ rule: String, _ path: String, _ message: String, fix: String) -> Finding {
        Finding(.error, rule: rule, path: FindingPath(page: path), message: message, fix: fix)
    }

    private static func warning(_ rule: String, _ path: String, _ message: String, fix: String) -> Finding {
        Finding(.warning, rule: rule, path: FindingPath(page: path), message: message, fix: fix)
    }
}
