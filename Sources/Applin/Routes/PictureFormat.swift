internal import Backlot

/// A format of pictures, recognized by their first bytes.
public enum PictureFormat: String, Sendable, CaseIterable {
    /// ISO/IEC 10918-1, Annex B: the markers SOI and another.
    case jpeg = "JPEG"
    /// W3C Portable Network Graphics, section 5.2.
    case png = "PNG"
    /// ISO/IEC 23008-12: a box `ftyp` with a brand of HEIF.
    case heic = "HEIC"

    /// The number of bytes that identify the format.
    static let openingCount = 12

    private static let heifBrands: Set<String> = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]

    /// The format of a picture; nil for any other bytes.
    ///
    /// - Parameter bytes: the picture, or its first 12 bytes.
    public init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.count >= 12, bytes[4..<8].elementsEqual("ftyp".utf8),
            Self.heifBrands.contains(String(decoding: bytes[8..<12], as: UTF8.self))
        {
            self = .heic
        } else {
            return nil
        }
    }

    /// The error for bytes in any other format.
    static func refusal(_ formats: Set<PictureFormat>) -> UserError {
        let names = allCases.filter(formats.contains).map(\.rawValue).alternatives
        return UserError("This picture can't be used here. Please choose one in the format \(names).")
    }

    static func tooLarge(_ limit: Int) -> UserError {
        UserError("This picture is too large. Please choose one of \(UserError.size(limit)) or less.")
    }
}
