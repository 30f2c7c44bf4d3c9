// Everything here lives to the end. It is held by an enum that keeps its case in the upper byte of a reference, by a long string,
// and by a reference count that a weak reference has moved. With an argument, pairs of objects that hold each other are left behind.

final class Node {
    var next: Node?
    weak var owner: Node?
    var text = ""
}
enum Held { case one(Node), two(Node) }
func make() -> Node {
    let node = Node(), owner = Node()
    owner.text = String(repeating: "x", count: 100 + CommandLine.arguments.count)
    owner.next = Node()
    node.owner = owner
    node.next = owner
    return node
}
nonisolated(unsafe) let held = [Held.one(make()), .two(make())]
if CommandLine.arguments.count > 1 {
    for _ in 0..<100 {
        let left = make()
        left.next?.next = left
    }
}
print(held.count)
