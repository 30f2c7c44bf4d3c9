/// A request's head: its bytes, and a table of what stands where in them. Strings are made only when asked for.
final class RequestHead: Sendable {
    let bytes: [UInt8]
    let line: RequestLine
    let fields: FieldTable
    let framing: BodyFraming
    /// Whether the client lets the connection live on after this request.
    let isPersistent: Bool
    /// Whether the client waits for a 100 before it sends the body.
    let expectsContinue: Bool
    /// How many bytes the head took up, empty lines before it included.
    let length: Int

    init(
        bytes: [UInt8],
        line: RequestLine,
        fields: FieldTable,
        framing: BodyFraming,
        isPersistent: Bool,
        expectsContinue: Bool,
        length: Int
    ) {
        self.bytes = bytes
        self.line = line
        self.fields = fields
        self.framing = framing
        self.isPersistent = isPersistent
        self.expectsContinue = expectsContinue
        self.length = length
    }

    /// Whether the method is `text`.
    func isMethod(_ text: StaticString) -> Bool {
        let bytes = bytes
        return bytes.span.equals(line.method, text)
    }

    func string(_ range: Range<Int>) -> String {
        let bytes = bytes
        return bytes.span.string(range)
    }
}
