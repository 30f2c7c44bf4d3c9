public import BacklotJSON

/// Where the rows of a table come from. The server asks for as many as a client is shown, so that a source of a million rows
/// costs a page what one of a hundred costs.
public protocol TableSource: Sendable {
    /// Some of the rows: those from `offset` on, at most `limit`. Fewer, or none, say that there are no more.
    ///
    /// - Parameters:
    ///   - offset: how many rows come before; 0 or more.
    ///   - limit: how many rows are asked for, one more than are shown.
    ///   - call: the packet, for who asks and with which parameters.
    func rows(offset: Int, limit: Int, for call: Call) async throws -> [TableRow]
}

/// A source that is a function.
struct FunctionSource: TableSource {
    let function: @Sendable (Int, Int, Call) async throws -> [TableRow]

    func rows(offset: Int, limit: Int, for call: Call) async throws -> [TableRow] {
        try await function(offset, limit, call)
    }
}

extension TableSource {
    /// Answers a client that asks for the rows which come after those it has.
    func answer(to call: Call, batch: Int) async throws -> MethodAnswer {
        let offset = try call.offset
        let found = try await rows(offset: offset, limit: batch + 1, for: call)
        guard found.count > batch else { return .rows(found, max: nil) }
        let max =
            switch call.readings.max {
            case .batchSize: batch
            case .rowsSoFar: offset + batch
            }
        return .rows(Array(found.prefix(batch)), max: max)
    }
}

extension Call {
    /// How many rows of a table the client has. The client says it, each time: after pulling down it is none again.
    var offset: Int {
        get throws {
            for key in readings.offsetKeys {
                guard let value = parameter(key), !value.isNull else { continue }
                guard let offset = value.number?.int64.map({ Int($0) }) ?? value.string.flatMap({ Int($0) }),
                    (0...Int.max / 2).contains(offset)
                else { throw InputError(name: key, problem: "must be a whole number, 0 or more") }
                return offset
            }
            return 0
        }
    }
}
