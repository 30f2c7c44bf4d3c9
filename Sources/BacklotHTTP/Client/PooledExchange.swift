package import HTTPTypes

/// An exchange whose answer is handed on when all of it is there: without a task, and without streams.
final class PooledExchange: CarriedExchange, @unchecked Sendable {
    let request: OutgoingRequest
    let token: Int
    private unowned let owner: RequestLoop
    private var connection: ClientConnection?
    private(set) var began: Int64 = 0
    private(set) var isAnswered = false
    private(set) var isRequestEnded = false
    private var status = HTTPResponse.Status.ok
    private var fields = FieldList()
    private var body: [UInt8] = []

    init(_ request: OutgoingRequest, token: Int, owner: RequestLoop) {
        self.request = request
        self.token = token
        self.owner = owner
    }

    var bounds: ClientBounds { owner.bounds }
    var keepsConnection: Bool { true }
    var isFull: Bool { false }
    var isBodyHeld: Bool { false }

    /// Goes over a connection.
    func run(on connection: ClientConnection, now: Int64) {
        if began == 0 { began = now }
        isRequestEnded = false
        self.connection = connection
        connection.carry(self)
    }

    func headSent() {
        guard let connection else { return }
        if case .bytes(let bytes) = request.body, !bytes.isEmpty { connection.write(bytes) }
        isRequestEnded = true
        connection.endRequest()
    }

    func releaseBody(wasContinued: Bool) {}

    func noteFirstByte() {}

    func answered(
        _ response: (status: HTTPResponse.Status, fields: FieldList),
        _ version: StaticString,
        _ bytes: [UInt8],
        isWhole: Bool
    ) {
        isAnswered = true
        status = response.status
        fields = response.fields
        owner.connected()
        take(bytes, isWhole: isWhole)
    }

    func bodyCame(_ bytes: [UInt8], isWhole: Bool) { take(bytes, isWhole: isWhole) }

    private func take(_ bytes: [UInt8], isWhole: Bool) {
        if body.isEmpty { body = bytes } else { body += bytes }
        if isWhole {
            owner.finished(self, .success(PooledAnswer(status: status, fields: fields, body: body)))
        } else if !bytes.isEmpty {
            connection?.bodyTaken(bytes.count)
            if !owner.hold(bytes.count, of: self) { connection?.fail(.bodyTooLarge(limit: RequestLoop.mostBytes)) }
        }
    }

    /// How many bytes of its answer wait for the rest.
    var heldBytes = 0

    func failed(_ fault: ClientFault, isUnused: Bool) {
        if isUnused || !isAnswered && owner.hasOtherAddress(after: fault) {
            owner.begin(self)
        } else {
            owner.finished(self, .failure(fault))
        }
    }

    func detach() { connection = nil }

    func roomMade() {}
}

/// An answer, all of it, as it came over the wire.
package struct PooledAnswer: Sendable {
    /// The status.
    package let status: HTTPResponse.Status
    let fields: FieldList
    /// The body, compressed where its header fields say so.
    package let body: [UInt8]

    /// How many bytes the header fields have.
    package var headBytes: Int { fields.linesCount + 17 }

    /// The value of a header field; of several of one name, all, joined by commas. nil without such a field.
    ///
    /// - Parameter name: in lower case.
    package subscript(name: StaticString) -> String? { fields[name] }

    /// Whether there is a header field of a name, which is in lower case.
    package func has(_ name: StaticString) -> Bool { fields.contains(name) }

    /// The header fields.
    package var headers: HTTPFields { HTTPFields(fields) }
}
