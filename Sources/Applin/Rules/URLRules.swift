import Backlot

/// Rules about the URLs on a page, read as clients read them.
enum URLRules {
    /// Rpcs and photo uploads stay below the app's base URL. Clients since 0.31 reject a page with a URL outside of it; earlier ones
    /// fail when it is tapped.
    @Sendable static func calls(_ page: CheckedPage, _ remarks: inout Remarks) {
        for node in page.tree.nodes(RPC.vocabulary, ChoosePhoto.vocabulary, TakePhoto.vocabulary) {
            guard let url = node.string("url"), node.text == nil || !url.isEmpty else { continue }
            switch ClientURL.place(of: url, base: page.facts.baseURL) {
            case .inside: break
            case .unknown:
                remarks.warning(
                    "absolute-url",
                    at: node,
                    "url",
                    message:
                        "\(url.quoted) is absolute: clients reject the page unless it is below the app's base URL.",
                    fix: "Write the path below the base URL, such as \"/save\"."
                )
            case .outside where !isColonAtFault(url), .unreadable where !isColonAtFault(url):
                remark(
                    "url-outside-base",
                    at: node,
                    page,
                    &remarks,
                    "\(url.quoted) is outside the app's base URL",
                    fix:
                        "Write a path below the base URL, such as \"/save\"; to reach another server, let yours call it."
                )
            case .outside, .unreadable:
                remark("colon-in-path", at: node, page, &remarks, colonProblem(url), fix: colonFix(url))
            }
        }
    }

    /// Pages with a colon in the first segment of their path can't be pushed.
    @Sendable static func colons(_ page: CheckedPage, _ remarks: inout Remarks) {
        for node in page.tree.nodes(Push.vocabulary, ReplaceAll.vocabulary) {
            guard let target = node.string("page"), target.hasPrefix("/"), ClientURL.hasColonInFirstSegment(target)
            else { continue }
            remarks.error(
                "colon-in-path",
                at: node,
                "page",
                message: "\(colonProblem(target)), so clients show an error.",
                fix: colonFix(target)
            )
        }
    }

    /// Clients take the text before a colon in the first segment for a scheme.
    private static func isColonAtFault(_ url: String) -> Bool {
        url.hasPrefix("/") && !url.hasPrefix("//") && ClientURL.hasColonInFirstSegment(url)
    }

    private static func colonProblem(_ path: String) -> String {
        "In \(path.quoted), clients take what stands before the colon for the scheme of another URL"
    }

    private static func colonFix(_ path: String) -> String {
        "Write %3A instead of the colon: \(path.replacing(":", with: "%3A").quoted)."
    }

    /// Clients since 0.31 read the URLs of calls together with the page, earlier ones when somebody taps.
    private static func remark(
        _ rule: String,
        at node: DocumentNode,
        _ page: CheckedPage,
        _ remarks: inout Remarks,
        _ problem: String,
        fix: String
    ) {
        if page.facts.dialect == .objects {
            let message = "\(problem), so clients reject the whole page."
            remarks.rejection(rule, at: node, "url", message: message, fix: fix)
        } else {
            remarks.error(rule, at: node, "url", message: "\(problem), so clients show an error.", fix: fix)
        }
    }

    /// The one release that opens no URL outside of the app, but rejects pages with one.
    private static let confinedClient: ClientVersion = "0.31"

    /// launch_url has a URL that clients can read. Client 0.31 wants it below the app's base URL.
    @Sendable static func launches(_ page: CheckedPage, _ remarks: inout Remarks) {
        let versions = page.audience.versions
        for node in page.tree.nodes(LaunchURL.vocabulary) {
            guard let url = node.string("url"), node.text == nil || !url.isEmpty else { continue }
            if !ClientURL.isReadable(url), versions.upperBound != confinedClient {
                reject(url, "url", at: node, &remarks)
            } else if versions.contains(confinedClient) {
                switch ClientURL.place(of: url, base: page.facts.baseURL) {
                case .inside: break
                case .outside, .unreadable, .unknown:
                    remarks.rejection(
                        "url-outside-base",
                        at: node,
                        "url",
                        message: "\(url.quoted) is outside the app's base URL, so clients of version \(confinedClient) "
                            + "reject the whole page.",
                        fix: "Serve the app to clients since 0.32, or show the address as a text."
                    )
                }
            }
        }
    }

    /// The address of a picture is a URL.
    @Sendable static func pictures(_ page: CheckedPage, _ remarks: inout Remarks) {
        for (node, key) in page.pictures {
            guard let url = node.string(key), !ClientURL.isReadable(url) else { continue }
            reject(url, key, at: node, &remarks)
        }
    }

    private static func reject(_ url: String, _ key: String, at node: DocumentNode, _ remarks: inout Remarks) {
        remarks.rejection(
            "malformed-url",
            at: node,
            key,
            message: url.isEmpty
                ? "\(key.quoted) is empty, so clients reject the whole page."
                : "\(url.quoted) can't be read as a URL, so clients reject the whole page.",
            fix: url.isEmpty && node.kind == NavButton.vocabulary
                ? "Remove \(key.quoted), or write the picture's address."
                : "Write an address such as \"https://example.com/a\"."
        )
    }

    /// A URL needs no percent-encoding, since iOS before 17 can't read one that does.
    @Sendable static func escapes(_ page: CheckedPage, _ remarks: inout Remarks) {
        let calls = page.tree.nodes(
            RPC.vocabulary,
            ChoosePhoto.vocabulary,
            TakePhoto.vocabulary,
            LaunchURL.vocabulary
        )
        for (node, key) in calls.map({ ($0, "url") }) + page.pictures {
            guard let url = node.string(key), ClientURL.isReadable(url), let encoded = ClientURL.encoded(url) else {
                continue
            }
            remarks.warning(
                "unescaped-url",
                at: node,
                key,
                message:
                    "\(url.quoted) has characters that no URL may hold, which clients on iOS before 17 can't read.",
                fix: "Write \(encoded.quoted)."
            )
        }
    }
}

extension CheckedPage {
    /// The nodes and keys with a picture's address.
    var pictures: [(node: DocumentNode, key: String)] {
        tree.nodes(Image.vocabulary, NavButton.vocabulary).map { node in
            (node, node.kind == Image.vocabulary ? "url" : "photo_url")
        }
    }
}
