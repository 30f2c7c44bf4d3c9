import Backlot

/// The words of a screen reader for a node.
package struct AccessibleNode: Equatable {
    package let role: String?
    package let label: String?
    package let description: String?
    package let live: String?
    package let isHidden: Bool
    package let isChecked: Bool?

    /// A component outside of the tree.
    package init(_ component: Component) {
        var node = Node(path: component.id, componentID: component.id, component: component, scope: .root)
        for member in component.properties.members { node.properties[member.key] = .value(member.value, path: nil) }
        self.init(node, in: nil)
    }

    /// The label is that of the node, else its own text, else that of its first child with one.
    package init(_ node: Node, in tree: NodeTree?) {
        let given = (node.text("@accessibility") ?? node.text("accessibility"))?.object
        let type = node.component?.type ?? ""
        role = Self.role(of: node, type)
        var label = given?["label"]?.string
        for key in ["title", "label", "text", "description"] { label = label ?? node.text(key)?.string }
        if label == nil, type == "Button" {
            label =
                node.children.compactMap { tree?.nodes[$0] }.lazy.compactMap { AccessibleNode($0, in: tree).label }
                .first
        }
        self.label = label
        description = given?["description"]?.string
        live = given?["live"]?.string
        isHidden = given?["hidden"]?.bool ?? false
        isChecked = type == "CheckBox" ? (node.text("value") ?? node.text("checked"))?.bool : nil
    }

    private static func role(of node: Node, _ type: String) -> String? {
        switch type {
        case "Button": "button"
        case "TextField", "DateTimeInput": "textbox"
        case "CheckBox": "checkbox"
        case "ChoicePicker": node.text("variant") == "multipleSelection" ? "group" : "radiogroup"
        case "Slider": "slider"
        case "Image", "Icon": "img"
        case "List": "list"
        case "Tabs": "tablist"
        case "Modal": "dialog"
        case "Divider": "separator"
        default: nil
        }
    }
}

extension Node {
    fileprivate func text(_ key: String) -> JSONValue? {
        if case .value(let value, _)? = properties[key] { value } else { nil }
    }
}
