package import HTTPTypes

/// Header fields that many answers have in common, as HTTP/1.1 and HTTP/2 send them: made once, and copied as they are.
///
/// A class, so that an answer takes no more than a reference to them.
package final class CommonFields: Sendable {
    let fields: HTTPFields
    /// The lines that HTTP/1.1 sends.
    let lines: [UInt8]
    /// The list that HTTP/2 sends.
    let list: FieldList

    /// - Parameter fields: fields that a handler may set; the framing of each answer is the server's.
    package init(_ fields: HTTPFields) {
        precondition(
            fields.allSatisfy { !ResponseEncoder.isOwn($0.name.rawName.utf8.span) },
            "these fields are the server's own, or depend on the answer: \(fields.map(\.name.rawName))"
        )
        self.fields = fields
        lines = ResponseEncoder.lines(of: fields)
        var list = FieldList()
        list.append(answered: fields, keepsDate: false)
        self.list = list
    }
}
