public import Backlot

/// Inspects the Xpedite pages that clients get, from this library, a mock file or another backend.
///
/// Source: Xpedite API reference. ``XpediteRuleReadings`` has this project's interpretations where the reference leaves a point
/// open.
public enum XpediteRules {
    /// Compares each response with ``XpediteVocabulary``, then applies rules that a vocabulary can't express.
    private static let judge = DocumentInspector<PacketFacts>(
        XpediteVocabulary.all,
        rules: [
            PacketRules.caching, PacketRules.ids, PacketRules.pictures, PacketRules.methods,
            FormRules.saving, FormRules.names, FormRules.options, FormRules.optionKeys, FormRules.nextFields,
            FormRules.focus,
            TableRules.widths, TableRules.counts, TableRules.scrolling,
            NavigationRules.kept, NavigationRules.shades, NavigationRules.entries, NavigationRules.titles,
        ]
    )

    /// The findings for a response, in the order of its parts; empty without faults.
    ///
    /// - Parameters:
    ///   - document: the body of a response: a page, or the rows of a table under `data`.
    ///   - name: the page's name in findings, such as the method that returned it.
    ///   - facts: facts about the app around it.
    ///   - readings: this project's interpretations of points that the reference leaves open.
    public static func findings(
        in document: JSONValue,
        name: String,
        facts: XpediteFacts = XpediteFacts(),
        readings: XpediteRuleReadings = XpediteRuleReadings()
    ) -> [Finding] {
        let waived = readings.waivedRules
        return judge.findings(
            in: document,
            as: kind(of: document),
            name: name,
            for: XpediteVocabulary.audience,
            facts: PacketFacts(app: facts, readings: readings)
        )
        .filter { !waived.contains($0.rule) }
    }

    /// The tree of a response, even of one that clients can't read.
    package static func tree(of document: JSONValue) -> DocumentTree {
        judge.tree(of: document, as: kind(of: document), for: XpediteVocabulary.audience)
    }

    private static func kind(of document: JSONValue) -> Kind {
        document["data"]?.isNull == false ? RowsPacket.vocabulary : Packet.vocabulary
    }
}

/// Facts about the app around a page, for rules about references from the page. References to unknown facts (nil) aren't checked.
public struct XpediteFacts: Sendable, Equatable {
    /// The methods that the app has registered.
    public var methods: Set<String>?
    /// The pictures that earlier pages of the session have preloaded; the page's own pictures are added.
    public var images: Set<String>?
    /// The navigations that the client keeps.
    public var navigations: Set<String>?

    /// The given facts.
    public init(methods: Set<String>? = nil, images: Set<String>? = nil, navigations: Set<String>? = nil) {
        self.methods = methods
        self.images = images
        self.navigations = navigations
    }
}

/// The surroundings of a page, for rules.
struct PacketFacts: Sendable {
    let app: XpediteFacts
    let readings: XpediteRuleReadings
}

typealias CheckedPacket = CheckedDocument<PacketFacts>

/// This project's interpretations of points about pages that the reference leaves open. You can turn each of them off.
public struct XpediteRuleReadings: Sendable, Equatable {
    /// A button must have a text or an icon.
    public var buttonNeedsTextOrIcon = true
    /// A scrollview must have `components`.
    public var scrollviewNeedsComponents = true
    /// A size must not give the same dimension or axis in two ways, such as `width` and `width%`.
    public var requiresOneSourcePerAxis = true
    /// An image's `id` refers to a preloaded picture and may appear in several images: it need not be unique.
    public var imageIDsMayRepeat = true
    /// "All header entries must agree" about `scroll`: `on` in one and `off` in another is an error; leaving it out in some of them
    /// is a warning.
    public var headersMustAgree = true

    /// Creates readings with all interpretations turned on.
    public init() {}

    /// The names of the rules that are off because their interpretation is turned off.
    var waivedRules: Set<String> {
        var rules: Set<String> = []
        if !buttonNeedsTextOrIcon { rules.insert("button-without-text") }
        if !scrollviewNeedsComponents { rules.insert("scrollview-without-components") }
        if !requiresOneSourcePerAxis { rules.insert("contradicting-size") }
        if !headersMustAgree { rules.formUnion(["headers-disagree", "scroll-left-out"]) }
        return rules
    }
}
