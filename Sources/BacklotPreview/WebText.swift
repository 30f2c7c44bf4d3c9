/// A script or a style sheet as browsers get it: without lines of remarks, and without the blanks at the start of lines. They are a
/// third of what goes over the wire, compressed.
///
/// Lines inside a literal of several lines count as lines too: no file here has one with blanks or remarks that matter. The remarks
/// at the beginning of a file from the system stay, since they name its licence.
struct WebText {
    /// What is sent.
    let bytes: [UInt8]

    /// - Parameter name: the path below `Web/`; other files than scripts and style sheets stay as they are.
    init(_ text: [UInt8], named name: String) {
        guard name.hasSuffix(".js") || name.hasSuffix(".css") else {
            bytes = text
            return
        }
        var kept: [UInt8] = []
        kept.reserveCapacity(text.count)
        var isInRemark = false
        var isNotice = name.hasPrefix("codemirror/")
        for line in text.split(separator: 0x0A, omittingEmptySubsequences: true) {
            let line = line.drop { $0 == 0x20 || $0 == 0x09 }
            if isInRemark {
                isInRemark = !line.ends(with: "*/")
                continue
            }
            let isRemark = line.starts(with: "//".utf8)
            isNotice = isNotice && isRemark
            if line.isEmpty || (isRemark && !isNotice) { continue }
            if line.starts(with: "/*".utf8) {
                if !line.contains("*/") {
                    isInRemark = true
                    continue
                }
                if line.ends(with: "*/") { continue }
            }
            kept += line
            kept.append(0x0A)
        }
        bytes = kept
    }
}

extension ArraySlice<UInt8> {
    fileprivate func ends(with text: StaticString) -> Bool { suffix(2).elementsEqual("\(text)".utf8) }

    fileprivate func contains(_ text: StaticString) -> Bool { firstRange(of: "\(text)".utf8) != nil }
}
