import Backlot
import BacklotHTTP
import BacklotJSON
import HTTPTypes

/// What a request wants of a list of rows: which of them, in which order, and which page.
///
/// `?city=Bonn&sort=name,-age&page=2&per_page=20`: a field that is named twice may have either value.
struct CrudList {
    /// The most rows of a page.
    static let mostPerPage = 1000
    private static let perPage = 20
    private static let words = ["sort", "page", "per_page"]

    private var filters: [(field: String, values: [String])] = []
    private var order: [(field: String, isDescending: Bool)] = []
    private var page: Int?
    private var perPage: Int
    private let query: [NamedValue]

    /// - Throws: `DataProblem` with 400 for a page that is no number, and for a field that the schema doesn't have.
    init(_ request: MockRequest, _ bucket: DataBucket) throws(DataProblem) {
        query = request.queryParameters
        perPage = Self.perPage
        for item in query {
            switch item.name {
            case "sort":
                for word in item.value.split(separator: ",") {
                    let isDescending = word.hasPrefix("-")
                    let field = String(isDescending ? word.dropFirst() : word)
                    try Self.check(field, bucket)
                    order.append((field, isDescending))
                }
            case "page": page = try Self.number(item, 1_000_000)
            case "per_page":
                perPage = try Self.number(item, Self.mostPerPage)
                page = page ?? 1
            default:
                try Self.check(item.name, bucket)
                if let index = filters.firstIndex(where: { $0.field == item.name }) {
                    filters[index].values.append(item.value)
                } else {
                    filters.append((item.name, [item.value]))
                }
            }
        }
    }

    private static func number(_ item: NamedValue, _ most: Int) throws(DataProblem) -> Int {
        guard let number = Int(item.value), (1...most).contains(number) else {
            throw DataProblem(.badRequest, "\(item.name) is \(item.value.shown); write a number from 1 to \(most)")
        }
        return number
    }

    private static func check(_ field: String, _ bucket: DataBucket) throws(DataProblem) {
        guard let known = bucket.fields, !known.contains(field) else { return }
        let hint = Suggestion.hint(for: field, among: known + words)
        throw DataProblem(.badRequest, "the rows of '\(bucket.name)' have no field '\(field)'\(hint)")
    }

    /// Answers with the rows.
    ///
    /// - Parameter path: where the list is.
    func answer(_ rows: [JSONValue], at path: String) -> Response {
        var rows = rows.filter { row in
            filters.allSatisfy { filter in
                let text = row[filter.field].flatMap { Subject.json($0).text } ?? ""
                return filter.values.contains(text)
            }
        }
        if !order.isEmpty { rows = sorted(rows) }
        let total = rows.count
        var links = ""
        if let page {
            let last = max(1, (total + perPage - 1) / perPage)
            // The product stays far below what an Int holds.
            rows = Array(rows.dropFirst((page - 1) * perPage).prefix(perPage))
            var pages: [(page: Int, relation: String)] = [(1, "first")]
            if page > 1 { pages.append((min(page - 1, last), "prev")) }
            if page < last { pages.append((page + 1, "next")) }
            pages.append((last, "last"))
            links = pages.map { "<\(path)?\(query(of: $0.page))>; rel=\"\($0.relation)\"" }.joined(separator: ", ")
        }
        var response = Response(json: .array(rows))
        if let name = HTTPField.Name("X-Total-Count") { response.headers[name] = "\(total)" }
        if let name = HTTPField.Name("Link"), !links.isEmpty { response.headers[name] = links }
        return response
    }

    /// The query of another page.
    private func query(of page: Int) -> String {
        let others = query.filter { $0.name != "page" && $0.name != "per_page" }
        let own = [NamedValue(name: "page", value: "\(page)"), NamedValue(name: "per_page", value: "\(perPage)")]
        return (others + own).map { "\(PercentText.encode($0.name))=\(PercentText.encode($0.value))" }.joined(
            separator: "&"
        )
    }

    private func sorted(_ rows: [JSONValue]) -> [JSONValue] {
        // `sorted` doesn't promise to be stable.
        rows.enumerated().sorted { left, right in
            for rule in order {
                let (first, second) = (left.element[rule.field] ?? .null, right.element[rule.field] ?? .null)
                if first.comesBefore(second) { return !rule.isDescending }
                if second.comesBefore(first) { return rule.isDescending }
            }
            return left.offset < right.offset
        }
        .map(\.element)
    }
}

extension DataBucket {
    /// The fields that rows have; nil where the schema doesn't say.
    fileprivate var fields: [String]? { properties.isEmpty ? nil : properties + [key] }
}

extension JSONValue {
    /// Numbers by their size, then texts, then all else.
    fileprivate func comesBefore(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.number(let left), .number(let right)): left.double < right.double
        case (.string(let left), .string(let right)): left < right
        case (.bool(let left), .bool(let right)): !left && right
        default: rank < other.rank
        }
    }

    private var rank: Int {
        switch self {
        case .number: 0
        case .string: 1
        case .bool: 2
        case .object, .array: 3
        case .null: 4
        }
    }
}
