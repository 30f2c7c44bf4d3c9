/// Things that are on or off, by name.
actor Switches {
    private var on: Set<String> = []

    func isOn(_ name: String) -> Bool { on.contains(name) }

    func toggle(_ name: String) {
        if on.remove(name) == nil { on.insert(name) }
    }
}
