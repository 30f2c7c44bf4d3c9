import BacklotJSON

/// A selector shows its first option, but sends "" until somebody touches it.
struct SelectorWithoutInitialString: PageRule {
    func remarks(on page: CheckedPage) -> [Remark] {
        page.nodes(.widget, "selector").flatMap { index, node in
            ["", "1", "2"].compactMap { suffix in
                guard let first = node.object["options\(suffix)"]?[0]?.string,
                    node.string("initial_string\(suffix)") == nil
                else { return nil }
                return .warning(
                    "selector-without-initial-string",
                    at: index,
                    "/options\(suffix)",
                    message: "The selector shows \(first.quoted), but sends \"\" until somebody touches it.",
                    fix: "Add \"initial_string\(suffix)\", for instance with \(first.quoted)."
                )
            }
        }
    }
}
