extension EncodableWidget {
    /// A row that leads to another page.
    public struct NavButton: Encodable, Sendable {
        let typ = "nav_button"
        let text: String
        let actions: [String]
    }
}
