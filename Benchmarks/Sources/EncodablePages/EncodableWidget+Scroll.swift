extension EncodableWidget {
    /// A scrolling area around one widget.
    public struct Scroll: Encodable, Sendable {
        let typ = "scroll"
        let widget: EncodableWidget
    }
}
