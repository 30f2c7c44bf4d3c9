import Backlot

/// Rules about whole pages, and about what they refer to.
enum PacketRules {
    /// Clients keep a page under its id.
    @Sendable static func caching(_ page: CheckedPacket, _ remarks: inout Remarks) {
        guard page.root.has("disposition"), !page.root.has("id") else { return }
        remarks.error(
            "disposition-without-id",
            at: page.root,
            "disposition",
            message: "Clients keep a page under its id, but this page has no id.",
            fix: "Give the page an \"id\"."
        )
    }

    /// An id belongs to one component of a page.
    @Sendable static func ids(_ page: CheckedPacket, _ remarks: inout Remarks) {
        var seen: Set<String> = []
        for node in page.parts {
            if page.facts.readings.imageIDsMayRepeat, node.kind == Image.vocabulary { continue }
            guard let id = node.string("id"), !id.isEmpty, !seen.insert(id).inserted else { continue }
            remarks.error(
                "duplicate-id",
                at: node,
                "id",
                message: "The id \(id.quoted) already belongs to another component of the page.",
                fix: "Give this component another \"id\"."
            )
        }
    }

    /// An image without a URL shows a picture that this page or an earlier one of the session has preloaded.
    @Sendable static func pictures(_ page: CheckedPacket, _ remarks: inout Remarks) {
        guard let earlier = page.facts.app.images else { return }
        let known = earlier.union(page.tree.nodes(Preload.vocabulary).compactMap { $0.string("id") })
        for node in page.tree.nodes(Image.vocabulary) where !node.has("url") {
            guard let id = node.string("id"), !id.isEmpty, !known.contains(id) else { continue }
            remarks.error(
                "unknown-image",
                at: node,
                "id",
                message: "No picture \(id.quoted) was preloaded in this session, and the image has no URL.",
                fix: "Add the picture to \"images\", or give the image a \"url\"."
            )
        }
    }

    /// A page calls only methods that the app has registered.
    @Sendable static func methods(_ page: CheckedPacket, _ remarks: inout Remarks) {
        guard let methods = page.facts.app.methods else { return }
        for node in page.tree.nodes(MethodCall.vocabulary, TableData.vocabulary) {
            let key = node.kind == MethodCall.vocabulary ? "function" : "dynamic"
            guard let name = node.string(key), !name.isEmpty, !methods.contains(name) else { continue }
            let likely = Suggestion.nearest(to: name, among: methods.sorted()).map { "write \($0.quoted)" }
            remarks.error(
                "unregistered-method",
                at: node,
                key,
                message: "The app has no method \(name.quoted).",
                fix: "Register it with app.method(\(name.quoted)) or app.table(\(name.quoted)), or "
                    + "\(likely ?? "name one of the registered methods")."
            )
        }
    }
}

extension CheckedPacket {
    /// The components and the fields of forms.
    var parts: [DocumentNode] {
        tree.nodes.filter { $0.isRead && ($0.role == .component || $0.role == .field) }
    }
}
