public import Backlot

/// Lets the user choose one of the device's photos, and uploads it: a PUT of a JPEG picture, which waits for 100 Continue.
///
/// Source: not documented; clients have it in both dialects.
public struct ChoosePhoto: Action, KeyedObject {
    /// The path to send the picture to; it must be inside the app's base URL.
    public let url: String

    /// The aspect ratio that the picture is cropped to, width divided by height; nil doesn't crop it. In the documented dialect it is
    /// the end of the URL, which clients remove; a URL with a query can't have it.
    public let aspectRatio: Double?

    /// `choose_photo`
    public var typ: StaticString { "choose_photo" }

    /// The path to send the picture to, with the aspect ratio.
    public var argument: String? { url.withAspectRatio(aspectRatio) }

    static let vocabulary = Kind(
        ChoosePhoto(url: "", aspectRatio: nil),
        "Lets the user choose one of the device's photos, and uploads it.",
        argument: "url"
    )

    /// Writes the fields after `typ`, if actions are objects.
    public func encodeFields(into writer: inout JSONWriter) { keys(&writer) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys.photo(url, aspectRatio)
    }
}

/// Makes a ``ChoosePhoto``.
///
/// ```swift
/// formButton("Choose a photo", choosePhoto("/photo", aspectRatio: 1), poll())
/// ```
/// - Parameters:
///   - url: The path to send the picture to; it must be inside the app's base URL.
///   - aspectRatio: The aspect ratio that the picture is cropped to, width divided by height.
public func choosePhoto(_ url: String, aspectRatio: Double? = nil) -> ChoosePhoto {
    ChoosePhoto(url: url, aspectRatio: aspectRatio)
}

/// Makes a ``ChoosePhoto`` for an upload of the app.
///
/// ```swift
/// let photo = app.upload("/photo") { request in _ = try await request.body.save(to: "photo.jpg") }
/// formButton("Choose a photo", choosePhoto(photo), poll())
/// ```
public func choosePhoto(_ upload: UploadRoute<Never>, aspectRatio: Double? = nil) -> ChoosePhoto {
    ChoosePhoto(url: upload.path, aspectRatio: aspectRatio)
}

/// Makes a ``ChoosePhoto`` for an upload with a parameter in its path.
///
/// ```swift
/// let photo = app.upload("/notes/{id}/photo", id: Int.self) { id, request in
///     _ = try await request.body.save(to: "\(id).jpg")
/// }
/// formButton("Add a photo", choosePhoto(photo, id: 7), poll())
/// ```
public func choosePhoto<ID: RouteID>(_ upload: UploadRoute<ID>, id: ID, aspectRatio: Double? = nil) -> ChoosePhoto {
    ChoosePhoto(url: upload.path(to: id), aspectRatio: aspectRatio)
}

/// Lets the user take a photo with the camera, and uploads it: a PUT of a JPEG picture, which waits for 100 Continue.
///
/// Source: not documented; clients have it in both dialects.
public struct TakePhoto: Action, KeyedObject {
    /// The path to send the picture to; it must be inside the app's base URL.
    public let url: String

    /// The aspect ratio that the picture is cropped to, width divided by height; nil doesn't crop it. In the documented dialect it is
    /// the end of the URL, which clients remove; a URL with a query can't have it.
    public let aspectRatio: Double?

    /// `take_photo`
    public var typ: StaticString { "take_photo" }

    /// The path to send the picture to, with the aspect ratio.
    public var argument: String? { url.withAspectRatio(aspectRatio) }

    static let vocabulary = Kind(
        TakePhoto(url: "", aspectRatio: nil),
        "Lets the user take a photo with the camera, and uploads it.",
        argument: "url"
    )

    /// Writes the fields after `typ`, if actions are objects.
    public func encodeFields(into writer: inout JSONWriter) { keys(&writer) }

    @inline(__always) package func keys(_ keys: inout some Keys) {
        keys.photo(url, aspectRatio)
    }
}

/// Makes a ``TakePhoto``.
///
/// ```swift
/// formButton("Take a photo", takePhoto("/photo", aspectRatio: 1), poll())
/// ```
/// - Parameters:
///   - url: The path to send the picture to; it must be inside the app's base URL.
///   - aspectRatio: The aspect ratio that the picture is cropped to, width divided by height.
public func takePhoto(_ url: String, aspectRatio: Double? = nil) -> TakePhoto {
    TakePhoto(url: url, aspectRatio: aspectRatio)
}

/// Makes a ``TakePhoto`` for an upload of the app.
///
/// ```swift
/// let photo = app.upload("/photo") { request in _ = try await request.body.save(to: "photo.jpg") }
/// formButton("Take a photo", takePhoto(photo), poll())
/// ```
public func takePhoto(_ upload: UploadRoute<Never>, aspectRatio: Double? = nil) -> TakePhoto {
    TakePhoto(url: upload.path, aspectRatio: aspectRatio)
}

/// Makes a ``TakePhoto`` for an upload with a parameter in its path.
///
/// ```swift
/// let photo = app.upload("/notes/{id}/photo", id: Int.self) { id, request in
///     _ = try await request.body.save(to: "\(id).jpg")
/// }
/// formButton("Take a photo", takePhoto(photo, id: 7), poll())
/// ```
public func takePhoto<ID: RouteID>(_ upload: UploadRoute<ID>, id: ID, aspectRatio: Double? = nil) -> TakePhoto {
    TakePhoto(url: upload.path(to: id), aspectRatio: aspectRatio)
}

extension String {
    /// A picture's URL as clients of the documented dialect read it: `/photo?aspect_ratio=1.5`.
    fileprivate func withAspectRatio(_ ratio: Double?) -> String {
        guard let ratio, !contains("?") else { return self }
        return "\(self)?aspect_ratio=\(ratio)"
    }
}

/// Keys that both actions have.
extension KeyVisitor where Self: ~Copyable {
    @inline(__always) fileprivate mutating func photo(_ url: String, _ ratio: Double?) {
        self("url", url).required("The path, inside the app's base URL, to which the client sends the picture by PUT.")
        self("aspect_ratio", ratio).optional(
            "The aspect ratio for cropping the picture, width divided by height.",
            .float,
            support: .since("0.31")
        )
    }
}
