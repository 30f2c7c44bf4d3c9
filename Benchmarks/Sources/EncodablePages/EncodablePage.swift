/// An Applin answer as a user of JSONEncoder would write it: plain structs and one enum, with synthesised conformances
/// wherever Swift offers them.
///
/// The servers that we are measured against build and encode one of these for each request.
public struct EncodablePage: Encodable, Sendable {
    /// The page's widget, in most cases a ``EncodableWidget/navPage(_:)``.
    public var page: EncodableWidget

    /// An answer that shows `page`.
    public init(page: EncodableWidget) {
        self.page = page
    }
}
