internal import Applin
internal import Backlot
internal import BacklotJSON
internal import BacklotMocks
internal import DynamicViews
internal import Floki
internal import Xpedite

extension AnswerWords {
    static let applin = AnswerWords(
        wire: "applin",
        variables: ["var_name", "var_name1", "var_name2"],
        targets: ["page", "url"],
        requirements: ["min_chars"],
        tree: { ApplinRules.tree(of: $0, dialect: nil) },
        findings: { ApplinInspector(dialect: nil).findings(in: $0, path: $1, app: nil) }
    )

    static let xpedite = AnswerWords(
        wire: "xpedite",
        variables: ["name"],
        targets: ["function", "dynamic"],
        tree: { XpediteRules.tree(of: $0) },
        findings: { XpediteInspector().findings(in: $0, path: $1, app: nil) }
    )

    static let floki = AnswerWords(
        wire: "floki",
        rows: ["item", "thumb", "section"],
        tree: { FlokiRules.tree(of: $0) },
        findings: { FlokiInspector().findings(in: $0, path: $1, app: nil) }
    )

    static let views = AnswerWords(
        wire: "dynamic-views",
        tree: { DynamicViewsRules.tree(of: $0) },
        findings: { DynamicViewsInspector().findings(in: $0, path: $1, app: nil) }
    )

    static let viewsOnAndroid = AnswerWords(
        wire: "dynamic-views",
        tree: { DynamicViewsRules.tree(of: $0, dialect: .android) },
        findings: { DynamicViewsInspector(dialect: .android).findings(in: $0, path: $1, app: nil) }
    )

    /// The words of the protocol in which an answer is written; nil for plain JSON.
    init?(for answer: JSONValue) {
        if answer["page"]?["typ"]?.string != nil {
            self = .applin
            return
        }
        // Other JSON may have such keys by chance; an answer of a protocol follows its rules.
        let candidate: AnswerWords?
        if answer["configuration"]?.object != nil, answer["widgets"]?.array != nil {
            candidate = .views
        } else if answer["rc"]?.number != nil {
            candidate = .xpedite
        } else if FlokiRules.Document(answer) != nil {
            candidate = .floki
        } else {
            candidate = nil
        }
        guard let candidate, !candidate.findings(answer, "").contains(where: \.isRejection) else { return nil }
        self = candidate
    }
}
