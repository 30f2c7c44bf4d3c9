import A2UI
import Backlot
import BacklotJSON

extension FuzzTarget {
    /// The messages of A2UI: what is read is written in one way, messages one by one lead to the same surfaces as a list, a wrong one
    /// changes nothing, and the inspector finds an error in what a client reports, if all surfaces begin in it.
    static let surfaces = FuzzTarget(name: "surfaces") { input throws(Violation) in
        guard let document = try? A2UIInspector.document(input) else { return false }
        var (whole, single) = (Processor(strictness: .lenient), Processor(strictness: .lenient))
        let errors = whole.apply(document)
        var isReadable = false
        for json in ServerMessage.list(document) {
            guard let message = try? ServerMessage(json) else { continue }
            isReadable = true
            try require((try? ServerMessage(message.json)) == message, "\(json) became \(message.json)")
            let before = surfaces(of: single)
            do throws(A2UIError) {
                try single.apply(message)
            } catch {
                try require(surfaces(of: single) == before, "\(json) is refused, and changes something")
            }
        }
        try require(surfaces(of: single) == surfaces(of: whole), "\(document) depends on being a list")
        for id in whole.surfaces.keys {
            try require(whole.nodes(of: id)?.nodes.count ?? 0 <= NodeTree.limit, "a tree has more nodes than allowed")
        }
        let findings = A2UIInspector().findings(in: document, path: "", app: nil)
        let opensAll = !errors.contains { $0.code == "unknown_surface" }
        if opensAll, !errors.isEmpty, document.array != nil {
            try require(findings.contains { $0.severity == .error }, "\(document) has no finding, but \(errors)")
        }
        return isReadable
    }

    /// The state of all surfaces, for comparisons.
    private static func surfaces(of client: Processor) -> [String: JSONValue] {
        client.surfaces.mapValues { surface in
            var components = JSONObject()
            for (id, component) in surface.components.sorted(by: { $0.key < $1.key }) {
                components[id] = .object(component.properties)
            }
            return ["model": surface.model.value, "components": .object(components)]
        }
    }
}
