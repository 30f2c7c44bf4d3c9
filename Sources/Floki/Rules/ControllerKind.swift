/// The classes of the clients.
enum ControllerKind: String, CaseIterable {
    case news = "News_view_controller"
    case gallery = "Gallery_view_controller"
    case web = "Web_view_controller"
    case movie = "Movie_view_controller"
    case item = "Item_view_controller"
    case photo = "Photo_view_controller"

    /// Whether a tab can be one: pages and pictures belong to entries.
    var isForTabs: Bool { self != .item && self != .photo }
    /// Whether an item can lead to one.
    var isForItems: Bool { self != .photo }
    /// Whether a picture can lead to one.
    var isForThumbs: Bool { self != .item }

    static func names(for place: (ControllerKind) -> Bool) -> String {
        allCases.filter(place).map(\.rawValue).joined(separator: ", ")
    }
}
