@testable import BacklotHTTP

/// What a parsed head says, as values that can be compared.
struct HeadSummary: Equatable {
    var method = "GET"
    var target = "/"
    var path = "/"
    var query: String?
    var fields = ["Host: h"]
    var framing = BodyFraming.none
    var isPersistent = true
    var expectsContinue = false
    var isHTTP10 = false
    var length = 0
}

extension HeadSummary {
    init(_ head: RequestHead) {
        method = spelled(head.bytes[head.line.method])
        target = spelled(head.bytes[head.line.target])
        path = spelled(head.bytes[head.line.path])
        query = head.line.query.map { spelled(head.bytes[$0]) }
        fields = head.fields.map { spelled(head.bytes[$0.name]) + ": " + spelled(head.bytes[$0.value]) }
        framing = head.framing
        isPersistent = head.isPersistent
        expectsContinue = head.expectsContinue
        isHTTP10 = head.line.isHTTP10
        length = head.length
    }
}
