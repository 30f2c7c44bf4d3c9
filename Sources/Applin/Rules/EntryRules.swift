import Backlot
import BacklotJSON

/// Rules about what is left in variables when their page closes.
enum EntryRules {
    /// A page with empty inputs whose button calls an rpc and then pops: when it is opened again, its inputs show the last entry,
    /// since variables outlive their page. Clients before 0.36 have no action against it.
    @Sendable static func leftovers(_ page: CheckedPage, _ remarks: inout Remarks) {
        guard ResetVar.vocabulary.support.covers(page.audience) else { return }
        let inputs = page.tree.nodes(Checkbox.vocabulary, Selector.vocabulary, TextField.vocabulary).filter(\.isRead)
        guard inputs.contains(where: { $0.kind == TextField.vocabulary }), inputs.allSatisfy(\.startsEmpty) else {
            return
        }
        let names = inputs.flatMap { input in
            ["var_name", "var_name1", "var_name2"].compactMap { input.string($0) }
        }
        for button in page.tree.nodes(Button.vocabulary, FormButton.vocabulary) {
            let actions = page.tree.contents(of: button, under: "actions")
            guard let rpc = actions.firstIndex(where: { $0.kind == RPC.vocabulary }),
                actions[rpc...].contains(where: { $0.kind == Pop.vocabulary })
            else { continue }
            let reset = Set(actions.filter { $0.kind == ResetVar.vocabulary }.compactMap { $0.string("var_name") })
            let kept = names.filter { !reset.contains($0) }
            guard let first = kept.first else { continue }
            let action: JSONValue = ["typ": "reset_var", "var_name": .string(first)]
            let keep = kept.count > 1 ? "and \(kept.count - 1) more keep their values" : "keeps its value"
            remarks.warning(
                "entry-is-kept",
                at: button,
                "actions",
                message:
                    "The button calls an rpc and leaves the page, but \(first.quoted) \(keep): whoever opens the page "
                    + "again sees the last entry.",
                fix:
                    "Add \(action) before the pop, for each variable, or give the variables other names for each entry."
            )
        }
    }
}

extension DocumentNode {
    /// Whether an input is empty, or off, until somebody touches it.
    fileprivate var startsEmpty: Bool {
        ["initial_string", "initial_string1", "initial_string2"].allSatisfy { (string($0) ?? "").isEmpty }
            && bool("initial_bool") != true
    }
}
