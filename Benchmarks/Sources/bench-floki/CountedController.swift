import BacklotJSON
import Floki
import Synchronization

/// A web page of the app that counts how often the app data is encoded.
final class CountedController: ViewController {
    private let count = Atomic(0)

    /// How often it was encoded.
    var encodings: Int { count.load(ordering: .relaxed) }

    var className: StaticString { "Web_view_controller" }
    var mainURL: Link { "/about/" }

    func encode(into writer: inout JSONWriter, _ texts: TextLookup) { count.add(1, ordering: .relaxed) }
}
