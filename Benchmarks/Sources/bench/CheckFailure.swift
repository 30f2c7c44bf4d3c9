/// Something that must hold for the figures to mean anything does not. The run ends with it.
struct CheckFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
