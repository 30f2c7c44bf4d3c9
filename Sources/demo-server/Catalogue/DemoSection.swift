/// A part of the home page.
struct DemoSection: Sendable {
    /// What stands above the part's buttons.
    let title: String
    /// The pages that it leads to.
    let pages: [any DemoPage]
}
