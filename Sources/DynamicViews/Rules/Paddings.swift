import BacklotJSON

/// Space around widgets is written as clients read it.
struct Paddings: DocumentRule {
    private static let sides = ["top", "leading", "left", "bottom", "trailing", "right"]

    func check(_ document: CheckedDocument, _ remarks: inout Remarks) {
        let isAndroid = document.dialect.platform == .android
        for node in document.nodes where node.part == .configuration || node.part == .widget {
            guard let padding = node.value("padding") else {
                if isAndroid { reportMissing(node, &remarks) }
                continue
            }
            if let numbers = padding.array {
                check(numbers, node, isAndroid: isAndroid, &remarks)
            } else if let object = padding.object, !isAndroid {
                check(object, node, &remarks)
            } else if isAndroid {
                let message = "Android clients read an array of whole numbers here, not \(padding.summary)."
                report(node, "padding", message, fix: "Write [leading, top, bottom, trailing].", &remarks)
            } else {
                let message = "A padding is an array or an object, not \(padding.summary)."
                let fix = padding.number == nil ? "Write [16] or {\"bottom\": 16}." : "Write [\(padding.summary)]."
                report(node, "padding", message, fix: fix, &remarks)
            }
        }
    }

    private func check(_ numbers: [JSONValue], _ node: WireNode, isAndroid: Bool, _ remarks: inout Remarks) {
        guard [1, 2, 4].contains(numbers.count) else {
            let fix = "Write [all], [horizontal, vertical] or [leading, top, bottom, trailing]."
            let message = "An array of \(numbers.count) is no padding: clients read 1, 2 or 4 numbers."
            return report(node, "padding", message, fix: fix, &remarks)
        }
        for (index, value) in numbers.enumerated() {
            if value.number == nil {
                let message = "A padding is made of numbers, not \(value.summary)."
                report(node, "padding/\(index)", message, fix: "Write a number.", &remarks)
            } else if isAndroid, value.number?.isWhole != true {
                let message = "Android clients read only whole numbers, not \(value.summary)."
                report(node, "padding/\(index)", message, fix: "Write a whole number.", &remarks)
            }
        }
    }

    private func check(_ object: JSONObject, _ node: WireNode, _ remarks: inout Remarks) {
        for side in Self.sides {
            guard let value = object[side], !value.isNull, value.number == nil else { continue }
            let message = "A padding is made of numbers, not \(value.summary)."
            report(node, "padding/\(side)", message, fix: "Write a number.", &remarks)
        }
    }

    private func report(_ node: WireNode, _ key: String, _ message: String, fix: String, _ remarks: inout Remarks) {
        remarks.error("malformed-padding", node, key, message, fix: fix)
    }

    private func reportMissing(_ node: WireNode, _ remarks: inout Remarks) {
        let message = "Android clients refuse the whole document without a padding here."
        remarks.error("missing-padding", node, "padding", message, fix: "Add \"padding\": [0].")
    }
}
