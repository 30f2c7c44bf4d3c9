import BacklotJSON

/// An object on a page that rules are about.
struct WireNode {
    enum Kind {
        case page, component, field, entry, cell, heading, preload
    }

    let kind: Kind
    /// What stands under `type`; empty where there is no string.
    let type: String
    let object: JSONObject
    /// The way from the page, for people.
    let steps: [String]
    /// The way from the document's root (RFC 6901).
    let pointer: String
    /// Where it is among the page's nodes.
    let index: Int

    /// The string under a key; nil where there is none.
    func string(_ key: String) -> String? { object[key]?.string }

    /// Whether anything but `null` stands under a key.
    func has(_ key: String) -> Bool { !(object[key]?.isNull ?? true) }
}
