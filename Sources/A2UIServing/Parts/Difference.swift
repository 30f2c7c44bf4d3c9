public import A2UI
public import Backlot

/// The smallest set of updates that makes one state of a surface out of another.
///
/// A list changes element by element as long as none is removed, and that is shorter than the whole list. Clients can't remove elements,
/// so that a shorter list goes out whole.
///
/// Source: the A2UI specification, Data model updates.
public enum Difference {
    /// A value to write.
    public struct Write: Equatable, Sendable {
        /// The location.
        public let path: DataPath
        /// The value; nil deletes.
        public let value: JSONValue?
    }

    /// The writes that make one model out of another, both without null as the value of a key.
    public static func writes(from old: JSONValue, to new: JSONValue) -> [Write] {
        writes(from: old, to: new, over: old)
    }

    /// The writes that make the same change in a model that others have changed meanwhile.
    ///
    /// Values that others have changed stay, except those that the change itself changes. A list counts as one value, because its
    /// indices may lead to other elements in the current model.
    ///
    /// - Parameters:
    ///   - old: the model before the change.
    ///   - new: the model after the change.
    ///   - current: the model that others have made of the old one.
    static func writes(from old: JSONValue, to new: JSONValue, over current: JSONValue) -> [Write] {
        writes(from: old, to: new, over: current, at: .root) ?? [Write(path: .root, value: new)]
    }

    /// The components that are new or changed, in the order of the new ones.
    public static func components(from old: [String: JSONObject], to new: [JSONObject]) -> [JSONObject] {
        new.filter { component in component["id"]?.string.map { old[$0] != component } ?? true }
    }

    /// The most writes within an object or a list. Beyond that it goes out whole.
    private static let writeLimit = 1000
    /// The bytes of a message beside path and value, about.
    private static let messageBytes = 90

    /// nil if only the whole value can be written.
    private static func writes(
        from old: JSONValue,
        to new: JSONValue,
        over current: JSONValue?,
        at path: DataPath
    ) -> [Write]? {
        if old == new { return [] }
        guard path.segments.count < DataPath.segmentLimit else { return nil }
        switch (old, new, current) {
        case (.object(let old), .object(let new), .object(let current)?):
            return members(from: old, to: new, over: current, at: path)
        case (.array(let former), .array(let elements), _) where current == old:
            guard elements.count >= former.count, elements.count <= DataModel.indexLimit else { return nil }
            var writes: [Write] = []
            for (index, element) in elements.enumerated() {
                let path = path.appending(String(index))
                if index < former.count {
                    let inner = Self.writes(from: former[index], to: element, over: former[index], at: path)
                    writes += inner ?? [Write(path: path, value: element == .null ? nil : element)]
                } else {
                    // A deletion past the end does nothing.
                    guard element != .null else { return nil }
                    writes.append(Write(path: path, value: element))
                }
            }
            let bytes = writes.reduce(0) { $0 + messageBytes + ($1.value ?? .null).approximateBytes }
            return writes.count <= writeLimit && bytes < messageBytes + new.approximateBytes ? writes : nil
        default: return nil
        }
    }

    private static func members(
        from old: JSONObject,
        to new: JSONObject,
        over current: JSONObject,
        at path: DataPath
    ) -> [Write]? {
        let (former, latest, current) = (IndexedObject(old), IndexedObject(new), IndexedObject(current))
        var writes: [Write] = []
        for member in new.members where former[member.key] != member.value {
            // Such keys have no path, and null can't be written.
            guard !member.key.isEmpty, member.value != .null else { return nil }
            let path = path.appending(member.key)
            let inner = former[member.key].flatMap {
                Self.writes(from: $0, to: member.value, over: current[member.key], at: path)
            }
            writes += inner ?? [Write(path: path, value: member.value)]
        }
        let rest = old.keys.filter { latest[$0] == nil }
        guard !rest.contains(""), writes.count + rest.count <= writeLimit else { return nil }
        return writes + rest.sorted().map { Write(path: path.appending($0), value: nil) }
    }
}

extension JSONValue {
    /// The value without members that are null, which clients treat like missing ones.
    var withoutNullMembers: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.withoutNullMembers))
        case .object(let object):
            .object(
                object.members.reduce(into: JSONObject()) { result, member in
                    if member.value != .null { result.append(member.key, member.value.withoutNullMembers) }
                }
            )
        default: self
        }
    }
}
