package import Backlot

/// Every part of a document that clients know.
///
/// Source: Dynamic Views documentation, Widget Reference, and the public source of both clients.
package enum DynamicViewsVocabulary {
    /// Each kind is declared beside the type that writes it.
    package static let all = Vocabulary(
        [
            Document.vocabulary, Configuration.vocabulary, Padding.vocabulary,

            Text.vocabulary, Image.vocabulary, Button.vocabulary, Information.vocabulary, Toggle.vocabulary,
            Section.vocabulary, Navigation.vocabulary, MultiValue.vocabulary, MultiValue.environmentVocabulary,
            MultiValue.Option.vocabulary,
        ] + ActionWidget.actions.map(\.vocabulary) + [
            CustomerCard.vocabulary, LastPurchases.vocabulary, DeveloperMode.vocabulary, Version.documentedVocabulary,
            Version.vocabulary,
        ],
        for: Dialect.Platform.allCases.map { Dialect($0).audience },
        refusal: "refuse the whole document"
    )

    /// The outdated type names, with their current names.
    static let formerTypes: [String: String] = Dictionary(
        uniqueKeysWithValues: all.kinds.flatMap { kind in kind.formerNames.keys.map { ($0, kind.name) } }
    )
}

extension Role {
    static let document = Role("document", hasStep: false)
    static let configuration = Role("configuration")
    static let widget = Role("widget", .key("type"), labels: ["id"], example: "text")
    static let option = Role("option", labels: ["id"])
    /// A padding with named sides.
    static let sides = Role("object of sides", hasStep: false)
}

extension TextForm {
    /// The app's key for a text that it has in each of its languages.
    static let localisationKey = name("a localisation key", example: "Dashboard.title")
    /// The name of one of the app's pictures.
    static let pictureName = name("a picture's name", example: "Dashboard/teaser")

    private static func name(_ noun: String, example: String) -> TextForm {
        TextForm("\(noun), such as \(example)", example: example) { _ in true }
    }
}

extension Kind {
    /// The fix for an outdated type name.
    static func renamed(_ name: String) -> String {
        "Write \(name.quoted), its name today; 'demo-server views check --fix' does so."
    }
}

extension Dialect {
    /// The clients of the dialect's system.
    package var audience: Audience {
        switch platform {
        case .ios: Audience(platform, noun: "iOS clients")
        case .android: Audience(platform, noun: "Android clients")
        }
    }
}

extension Audience {
    fileprivate init(_ platform: Dialect.Platform, noun: String) {
        self.init(
            dialect: platform.rawValue,
            platform: platform.rawValue,
            noun: noun,
            advice: "send it to \(noun) only"
        )
    }
}
