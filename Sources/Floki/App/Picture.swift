#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A PNG picture that goes out inside the app data, in base64 of the standard alphabet, without line breaks.
///
/// Only its opacity counts for the picture of a tab; few colours keep it small.
///
/// Source: Floki server protocols, tab_image and item_disclosure.
public struct Picture: Sendable, Hashable {
    /// The file, in base64.
    public let base64: String

    /// A picture from the bytes of a PNG file.
    ///
    /// - Throws: ``PictureError`` where they are none.
    public init(png bytes: [UInt8]) throws(PictureError) {
        // PNG Specification, section 5.2.
        guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
            throw PictureError(description: "these \(bytes.count) bytes are no PNG picture")
        }
        base64 = Data(bytes).base64EncodedString()
    }

    /// A picture from a PNG file. It is read at once: do so while the app starts.
    ///
    /// - Throws: ``PictureError``, which names the file.
    public init(file path: String) throws(PictureError) {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw PictureError(description: "the picture '\(path)' can't be read")
        }
        do throws(PictureError) {
            try self.init(png: Array(data))
        } catch {
            throw PictureError(description: "the picture '\(path)' is no PNG file")
        }
    }
}

/// Why there is no picture.
public struct PictureError: Error, Equatable, CustomStringConvertible {
    /// What is wrong.
    public let description: String
}
