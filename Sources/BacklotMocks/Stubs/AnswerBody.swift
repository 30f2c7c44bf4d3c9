/// The body of an answer.
enum AnswerBody: Sendable {
    case none
    case bytes([UInt8])
    case template(BodyTemplate)

    var usesSession: Bool {
        if case .template(let template) = self { template.usesSession } else { false }
    }
}
