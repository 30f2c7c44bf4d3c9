/// This project's readings of the reference's gaps about pages. Each can be turned off.
public struct RuleReadings: Sendable, Equatable {
    /// A button shows a text or an icon: one with neither is an error.
    public var buttonNeedsTextOrIcon = true
    /// A scrollview has `components`: one without is an error.
    public var scrollviewNeedsComponents = true
    /// A size says each dimension and each axis in one way only: `width` beside `width%` is an error.
    public var oneSourcePerAxis = true
    /// An image's `id` refers to a preloaded picture and may stand in several images: it need not be unique.
    public var imageIDsMayRepeat = true
    /// "All header entries must agree" about `scroll`: `on` beside `off` is an error, and leaving it out here and there a
    /// warning.
    public var headersMustAgree = true

    /// This project's readings.
    public init() {}

    /// The names of the rules that don't count, because their reading is turned off.
    var waivedRules: Set<String> {
        var rules: Set<String> = []
        if !buttonNeedsTextOrIcon { rules.insert("button-without-text") }
        if !scrollviewNeedsComponents { rules.insert("scrollview-without-components") }
        if !oneSourcePerAxis { rules.insert("contradicting-size") }
        if !headersMustAgree { rules.formUnion(["headers-disagree", "scroll-left-out"]) }
        return rules
    }
}
