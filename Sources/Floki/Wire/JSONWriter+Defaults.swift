import BacklotJSON

/// Fields that say nothing where they have the value that clients take by themselves.
extension JSONWriter {
    mutating func field(_ key: StaticString, _ value: Int, default usual: Int) {
        if value != usual { field(key, value) }
    }

    mutating func field(_ key: StaticString, _ value: Bool, default usual: Bool) {
        if value != usual { field(key, value) }
    }

    mutating func field(_ key: StaticString, _ color: Color, default usual: Color? = nil) {
        guard color != usual else { return }
        array(key) { writer in
            for part in [color.red, color.green, color.blue] { writer.value(Int(part)) }
        }
    }

    mutating func field(_ key: StaticString, _ texts: [String]) {
        guard !texts.isEmpty else { return }
        array(key) { writer in
            for text in texts { writer.value(text) }
        }
    }

    mutating func field(_ key: StaticString, _ link: Link?) {
        if let link { field(key, link.wire) }
    }
}
