public import Backlot

/// A movie, with its picture and description.
///
/// Each property that isn't set has the default of the reference.
///
/// Source: Floki server protocols, Movie_view_controller class data.
public struct MovieViewController: KeyedController {
    /// The controller's class name on the wire.
    public var className: StaticString { "Movie_view_controller" }
    /// The stream's address.
    public let mainURL: Link
    var values = KeyedValues()
    var titleID: TextName?
    var textID: TextName?

    init(mainURL: Link) { self.mainURL = mainURL }

    /// Writes the members of `data`.
    public func encode(into writer: inout JSONWriter, _ texts: TextLookup) {
        var values = values
        values["title_id"] = titleID.map { .number(JSONNumber(Int64(texts.number(of: $0) ?? 0))) }
        values["text_id"] = textID.map { .number(JSONNumber(Int64(texts.number(of: $0) ?? 0))) }
        values.encode(into: &writer, Self.vocabulary)
    }

    /// The file for devices that can't play streams. A relative URL is relative to the stream's. Without a file, clients derive its
    /// address: see ``progressiveFile(from:)``.
    public func progressiveFile(_ url: Link) -> Self { with("progressive_file", url.movieWire) }
    /// A large picture of the movie. A relative URL is relative to the stream's.
    public func preview(_ url: Link) -> Self { with("preview_url", url.movieWire) }
    /// The size of the preview, in pixels: at least 30 × 30, at most 285 × 160, or 450 × 400 on an iPad.
    public func previewSize(_ width: Int, _ height: Int) -> Self {
        with("preview_width", width).with("preview_height", height)
    }
    /// The pixels around the content of a row; 3 by default.
    public func padding(_ padding: Int) -> Self { with("padding", padding) }
    /// The title; by default the title of the item that opens the movie.
    public func title(_ title: String) -> Self { with("title", title.unmarked) }
    /// The title for tabs, as the name of one of the app's texts.
    public func titleID(_ name: TextName) -> Self { setting(\.titleID, name) }
    /// The maximum number of lines of the title; 10 by default.
    public func titleLines(_ lines: Int) -> Self { with("title_lines", lines) }
    /// The font size of the title; 16 by default.
    public func titleSize(_ size: Int) -> Self { with("title_size", size) }
    /// The colour of the title; blue by default.
    public func titleColor(_ color: Color) -> Self { with("title_color", color) }
    /// The description; by default the text of the item that opens the movie.
    public func text(_ text: String) -> Self { with("text", text.unmarked) }
    /// The description for tabs, as the name of one of the app's texts.
    public func textID(_ name: TextName) -> Self { setting(\.textID, name) }
    /// The font size of the description; 13 by default.
    public func textSize(_ size: Int) -> Self { with("text_size", size) }
    /// The colour of the description; black by default.
    public func textColor(_ color: Color) -> Self { with("text_color", color) }
    /// The background of the button that plays the movie; light gray by default.
    public func playbackColor(_ color: Color) -> Self { with("playback_color", color) }
    /// The background of rows; white by default.
    public func backNormalColor(_ color: Color) -> Self { with("back_normal_color", color) }
    /// Whether the movie begins automatically; true by default.
    public func autoload(_ isOn: Bool) -> Self { with("autoload", isOn) }

    /// The address of the file that clients request without a ``progressiveFile(_:)``. It is the stream's address with `/html5/`
    /// for `/ts/` and `m4v` for `m3u8`.
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
            .size("title_lines", "The most lines of the title.", default: 10),
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
/// ```swift
/// item(7, "Ferry", "See it come in.").opens(movieViewController("https://news.example.com/ferry.mp4"))
/// ```
/// - Parameter url: an m3u8 file. The URL of an item takes its place.
public func movieViewController(_ url: Link) -> MovieViewController { MovieViewController(mainURL: url) }
