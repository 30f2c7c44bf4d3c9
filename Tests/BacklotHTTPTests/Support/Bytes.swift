/// The bytes of a text of characters up to U+00FF, one byte each, so that tables can spell any byte.
func bytes(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8($0.value) }
}

/// A text that spells each byte as one character: what `bytes` takes back.
func spelled(_ bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    return text
}

/// The bytes of a request head: a request line, then field lines, each ended as it must be.
func makeHead(_ line: String = "GET / HTTP/1.1", host: String? = "Host: h", _ fields: String...) -> [UInt8] {
    bytes(([line] + [host].compactMap { $0 } + fields).map { $0 + "\r\n" }.joined() + "\r\n")
}
