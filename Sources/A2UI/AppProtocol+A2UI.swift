public import Backlot

extension AppProtocol {
    /// A2UI: surfaces of components and a data model, sent as messages.
    public static let a2ui: AppProtocol = {
        var a2ui = AppProtocol(
            "a2ui",
            title: "A2UI",
            summary: "surfaces of components from catalogs, with a data model that clients hold",
            inspector: A2UIInspector(),
            vocabulary: A2UIVocabulary.all,
            responses: [A2UIVocabulary.response, A2UIVocabulary.message],
            recognises: { document in
                let messages = A2UIInspector.messages(document)
                return !messages.isEmpty && messages.allSatisfy { (try? ServerMessage($0.message)) != nil }
            },
            start: { document in
                if document["version"] == nil, let list = document["surfaces"]?.array {
                    return list.allSatisfy { $0.string != nil }
                }
                return A2UIInspector.messages(document).contains { $0.message["createSurface"] != nil }
            }
        )
        a2ui.module = "A2UIServing"
        a2ui.format = { .a2ui() }
        a2ui.clients = [KnownClient("a2ui")]
        a2ui.tree = { A2UIVocabulary.tree(of: $0) }
        a2ui.mayBeResponse = { document in
            A2UIInspector.messages(document).first?.message["version"]?.string.flatMap(ProtocolVersion.init(rawValue:))
                != nil
        }
        return a2ui
    }()
}
