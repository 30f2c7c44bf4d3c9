/// Where the reference leaves open what is allowed, and how the rules read it. Each reading can be turned off.
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
}
