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
            recognises: { document in
                let (messages, _) = A2UIInspector.messages(document)
                return !messages.isEmpty && messages.allSatisfy { (try? ServerMessage($0)) != nil }
            }
        )
        a2ui.module = "A2UI"
        a2ui.clients = [KnownClient("a2ui")]
        a2ui.tree = { A2UIVocabulary.tree(of: $0) }
        a2ui.mayBeResponse = { document in
            A2UIInspector.messages(document).list.first?["version"]?.string.flatMap(ProtocolVersion.init(rawValue:))
                != nil
        }
        return a2ui
    }()
}
