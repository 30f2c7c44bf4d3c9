internal import CQREncode

/// A QR code (ISO/IEC 18004) of a text, such as a URL that a phone is to open. It can be read with 15 % of it covered
/// (level M).
package struct QRCode {
    /// Rows of modules: true for dark.
    let rows: [[Bool]]

    /// The code of a text; nil when the text is empty, holds U+0000, or has more than 2,331 bytes in UTF-8.
    package init?(_ text: String) {
        guard !text.utf8.contains(0), let code = unsafe QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else {
            return nil
        }
        defer { unsafe QRcode_free(code) }
        let size = unsafe Int(code.pointee.width)
        let modules = unsafe UnsafeBufferPointer(start: code.pointee.data, count: size * size)
        // The lowest bit is the module's colour; others say what it is for.
        rows = (0..<size).map { row in
            (0..<size).map { column in unsafe modules[row * size + column] & 1 == 1 }
        }
    }

    /// The code for a terminal, two rows of modules in a line, with the margin that readers need.
    ///
    /// - Parameter colors: whether to set black and white, so that it looks the same on every terminal. Without, light
    ///   modules have the colour of the text.
    package func lines(colors: Bool) -> [String] {
        let margin = 4
        func isLight(_ row: Int, _ column: Int) -> Bool {
            !rows.indices.contains(row) || !rows.indices.contains(column) || !rows[row][column]
        }
        let columns = -margin..<(rows.count + margin)
        return stride(from: columns.lowerBound, to: columns.upperBound, by: 2).map { row in
            let blocks = columns.map { column in
                switch (isLight(row, column), isLight(row + 1, column)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            return colors ? "\u{1B}[97;40m\(blocks.joined())\u{1B}[0m" : blocks.joined()
        }
    }
}
