import BacklotJSON

/// A size says each dimension and each axis once.
struct SizeSources: PageRule {
    private static let groups = [SizeKey.width, SizeKey.height, SizeKey.x, SizeKey.y]

    func check(_ page: CheckedPage, _ remarks: inout Remarks) {
        guard page.readings.oneSourcePerAxis else { return }
        for node in page.nodes {
            guard let size = node.object["size"]?.object else { continue }
            for group in Self.groups {
                let given = group.filter { size[$0] != nil }
                guard given.count > 1 else { continue }
                remarks.error(
                    "contradicting-size",
                    node,
                    "size",
                    "The keys \(given.map { "\"\($0)\"" }.joined(separator: " and ")) contradict each other.",
                    fix: "Keep one of them."
                )
            }
        }
    }
}
