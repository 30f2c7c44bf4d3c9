package import Backlot

/// The rules for a response as a whole. The rules of the Applin module check the page inside it.
package enum ResponseRules {
    package static func emptyPage(_ path: String) -> Finding {
        error(
            "empty-page",
            path,
            "The answer to a request for a page has no body, which clients take for an error of the server.",
            fix: "Answer a page, or a status that says why there is none."
        )
    }

    package static func contentType(_ response: ClientResponse, _ path: String, _ what: String) -> Finding {
        let type = response.headers[.contentType].map { "its Content-Type is \($0.cut(to: 60).inQuotes)" }
        return error(
            "wrong-content-type",
            path,
            "Clients read no body but \(ResponseInspector.pageType), and \(type ?? "this one has no Content-Type").",
            fix: what == "page"
                ? "Answer with Content-Type: \(ResponseInspector.pageType)." : "Answer an rpc with an empty body."
        )
    }

    package static func bodyOfRPC(_ path: String) -> Finding {
        warning(
            "rpc-with-body",
            path,
            "The answer to an rpc has a body, with which clients do nothing.",
            fix: "Answer an rpc with an empty body; to show something new, follow it with poll or push."
        )
    }

    package static func manyWidgets(_ count: Int, _ path: String) -> Finding {
        warning(
            "many-widgets",
            path,
            "The page has \(count) widgets, and clients make a view of each, so that it takes long to show.",
            fix: "Show a part of them, and lead to the others with buttons."
        )
    }

    /// The finding about a status that isn't a message to the user.
    package static func status(_ response: ClientResponse, _ path: String) -> Finding {
        let code = response.status.code
        let (rule, meaning) =
            switch code {
            case 400...499: ("app-error", "clients show as an error in the app")
            case 500...599: ("server-error", "clients show as an error of the server")
            default: ("unexpected-status", "clients don't expect and show as an error of the server")
            }
        let text = response.text.isEmpty ? "" : ": \(response.text.cut(to: 200).inQuotes)"
        return error(
            rule,
            path,
            "It answers \(response.status), which \(meaning)\(text).",
            fix: (400...499).contains(code)
                ? "Correct what leads here; for what the user can mend, answer 422 with a text."
                : "Mend what fails; the log of the server may say more."
        )
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
                    "It answers \(response.status) without a text, so clients show the status alone.",
                    fix: "Say in the body what the user can do."
                )
            ]
        }
        return markup(response, path) + length(response, path)
    }

    /// Finds an error text that is HTML, since clients would show its tags.
    private static func markup(_ response: ClientResponse, _ path: String) -> [Finding] {
        let beginning = response.text.drop { $0.isWhitespace }
        let isTag = beginning.first == "<" && beginning.dropFirst().first.map { $0 == "!" || $0.isLetter } ?? false
        guard response.mediaType == "text/html" || isTag else { return [] }
        return [
            warning(
                "html-error",
                path,
                "The text of the error is HTML, and clients show its tags.",
                fix: "Answer text/plain with what the user can do."
            )
        ]
    }

    /// The finding about a page whose POST rejects its variables with 422.
    package static func refusedRefresh(_ path: String) -> Finding {
        warning(
            "page-refused",
            path,
            "The page's POST answers 422, so clients show an error instead of the page.",
            fix: "Answer the page, with what is wrong at its fields; 422 is for rpcs."
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

    /// Finds a body that would crash clients.
    package static func encoding(_ response: ClientResponse, _ path: String) -> [Finding] {
        guard String(validating: response.body, as: UTF8.self) == nil else { return [] }
        return [
            error(
                "not-utf8",
                path,
                "The body is not UTF-8, and crashes clients.",
                fix: "Answer in UTF-8, errors and error pages of proxies too."
            )
        ]
    }

    /// The finding about a missing or incomplete response.
    package static func noResponse(_ failure: ClientError, _ path: String) -> Finding {
        let (rule, fix) =
            switch failure {
            case .cutShort(nil):
                ("answer-cut-short", "Answer each request; a server that wants https ends others like this, too.")
            case .cutShort: ("answer-cut-short", "Send as much as Content-Length says, or the last chunk.")
            case .bodyTooLarge, .headTooLarge: ("answer-too-large", "Answer less, or raise the client's limit.")
            case .timedOut: ("answer-too-late", "Answer sooner, or raise the client's limit.")
            case .tooManyRedirects, .badRedirect:
                ("bad-redirect", "Let redirects end at something that answers, or answer at once.")
            case .malformed: ("malformed-answer", "Answer in HTTP/1.1 (RFC 9112).")
            case .undecodable:
                ("undecodable-answer", "Compress answers whole, and only as Accept-Encoding asks for it.")
            case .notSecured:
                ("no-answer", "Give the backend a certificate for its host, of an authority that the client trusts.")
            case .invalidURL, .outsideOfProcess, .unknownHost, .notConnected, .cancelled:
                ("no-answer", "See that the backend runs there, and that its URL is right.")
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
