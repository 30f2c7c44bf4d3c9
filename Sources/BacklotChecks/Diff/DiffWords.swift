internal import Backlot
internal import BacklotClients
internal import BacklotJSON
import BacklotMocks
internal import Floki

extension AnswerWords {
    /// The words of an answer in a protocol; nil for other JSON.
    init?(of answer: JSONValue, _ wire: CrawlWire, _ request: ClientRequest) {
        switch wire {
        case .applin where answer["page"]?.object != nil: self = .applin
        case .xpedite where answer["rc"] != nil: self = .xpedite
        case .floki where FlokiRules.Document(answer) != nil: self = .floki
        case .views where answer["widgets"] != nil:
            self = request.url.query?.contains("dialect=android") == true ? .viewsOnAndroid : .views
        default: return nil
        }
    }

    /// The protocol that an answer is surely written in; nil where that can't be said.
    static func wire(of answer: JSONValue) -> CrawlWire? {
        if answer["page"]?["typ"]?.string != nil { return .applin }
        if answer["configuration"]?.object != nil, answer["widgets"]?.array != nil { return .views }
        if answer["views"]?.array != nil, answer.object?.count == 1 { return .views }
        if answer["rc"]?.number != nil { return .xpedite }
        return FlokiRules.Document(answer) == nil ? nil : .floki
    }

    /// The variables that the parts of an answer set, each with its place.
    func variables(in answer: JSONValue) -> [(name: String, steps: [String], pointer: String)] {
        let tree = tree(answer)
        return tree.nodes.flatMap { node in
            node.object.members.compactMap { member in
                guard node.isRead, node.role.noun != "action", variables.contains(member.key),
                    let name = member.value.string, !name.isEmpty
                else {
                    return nil
                }
                let path = tree.path(to: node, page: "")
                return (name, path.steps, path.pointer)
            }
        }
    }
}

extension CrawlWire {
    /// The protocol's name in sentences.
    var title: String {
        switch self {
        case .applin: "Applin"
        case .xpedite: "Xpedite"
        case .floki: "Floki"
        case .views: "Dynamic Views"
        }
    }
}
