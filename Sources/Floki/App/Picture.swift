import Backlot

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A PNG picture inside the app data, in base64 of the standard alphabet, without line breaks.
///
/// Only its opacity counts for the picture of a tab; few colours keep it small.
///
/// Source: Floki server protocols, tab_image and item_disclosure.
///
/// ```swift
/// app.tab(1, "news", image: try Picture(file: "news.png"), newsViewController(news))
/// ```
public struct Picture: Sendable, Hashable {
    /// The file, in base64.
    public let base64: String

    /// Creates a picture from the bytes of a PNG file.
    ///
    /// - Throws: ``PictureError`` for other bytes.
    public init(png bytes: [UInt8]) throws(PictureError) {
        // PNG Specification, section 5.2.
        guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
            throw PictureError(description: "these \(bytes.count) bytes are not a PNG file")
        }
        base64 = Data(bytes).base64EncodedString()
    }

    /// Creates a picture that is base64 already.
    init(written base64: String) { self.base64 = base64 }

    /// Creates a picture from a PNG file. This reads the file and blocks: do so while the app starts.
    ///
    /// - Throws: ``PictureError`` with the file's path.
    public init(file path: String) throws(PictureError) {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw PictureError(description: "the picture '\(path)' can't be read")
        }
        do throws(PictureError) {
            try self.init(png: Array(data))
        } catch {
            throw PictureError(description: "the picture '\(path)' is not a PNG file")
        }
    }
}

/// The error for a picture that can't be made.
public struct PictureError: Error, Equatable, CustomStringConvertible {
    /// The message.
    public let description: String
}

extension TextForm {
    /// A picture inside a document (RFC 4648, section 4).
    static let base64 = TextForm(
        "base64 of the standard alphabet (letters, digits, + and /, with = at the end), without line breaks",
        example: "iVBORw0KGgo=",
        rule: "malformed-base64"
    ) { text in
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, bytes.count % 4 == 0 else { return false }
        let padding = bytes.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return bytes.dropLast(padding).allSatisfy { $0.isLetter || $0.isDigit || "+/".utf8.contains($0) }
    }
}
