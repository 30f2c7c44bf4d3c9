/// Rpcs and photo uploads stay below the app's base URL: clients reject a page with one that leaves it.
struct URLOutsideBase: PageRule {
    func remarks(on page: CheckedPage) -> [Remark] {
        page.nodes(.action, "rpc", "choose_photo", "take_photo").compactMap { index, node in
            guard let url = node.string("url") else { return nil }
            let pointer = node.text == nil ? "/url" : ""
            if url.hasScheme, page.baseURL == nil, ["http:", "https:"].contains(where: url.lowercased().hasPrefix) {
                return .warning(
                    "absolute-url",
                    at: index,
                    pointer,
                    message:
                        "\(url.quoted) is absolute: clients reject the page unless it is below the app's base URL.",
                    fix: "Write the path below the base URL, such as \"/save\"."
                )
            }
            guard Self.leaves(url, base: page.baseURL) else { return nil }
            return .error(
                "url-outside-base",
                at: index,
                pointer,
                message: "\(url.quoted) is outside the app's base URL, so clients reject the whole page.",
                fix: "Write a path below the base URL, such as \"/save\"; to reach another server, let yours call it."
            )
        }
    }

    private static func leaves(_ url: String, base: String?) -> Bool {
        if url.hasPrefix("//") { return true }
        guard url.hasScheme else { return url.leadsUp }
        guard let base, url.hasPrefix(base) else { return true }
        return String(url.dropFirst(base.count)).leadsUp
    }
}
