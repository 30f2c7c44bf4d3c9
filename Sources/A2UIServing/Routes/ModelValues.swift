public import A2UI
public import Backlot

/// Single values of a surface's model, for the work on an action. Unlike ``Turn/model``, it reads and writes nothing else, however large
/// the model is.
public struct ModelValues<Model: Codable & Sendable>: Sendable {
    /// The request with the action.
    public var request: Request { exchange.request }
    /// The action as the client sent it.
    public let action: ClientMessage.Action
    private let base: DataModel
    private var model: DataModel
    private var writes: [Difference.Write] = []
    private let exchange: A2UIExchange

    init(_ action: ClientMessage.Action, _ exchange: A2UIExchange) {
        base = DataModel(exchange.client.state[action.surfaceID]?.model ?? [:])
        model = base
        (self.action, self.exchange) = (action, exchange)
    }

    /// The value at a path.
    ///
    /// - Throws: an error of the protocol for a path without a value, or with one that doesn't fit.
    public func value<Value: Decodable>(_ path: Dynamic<Value>) throws -> Value {
        let path = try location(path.term)
        guard let value = model[path] else { throw Self.missing(path) }
        return try [String: Value].read(["value": value], at: "\(path)")["value"] ?? { throw Self.missing(path) }()
    }

    /// Sets the value at a path; nil deletes it. An element of a list must be there already.
    ///
    /// - Throws: an error of the protocol for a path that leads to nothing.
    public mutating func set<Value: Encodable>(_ path: Dynamic<Value>, to value: Value) throws {
        let path = try location(path.term)
        let parent = DataPath(segments: Array(path.segments.dropLast()))
        guard let container = model[parent], container.array == nil || model[path] != nil else {
            throw Self.missing(path)
        }
        try write(value, at: path)
    }

    /// Adds an element to the end of a list.
    ///
    /// - Throws: an error of the protocol for a path that leads to no list.
    public mutating func append<Element: Encodable>(_ element: Element, to list: Dynamic<[Element]>) throws {
        let path = try location(list.term)
        guard let count = model[path]?.array?.count else { throw Self.missing(path) }
        try write(element, at: path.appending("\(count)"))
    }

    func commit() throws { _ = try exchange.change(action.surfaceID, writes, of: base) }

    private mutating func write(_ value: some Encodable, at path: DataPath) throws {
        let json = try JSONValue(encoding: value).withoutNullMembers
        let write = Difference.Write(path: path, value: json == .null ? nil : json)
        try model.set(write.value, at: path)
        writes.append(write)
    }

    private func location(_ term: Term) throws -> DataPath {
        guard case .path(let path) = term, !path.segments.contains("*") else {
            throw SurfaceError(
                surface: action.surfaceID,
                mistakes: ["a value is read or written by a path such as m.rows[0].name"]
            )
        }
        return DataPath(segments: path.segments)
    }

    private static func missing(_ path: DataPath) -> A2UIError {
        A2UIError(.data, "missing_value", "The model has no value at \(path).", at: "\(path)")
    }
}
