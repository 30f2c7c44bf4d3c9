import Backlot
import TestSupport
import Testing

@testable import A2UI
@testable import A2UIServing

@Suite(.timeLimit(.minutes(2))) struct DifferenceTests {
    @Test(
        arguments: [
            (["a": 1, "b": 2], ["a": 1, "b": 3], ["/b": 3]),
            (["a": 1], ["a": 1], [:]),
            (["a": ["b": 1, "c": 2]], ["a": ["b": 1]], ["/a/c": nil]),
            (["a": ["b": 1]], ["a": 1], ["/a": 1]),
            (["a/b": 1, "c~": 1], ["a/b": 2, "c~": 2], ["/a~1b": 2, "/c~0": 2]),
            // The key has no path, and a list can't become shorter.
            (["a": ["": 1, "b": 1]], ["a": ["": 2, "b": 1]], ["/a": ["": 2, "b": 1]]),
            (["a": [1, 2, 3]], ["a": [1, 2]], ["/a": [1, 2]]),
            (["a": [["t": longText], ["t": "x"]]], ["a": [["t": longText], ["t": "y"]]], ["/a/1/t": "y"]),
            (["a": [longText]], ["a": [longText, "b"]], ["/a/1": "b"]),
            // Shorter as a whole.
            (["a": ["x", "y"]], ["a": ["y", "x"]], ["/a": ["y", "x"]]),
            (["a": 1], [:], ["/a": nil]),
            ([:], ["": 1], ["/": ["": 1]]),
        ] as [(JSONValue, JSONValue, [String: JSONValue?])]
    )
    func `Writes are few and short`(old: JSONValue, new: JSONValue, expected: [String: JSONValue?]) throws {
        let writes = Difference.writes(from: old, to: new)
        #expect(Dictionary(uniqueKeysWithValues: writes.map { ($0.path.description, $0.value) }) == expected)
    }

    @Test(
        arguments: [
            // A model before and after the change, what others have made of it, and both together.
            (["a": 1, "b": 1], ["a": 2, "b": 1], ["a": 1, "b": 3], ["a": 2, "b": 3]),
            (["a": 1], ["a": 1], ["a": 3], ["a": 3]), (["a": 1], ["a": 2], ["a": 3], ["a": 2]),
            ([:], ["a": 2], ["a": 3], ["a": 2]), (["a": 1], [:], ["a": 3], [:]),
            (["a": ["b": 1, "c": 1]], ["a": ["b": 2, "c": 1]], ["a": ["b": 1, "c": 3]], ["a": ["b": 2, "c": 3]]),
            (["a": ["b": 1, "c": 1]], ["a": ["b": 2, "c": 1]], ["d": 3], ["a": ["b": 2, "c": 1], "d": 3]),
            (["a": [[1], [2]]], ["a": [[1], [2]]], ["a": [[3]]], ["a": [[3]]]),
            (["a": [[1], [2]]], ["a": [[1], [4]]], ["a": [[1], [2]], "b": 3], ["a": [[1], [4]], "b": 3]),
            (["a": [[1], [2]]], ["a": [[1], [4]]], ["a": [[1]]], ["a": [[1], [4]]]),
            (["a": [[1], [2]]], ["a": [[1], [4]]], ["a": [[0], [1], [2]]], ["a": [[1], [4]]]),
            (["a": [longText, "x"]], ["a": [longText, "y"]], ["a": ["z", "x"]], ["a": [longText, "y"]]),
        ] as [(JSONValue, JSONValue, JSONValue, JSONValue)]
    )
    func `What others have changed meanwhile stays, unless the change is about the same value or list`(
        old: JSONValue,
        new: JSONValue,
        current: JSONValue,
        both: JSONValue
    ) throws {
        var model = DataModel(current)
        for write in Difference.writes(from: old, to: new, over: current) {
            try model.set(write.value, at: write.path)
        }
        #expect(model.value == both)
    }

    @Test(arguments: 0..<20) func `A change arrives whole, whatever others have made of the model`(seed: UInt64) throws
    {
        var random = RandomModel(random: SeededGenerator(seed: seed &+ 2000))
        /// Checks each value that the change is about.
        func check(_ both: JSONValue?, _ old: JSONValue?, _ new: JSONValue?) {
            if old == new { return }
            if let former = old?.object, let latest = new?.object {
                for key in Set(former.keys + latest.keys) { check(both?[key], former[key], latest[key]) }
            } else {
                #expect(both == new)
            }
        }
        for _ in 0..<50 {
            let old = random.object(depth: 3)
            let (new, current) = (random.changed(old, depth: 3), random.changed(old, depth: 3))
            var model = DataModel(current)
            for write in Difference.writes(from: old, to: new, over: current) {
                try model.set(write.value, at: write.path)
            }
            check(model.value, old, new)
        }
    }

    private static let longText = JSONValue.string(String(repeating: "long ", count: 50))

    @Test(
        arguments: [
            (["\u{E9}": 1, "e\u{301}": 2], ["\u{E9}": 2, "e\u{301}": 2]),
            (["\u{E9}": 1, "e\u{301}": 2], ["\u{E9}": 1]), (["\u{E9}": 1, "e\u{301}": 2], ["e\u{301}": 2]),
            (["\u{E9}": 1], ["\u{E9}": 1, "e\u{301}": 1]), (["\u{E9}": 1], ["e\u{301}": 1]),
        ] as [(JSONValue, JSONValue)]
    )
    func `Keys that look alike are different`(old: JSONValue, new: JSONValue) throws {
        var model = DataModel(old)
        for write in Difference.writes(from: old, to: new) { try model.set(write.value, at: write.path) }
        #expect(model.value == new)
    }

    @Test func `Very many changes go out as one`() {
        func model(_ value: JSONValue) -> JSONValue {
            .object((0..<2000).reduce(into: JSONObject()) { $0["k\($1)"] = value })
        }
        #expect(Difference.writes(from: model(1), to: model(2)).map(\.path) == [.root])
        #expect(Difference.writes(from: model(1), to: [:]).map(\.path) == [.root])
    }

    @Test(arguments: 0..<20) func `The difference of random models makes one out of the other`(seed: UInt64) throws {
        var random = RandomModel(random: SeededGenerator(seed: seed))
        for _ in 0..<50 {
            let old = random.object(depth: 3)
            var new = Bool.random(using: &random.random) ? random.changed(old, depth: 3) : random.object(depth: 3)
            if new.object == nil { new = [:] }
            var model = DataModel(old)
            for write in Difference.writes(from: old, to: new) { try model.set(write.value, at: write.path) }
            #expect(model.value == new, "\(old) to \(new)")
        }
    }

    @Test(arguments: 0..<20) func `The difference of random surfaces makes one out of the other`(seed: UInt64) throws {
        var random = RandomModel(random: SeededGenerator(seed: seed &+ 1000))
        for _ in 0..<50 {
            let trees = [random.element(depth: 4), random.element(depth: 4)]
            let written = trees.map { ElementWriter($0, version: .v0_9, model: [:]).components }
            var client = Processor(strictness: .lenient)
            let creation = ServerMessage.Creation(catalogID: Catalog.basic0_9.id)
            try client.apply(ServerMessage(.v0_9, .createSurface("s", creation)))
            try client.apply(ServerMessage(.v0_9, .updateComponents("s", written[0])))
            let former = Dictionary(written[0].map { ($0["id"]?.string ?? "", $0) }) { $1 }
            let changed = Difference.components(from: former, to: written[1])
            if !changed.isEmpty { try client.apply(ServerMessage(.v0_9, .updateComponents("s", changed))) }
            for component in written[1] {
                #expect(client.surfaces["s"]?.components[component["id"]?.string ?? ""]?.properties == component)
            }
            #expect(changed.allSatisfy { former[$0["id"]?.string ?? ""] != $0 })
            #expect(client.nodes(of: "s")?.nodes.values.allSatisfy { $0.component != nil } == true)
        }
    }
}

struct RandomModel {
    var random: SeededGenerator

    mutating func object(depth: Int) -> JSONValue {
        var object = JSONObject()
        for _ in 0..<Int.random(in: 0...4, using: &random) { object[key()] = value(depth: depth) }
        return .object(object)
    }

    mutating func key() -> String { ["a", "b", "c/d", "e~f", "", "0", "g h", "é"].randomElement(using: &random) ?? "" }

    mutating func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0...(depth > 0 ? 6 : 3), using: &random) {
        case 0: return .number(JSONNumber(Int64.random(in: 0...3, using: &random)))
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .string(String(repeating: "x", count: Int.random(in: 0...300, using: &random)))
        case 3: return .string("y")
        case 4, 5: return object(depth: depth - 1)
        default: return .array((0..<Int.random(in: 0...5, using: &random)).map { _ in element(of: depth) })
        }
    }

    private mutating func element(of depth: Int) -> JSONValue {
        Int.random(in: 0...5, using: &random) == 0 ? .null : value(depth: depth - 1)
    }

    /// A value with some changes at any depth.
    mutating func changed(_ old: JSONValue, depth: Int) -> JSONValue {
        switch old {
        case .object(var object):
            for key in object.keys where Int.random(in: 0...2, using: &random) == 0 {
                object[key] = Bool.random(using: &random) ? nil : object[key].map { changed($0, depth: depth - 1) }
            }
            if Bool.random(using: &random) { object[key()] = value(depth: max(0, depth)) }
            return .object(object)
        case .array(var elements):
            for index in elements.indices where Int.random(in: 0...2, using: &random) == 0 {
                elements[index] = Bool.random(using: &random) ? changed(elements[index], depth: depth - 1) : .null
            }
            switch Int.random(in: 0...3, using: &random) {
            case 0: if !elements.isEmpty { elements.removeLast() }
            case 1: elements.append(element(of: max(1, depth)))
            default: break
            }
            return .array(elements)
        default: return value(depth: max(0, depth))
        }
    }

    /// A tree of random shape.
    mutating func element(depth: Int) -> Element {
        let text = ["a", "b"].randomElement(using: &random) ?? ""
        guard depth > 0 else { return A2UIServing.text(verbatim: text) }
        switch Int.random(in: 0...5, using: &random) {
        case 0, 1:
            let children = (0..<Int.random(in: 0...3, using: &random)).map { _ in element(depth: depth - 1) }
            return column { for child in children { child } }
        case 2:
            let child = element(depth: depth - 1)
            return card { child }
        case 3:
            let (one, two) = (element(depth: depth - 1), element(depth: depth - 1))
            return tabs(("One", one), ("Two", two))
        case 4:
            let child = element(depth: depth - 1)
            return row {
                A2UIServing.text(verbatim: text)
                if Bool.random(using: &random) { child }
            }
        default: return textField(Dynamic(text), value: "").check(.required("x" as Dynamic<String>), text)
        }
    }
}
