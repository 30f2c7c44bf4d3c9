extension EncodableWidget {
    /// A page with a title bar.
    public struct NavPage: Encodable, Sendable {
        let typ = "nav_page"
        let title: String
        let widget: EncodableWidget
    }
}
