import BacklotJSON

/// A page, widget or action of a document, or a button of a modal.
struct PageNode {
    enum Kind: String {
        case page, widget, action
        case modalButton = "button"

        /// The kind by its name, in the texts of findings: `an action`.
        var noun: String { self == .action ? "an action" : "a \(rawValue)" }
    }

    let kind: Kind
    /// What stands under `typ`; empty when that is missing or no string. Of a modal's button: `button`.
    let typ: String
    /// The members. Those of an action that is a string are what they would be if it were an object.
    let object: JSONObject
    /// The whole of an action that is a string; nil when it is an object.
    let text: String?
    /// What its kind accepts; nil when no client knows it.
    let schema: Schema?
    /// The node that it stands in: an index into the tree's nodes. Nil: the page itself.
    let parent: Int?
    /// The key of the parent under which it stands.
    let key: String
    /// The way from the parent, as JSON pointer: `/widgets/3`.
    let pointer: String
    /// Its name on a finding's path: `textfield "username"`.
    let name: String

    /// What stands under a key; nil when there is nothing, or it is no string.
    func string(_ key: String) -> String? {
        object[key]?.string
    }

    /// The name of its kind, in the texts of findings: `a textfield`, `an rpc`.
    var noun: String {
        if kind == .modalButton { return "a modal's button" }
        return typ == "rpc" || "aeiou".contains(typ.first ?? "b") ? "an \(typ)" : "a \(typ)"
    }
}
