/// How large thumbnails are on a row that is 320 pixels wide, and where they stand.
///
/// ```swift
/// GalleryGeometry(rowHeight: 79, padding: 2, cellsPerRow: 4)    // 75 × 75, 2 pixels from the left
/// ```
/// Make thumbnails of just this size, cropped around their middle, and no client has to scale them.
///
/// Source: Floki server protocols, Gallery_view_controller class data.
public struct GalleryGeometry: Sendable, Hashable {
    /// The width of a row.
    public static let rowWidth = 320

    /// The width of a thumbnail, in pixels. Not above 0: there is no room for so many.
    public let imageWidth: Int
    /// The height of a thumbnail, in pixels.
    public let imageHeight: Int
    /// How far the first cell is from the left edge, in pixels.
    public let left: Int

    /// The geometry of a gallery.
    ///
    /// - Parameters:
    ///   - rowHeight: in pixels.
    ///   - padding: around each thumbnail, in pixels.
    ///   - cellsPerRow: at least 1; less counts as 1.
    public init(rowHeight: Int, padding: Int, cellsPerRow: Int) {
        let count = max(1, cellsPerRow)
        // Rounded down, as a floating-point number would be, also below 0.
        func floor(_ dividend: Int, _ divisor: Int) -> Int {
            dividend >= 0 ? dividend / divisor : -((divisor - 1 - dividend) / divisor)
        }
        imageWidth = floor(Self.rowWidth - 2 * padding, count) - 2 * padding
        imageHeight = rowHeight - 2 * padding
        left = floor(Self.rowWidth - count * (imageWidth + 2 * padding), 2)
    }
}
