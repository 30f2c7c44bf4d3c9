import BacklotJSON

/// A document has a configuration and widgets.
struct DocumentKeys: DocumentRule {
    func check(_ document: CheckedDocument, _ remarks: inout Remarks) {
        let node = document.document
        check(node, "configuration", node.value("configuration")?.object != nil, "an object: {} will do", &remarks)
        check(node, "widgets", node.value("widgets")?.array != nil, "an array", &remarks)
        if let image = document.configuration?.value("image"), image.string == nil, let node = document.configuration {
            let message = "\"image\" is \(image.summary), and no string."
            remarks.error("wrong-type", node, "image", message, fix: "Write the name of a picture, or leave it out.")
        }
        for (node, key) in document.strays {
            remarks.error("wrong-type", node, key, "This is no object.", fix: "Write an object, or remove it.")
        }
    }

    private func check(_ node: WireNode, _ key: String, _ isRight: Bool, _ what: String, _ remarks: inout Remarks) {
        guard !isRight else { return }
        if node.value(key) == nil {
            let message = "A document needs \"\(key)\", and clients refuse one without."
            remarks.error("missing-key", node, key, message, fix: "Add \"\(key)\", \(what).")
        } else {
            remarks.error("wrong-type", node, key, "\"\(key)\" must be \(what).", fix: "Write \(what).")
        }
    }
}
