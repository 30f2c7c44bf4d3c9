import A2UI
import Backlot

/// The surfaces that one client has open, as the server knows them. A value without I/O.
///
/// Each change returns the messages that bring the client to the new state. Those that don't reach it are kept, and precede the next ones.
/// A client that listens anew gets all surfaces anew, unless it knows the latest revision.
struct ClientState: Equatable, Sendable {
    /// An open surface.
    struct Open: Equatable, Sendable {
        let id: String
        /// The name of its declaration.
        let name: String
        let version: ProtocolVersion
        let catalogID: String
        let sendsDataModel: Bool
        /// The model, with what the client has last sent.
        fileprivate(set) var model: JSONValue
        /// The components of the current tree, children before parents.
        fileprivate(set) var tree: [JSONObject]
        /// The components that the client has, by id. No message removes one.
        fileprivate(set) var components: [String: JSONObject] = [:]
        /// The bytes of the model in memory, about.
        fileprivate var modelBytes = 0
        /// The approximate number of bytes that the client's own values add to the model.
        fileprivate(set) var inputBytes = 0
        /// The bytes of the components, about.
        fileprivate var componentBytes = 0

        init(
            id: String,
            name: String,
            version: ProtocolVersion,
            catalogID: String,
            sendsDataModel: Bool,
            model: JSONValue,
            tree: [JSONObject]
        ) {
            (self.id, self.name, self.version, self.catalogID) = (id, name, version, catalogID)
            (self.sendsDataModel, self.model, self.tree) = (sendsDataModel, model, tree)
            modelBytes = model.footprint
        }
    }

    /// The open surfaces, oldest first.
    private(set) var surfaces: [Open] = []
    /// The number of changes so far.
    private(set) var revision = 0
    /// The latest messages that the client may not have got.
    private var pending: [Pending] = []
    /// The last revision of messages that aren't kept any more.
    private var forgotten = -1
    /// The messages that closed the latest surfaces, which a client that has missed something may still show.
    private var closed: [ServerMessage] = []

    private struct Pending: Equatable, Sendable {
        let revision: Int
        let message: ServerMessage
        /// Whether no stream carried it.
        let isMissed: Bool
    }

    /// The most messages that are kept for a client. After more it gets its surfaces anew.
    private static let pendingLimit = 100

    subscript(id: String) -> Open? { surfaces.first { $0.id == id } }

    /// The factor for the client's own values, because each update for all clients reads them.
    static let inputWeight = 16

    /// The bytes of models and components in memory, about, with the client's own values more than once.
    var bytes: Int {
        surfaces.reduce(0) { $0 + $1.modelBytes + Self.inputWeight * $1.inputBytes + $1.componentBytes }
    }

    /// Opens a surface, in place of one with the same id.
    mutating func open(_ surface: Open) -> [ServerMessage] {
        let former = close(surface.id)
        var surface = surface
        surface.resetComponents()
        surfaces.append(surface)
        closed.removeAll { $0.surfaceID == surface.id }
        revision += 1
        return former + surface.creation
    }

    /// Counts on from the state of a former client, so that none of its revisions is one of this state.
    mutating func follow(_ former: ClientState) { revision = former.revision + 1 }

    /// Counts a call of a function of the client. Returns a number that no other call has.
    mutating func countCall() -> Int {
        revision += 1
        return revision
    }

    /// Deletes a surface. Without one, nothing happens.
    mutating func close(_ id: String) -> [ServerMessage] {
        guard let index = surfaces.firstIndex(where: { $0.id == id }) else { return [] }
        revision += 1
        let deletion = ServerMessage(surfaces.remove(at: index).version, .deleteSurface(id))
        closed = closed.suffix(Self.pendingLimit) + [deletion]
        return [deletion]
    }

    /// Takes over the model that a client sent, with the changes that it hadn't got by then.
    ///
    /// - Parameter revision: the last revision that the client got from a stream; nil if it doesn't say.
    mutating func received(_ model: JSONValue, of id: String, at revision: Int? = nil) {
        // A client that has missed too much gets the surface anew.
        guard let index = surfaces.firstIndex(where: { $0.id == id }), let unseen = unseen(since: revision) else {
            return
        }
        var model = DataModel(model)
        for message in unseen where message.surfaceID == id {
            switch message.content {
            case .updateDataModel(_, let path, let value): try? model.set(value, at: DataPath(path))
            case .updateComponents, .callRendererFunction, .agentFunctionResponse: break
            case .createSurface, .deleteSurface: return
            }
        }
        guard surfaces[index].model != model.value else { return }
        surfaces[index].model = model.value
        let bytes = model.value.footprint
        surfaces[index].inputBytes = max(0, bytes - surfaces[index].modelBytes + surfaces[index].inputBytes)
        surfaces[index].modelBytes = bytes
        self.revision += 1
    }

    /// Changes the model of a surface, and with it the tree.
    ///
    /// - Parameters:
    ///   - writes: the changes, which apply to the current model.
    ///   - makeTree: makes the components for a model.
    mutating func change(
        _ id: String,
        _ writes: [Difference.Write],
        tree makeTree: (JSONValue) throws -> [JSONObject]
    ) throws -> [ServerMessage] {
        guard let index = surfaces.firstIndex(where: { $0.id == id }) else { return [] }
        var (surface, model) = (surfaces[index], DataModel(surfaces[index].model))
        for write in writes {
            let former = model.bytes(at: write.path)
            try model.set(write.value, at: write.path)
            let growth = model.bytes(at: write.path) - former
            surface.modelBytes += growth
            surface.inputBytes = max(0, surface.inputBytes + min(0, growth))
        }
        surface.model = model.value
        let tree = try makeTree(model.value)
        // The client has the components of the former tree.
        let changed = tree == surface.tree ? [] : Difference.components(from: surface.components, to: tree)
        guard !writes.isEmpty || !changed.isEmpty else { return [] }
        surface.tree = tree
        for component in changed {
            let id = component["id"]?.string ?? ""
            surface.componentBytes += component.approximateBytes - (surface.components[id]?.approximateBytes ?? 0)
            surface.components[id] = component
        }
        // Clients keep the components that nobody names any more; too many of them cost more than a new surface.
        guard surface.components.count <= 2 * surface.tree.count + 50 else { return open(surface) }
        surfaces[index] = surface
        revision += 1
        var messages = writes.map {
            ServerMessage(surface.version, .updateDataModel(id, path: $0.path.description, value: $0.value))
        }
        if !changed.isEmpty { messages.append(ServerMessage(surface.version, .updateComponents(id, changed))) }
        return messages
    }

    /// Keeps messages for the client.
    ///
    /// - Parameter isMissed: whether they certainly haven't reached it; otherwise they go by a stream.
    mutating func keep(_ messages: [ServerMessage], isMissed: Bool) {
        if isMissed { revision += 1 }
        pending += messages.map { Pending(revision: revision, message: $0, isMissed: isMissed) }
        let excess = pending.count - Self.pendingLimit
        guard excess > 0 else { return }
        // Those that the client lacks for certain leave no way but a new start.
        forgotten = pending.prefix(excess).contains(where: \.isMissed) ? .max : pending[excess - 1].revision
        pending.removeFirst(excess)
    }

    /// The messages that a client without a stream lacks, if its last revision from one was this; nil if some aren't kept.
    func unseen(since last: Int?) -> [ServerMessage]? {
        guard last ?? .max - 1 >= forgotten else { return nil }
        return pending.filter { $0.isMissed || $0.revision > last ?? .max }.map(\.message)
    }

    /// Takes the messages that must precede all others for a client without a stream.
    mutating func recover(since last: Int?) -> [ServerMessage] {
        let messages = unseen(since: last) ?? restore()
        if !messages.isEmpty { revision += 1 }
        (pending, forgotten) = ([], -1)
        return messages
    }

    /// Takes the messages for a client that listens from now on: those that it has missed since a revision.
    mutating func reconnect(since last: Int?) -> [ServerMessage] {
        // Otherwise those who know the revision lack something.
        let isComplete = unseen(since: revision) == []
        if last == revision, isComplete { return [] }
        (pending, forgotten, revision) = ([], -1, isComplete ? revision : revision + 1)
        let messages = restore()
        keep(messages, isMissed: false)
        return messages
    }

    /// The messages that bring a client in any state to this one. It has no former components then.
    private mutating func restore() -> [ServerMessage] {
        for index in surfaces.indices { surfaces[index].resetComponents() }
        return closed + surfaces.flatMap { [ServerMessage($0.version, .deleteSurface($0.id))] + $0.creation }
    }
}

extension ClientState.Open {
    fileprivate mutating func resetComponents() {
        components = Dictionary(tree.map { ($0["id"]?.string ?? "", $0) }) { $1 }
        componentBytes = components.values.reduce(0) { $0 + $1.approximateBytes }
    }

    /// The messages that make the surface. The model precedes the components, so that nothing is drawn empty.
    var creation: [ServerMessage] {
        var creation = ServerMessage.Creation(catalogID: catalogID, sendsDataModel: sendsDataModel)
        guard !version.isOne else {
            (creation.components, creation.dataModel) = (tree, model.object)
            return [ServerMessage(version, .createSurface(id, creation))]
        }
        return [
            ServerMessage(version, .createSurface(id, creation)),
            ServerMessage(version, .updateDataModel(id, path: "/", value: model)),
            ServerMessage(version, .updateComponents(id, tree)),
        ]
    }
}

extension JSONObject {
    fileprivate var approximateBytes: Int { JSONValue.object(self).approximateBytes }
}

extension DataModel {
    /// The bytes of a value with its key in memory, about; 0 without one.
    fileprivate func bytes(at path: DataPath) -> Int {
        guard let value = self[path] else { return 0 }
        guard let key = path.segments.last else { return value.footprint }
        let isElement = self[DataPath(segments: Array(path.segments.dropLast()))]?.array != nil
        return value.footprint + (isElement ? 0 : 16 + key.utf8.count)
    }
}
