import Backlot
public import BacklotJSON

/// A movie, with its picture and description.
///
/// Each property that isn't set has the default of the reference.
///
/// Source: Floki server protocols, Movie_view_controller class data.
public struct MovieViewController: ViewController {
    /// `Movie_view_controller`
    public var className: StaticString { "Movie_view_controller" }
    /// The stream's address.
    public let mainURL: Link
    var progressiveFile: Link?
    var previewURL: Link?
    var previewSize: (width: Int, height: Int)?
    var padding = 3
    var title: String?
    var titleID: TextName?
    var titleLines = 10
    var titleSize = 16
    var titleColor = Color.blue
    var text: String?
    var textID: TextName?
    var textSize = 13
    var textColor = Color.black
    var playbackColor = Color.lightGray
    var normalColor = Color.white
    var autoload = true

    init(mainURL: Link) { self.mainURL = mainURL }

    /// Writes the members of `data`.
    public func encode(into writer: inout JSONWriter, _ texts: TextLookup) {
        writer.field("progressive_file", progressiveFile)
        writer.field("preview_url", previewURL)
        writer.field("preview_width", previewSize?.width)
        writer.field("preview_height", previewSize?.height)
        writer.field("padding", padding, default: 3)
        writer.field("title", title?.unmarked)
        writer.field("title_id", titleID.map { texts.number(of: $0) ?? 0 })
        writer.field("title_lines", titleLines, default: 10)
        writer.field("title_size", titleSize, default: 16)
        writer.field("title_color", titleColor, default: .blue)
        writer.field("text", text?.unmarked)
        writer.field("text_id", textID.map { texts.number(of: $0) ?? 0 })
        writer.field("text_size", textSize, default: 13)
        writer.field("text_color", textColor, default: .black)
        writer.field("playback_color", playbackColor, default: .lightGray)
        writer.field("back_normal_color", normalColor, default: .white)
        writer.field("autoload", autoload, default: true)
    }

    /// A file for devices that can't play streams. By default clients derive its address: see ``progressiveFile(from:)``.
    public func progressiveFile(_ url: Link) -> Self { setting(\.progressiveFile, url) }
    /// A large picture of the movie.
    public func preview(_ url: Link) -> Self { setting(\.previewURL, url) }
    /// The size of that picture, in pixels: at least 30 × 30, at most 285 × 160, or 450 × 400 on an iPad.
    public func previewSize(_ width: Int, _ height: Int) -> Self { setting(\.previewSize, (width, height)) }
    /// The pixels around the content of a row; 3 by default.
    public func padding(_ padding: Int) -> Self { setting(\.padding, padding) }
    /// The title; an item's movie has the item's by default.
    public func title(_ title: String) -> Self { setting(\.title, title) }
    /// The title, as a text of the app; for tabs.
    public func titleID(_ name: TextName) -> Self { setting(\.titleID, name) }
    /// How many lines the title may have; 10 by default.
    public func titleLines(_ lines: Int) -> Self { setting(\.titleLines, lines) }
    /// The size of the title; 16 by default.
    public func titleSize(_ size: Int) -> Self { setting(\.titleSize, size) }
    /// The colour of the title; blue by default.
    public func titleColor(_ color: Color) -> Self { setting(\.titleColor, color) }
    /// The description; an item's movie has the item's by default.
    public func text(_ text: String) -> Self { setting(\.text, text) }
    /// The description, as a text of the app; for tabs.
    public func textID(_ name: TextName) -> Self { setting(\.textID, name) }
    /// The size of the description; 13 by default.
    public func textSize(_ size: Int) -> Self { setting(\.textSize, size) }
    /// The colour of the description; black by default.
    public func textColor(_ color: Color) -> Self { setting(\.textColor, color) }
    /// The background of the button that plays the movie; light gray by default.
    public func playbackColor(_ color: Color) -> Self { setting(\.playbackColor, color) }
    /// The background of rows; white by default.
    public func backNormalColor(_ color: Color) -> Self { setting(\.normalColor, color) }
    /// Whether the movie begins by itself; it does by default.
    public func autoload(_ isOn: Bool) -> Self { setting(\.autoload, isOn) }

    /// The file that clients request without a ``progressiveFile(_:)``: the stream's address, with `/html5/` for `/ts/` and `m4v`
    /// for `m3u8`.
    public static func progressiveFile(from url: String) -> String {
        url.replacing("/ts/", with: "/html5/").replacing("m3u8", with: "m4v")
    }
}

extension MovieViewController {
    static let vocabulary = Kind(
        "Movie_view_controller",
        as: [.controller],
        "A movie, with its picture and description.",
        keys: [
            .mainURL,
            .optional("progressive_file", .string, "The address of a file, for devices that can't play streams."),
            .optional("preview_url", .string, "The address of a large picture of the movie."),
            .optional("preview_width", .integer(30...450), "The width of that picture, in pixels."),
            .optional("preview_height", .integer(30...400), "The height of that picture, in pixels."),
            .size("padding", "The pixels around the content of a row.", default: 3),
            .optional("title", .string, "The title; the item's by default."),
            .optional("title_id", .positive, "The number of a text that is the title, for tabs."),
            .size("title_lines", "How many lines the title can have.", default: 10),
            .size("title_size", "The font size of the title.", default: 16),
            .color("title_color", "The colour of the title.", default: .blue),
            .optional("text", .string, "The description; the item's by default."),
            .optional("text_id", .positive, "The number of a text that is the description, for tabs."),
            .size("text_size", "The font size of the description.", default: 13),
            .color("text_color", "The colour of the description.", default: .black),
            .color("playback_color", "The background of the button that plays the movie.", default: .lightGray),
            .color("back_normal_color", "The background of rows.", default: .white),
            .optional("autoload", .bool, "Whether the movie begins by itself.", default: true),
        ]
    )
}

/// Makes a ``MovieViewController``.
///
/// - Parameter url: an m3u8 file. The URL of an item takes its place.
public func movieViewController(_ url: Link) -> MovieViewController { MovieViewController(mainURL: url) }
