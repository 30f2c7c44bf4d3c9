import Foundation

/// A list of items as a template with a loop, and as the same bytes.
enum LoopMock {
    private static let count = 20
    private static let template = """
        jsonBody:
          title: Cart
          items:
            - "{{#each data.goods}}": {number: "{{{@index}}}", name: "{{name}}", price: "{{{price}}}"}
          currency: EUR

        """

    static func write(to folder: MockFolder) throws {
        var rows = "rows:\n"
        var items: [String] = []
        for number in 0..<count {
            rows += "  - {name: Item number \(number), price: \(number).5}\n"
            items.append("{\"number\":\(number),\"name\":\"Item number \(number)\",\"price\":\(number).5}")
        }
        try FileManager.default.createDirectory(atPath: "\(folder.path)/data", withIntermediateDirectories: true)
        try folder.write(rows, to: "data/goods.yaml")
        try folder.write(template, to: "loop.get.yaml")
        let list = "{\"title\":\"Cart\",\"items\":[\(items.joined(separator: ","))],\"currency\":\"EUR\"}"
        try folder.write(list, to: "list.get.json")
    }
}
