import Backlot
import BacklotMocks

/// What a matcher can say of a recorded request.
struct RecordedRequest: Hashable {
    /// One thing that requests may differ in.
    struct Feature: Hashable {
        enum Part: Int {
            case path, query, variable, form, body, header, cookie
            /// What was ordered, whether or not it tells requests apart: a field, or the body.
            case capturedField, capturedBody
        }

        let part: Part
        let name: String

        /// The key below `request`.
        var key: String {
            switch part {
            case .path: "pathParameters"
            case .query: "queryParameters"
            case .variable: "variables"
            case .form: "formParameters"
            case .body, .capturedBody: "bodyPatterns"
            case .cookie: "cookies"
            case .header, .capturedField: "headers"
            }
        }

        /// Whether it is part of what the client says, not of who it is.
        var isOfContent: Bool { [.query, .variable, .form, .body].contains(part) }
        /// Whether it is a client's credentials.
        var isCredential: Bool { part == .header || part == .cookie }
    }

    /// The method; pages have one file for GET and POST.
    let method: HTTPRequest.Method?
    /// What is known of it: the matchers for its parts.
    private(set) var features: [Feature: JSONValue] = [:]
    /// The parameters of the path that match one value alone.
    private(set) var fixed: Set<String>
    /// A body that no matcher can tell from another, such as a form with files.
    private(set) var other: [UInt8] = []

    /// Bodies of more bytes are not written into matchers.
    private static let largestBody = 4096

    /// - Parameter fixed: the parameters of the path that match one value alone.
    init(
        _ exchange: RecordedExchange,
        _ segments: [String],
        _ pattern: [PathPattern.Segment],
        fixed: Set<String>,
        isPage: Bool,
        captures: RecordedMatchers = RecordedMatchers()
    ) {
        self.fixed = fixed
        method = isPage ? nil : exchange.method
        for (value, segment) in zip(segments, pattern) {
            if let name = segment.name { features[Feature(part: .path, name: name)] = .string(value) }
        }
        if let query = exchange.query { add(NamedValue.decoded(String(query)), .query) }
        for (name, matcher) in captures.headers(of: exchange) {
            features[Feature(part: .capturedField, name: name)] = matcher
        }
        if let matcher = captures.body(of: exchange) {
            features[Feature(part: .capturedBody, name: "")] = matcher
        } else {
            addBody(exchange)
        }
    }

    private mutating func add(_ pairs: [NamedValue], _ part: Feature.Part) {
        for (name, pairs) in Dictionary(grouping: pairs, by: \.name) {
            // No matcher looks at their order.
            let values = pairs.map(\.value).sorted().map(JSONValue.string)
            features[Feature(part: part, name: name)] =
                values.count == 1 ? values[0] : ["hasExactly": .array(values.map { ["equalTo": $0] })]
        }
    }

    private mutating func addBody(_ exchange: RecordedExchange) {
        let body = exchange.requestBody
        guard !body.isEmpty else { return }
        if exchange.requestType.hasPrefix("multipart/") {
            // The boundary is another one each time.
            other = Array(exchange.requestType.utf8)
            return
        }
        if let value = try? JSONValue(parsing: body) {
            guard let object = value.object else {
                // Files hold lists as they are, and all else as the text of its JSON.
                return addBody("equalToJson", value.array == nil ? .string(value.description) : value)
            }
            for member in object.members {
                // A missing variable is null, too, where null is all that is asked for.
                let isPlain = member.value.object == nil && !member.value.isNull
                features[Feature(part: .variable, name: member.key)] =
                    isPlain ? member.value : ["equalToJson": member.value.isNull ? "null" : member.value]
            }
            return
        }
        let isLarge = body.count > Self.largestBody
        guard let text = String(validating: body, as: UTF8.self) else {
            if isLarge { other = body } else { addBody("binaryEqualTo", .string(Base64.encode(bytes: body))) }
            return
        }
        if exchange.requestType == "application/x-www-form-urlencoded" {
            add(NamedValue.decoded(text), .form)
        } else if isLarge {
            other = Array(exchange.requestType.utf8)
        } else {
            addBody("equalTo", .string(text))
        }
    }

    private mutating func addBody(_ matcher: String, _ value: JSONValue) {
        features[Feature(part: .body, name: matcher)] = .object([matcher: value])
    }

    /// Adds what tells the client: its credentials, and the session cookies that a log-in gave it, or that it had from the
    /// beginning.
    mutating func addClient(_ exchange: RecordedExchange, _ clients: RecordedClients) {
        for field in RecordedClients.credentialFields(of: exchange) {
            features[Feature(part: .header, name: field.name.rawName)] = .string(field.value)
        }
        // A client with a token need not keep cookies.
        guard credentials.isEmpty else { return }
        for cookie in RecordedClients.sessions(of: exchange)
        where !clients.anonymous.contains("\(cookie.name)=\(cookie.value)") {
            features[Feature(part: .cookie, name: RecordedCookie.nameForMocks(cookie.name))] = .string(cookie.value)
        }
    }

    /// What tells the client.
    var credentials: [Feature: JSONValue] { features.filter(\.key.isCredential) }

    /// Adds what tells the client.
    mutating func take(_ credentials: [Feature: JSONValue]) {
        features.merge(credentials) { $1 }
    }

    mutating func forget(_ feature: Feature) {
        features[feature] = nil
    }

    /// The same request without what no answer depends on.
    var coarse: RecordedRequest {
        var coarse = self
        coarse.features = features.filter { !$0.key.isOfContent }
        coarse.other = []
        return coarse
    }

    /// The features of all requests by which those of one group can be told from those of the others.
    ///
    /// - Parameter isGuarded: whether credentials are told from each other in any case.
    static func telling(_ requests: [RecordedRequest], groups: [Int], isGuarded: Bool = false) -> [Feature] {
        let names = SecretNames()
        var left = Array(Set(requests.flatMap(\.features.keys))).sorted { one, other in
            let (first, second) = (names.kind(of: one.name) != nil, names.kind(of: other.name) != nil)
            if first != second { return second }
            return (one.part.rawValue, one.name) < (other.part.rawValue, other.name)
        }
        struct Part: Hashable {
            let former: Int
            let value: JSONValue?
        }
        var chosen = left.filter {
            $0.part == .capturedField || $0.part == .capturedBody || isGuarded && $0.isCredential
        }
        left.removeAll { chosen.contains($0) }
        // Requests that look the same by the chosen features have the same number.
        var looks = Numbering<[JSONValue?]>()
        var classes = requests.map { request in looks.number(of: chosen.map { request.features[$0] }) }
        while case let mixed = Self.mixed(classes, groups), !mixed.isEmpty {
            var best: (index: Int, left: Int, count: Int, classes: [Int])?
            var widest = best
            for (index, feature) in left.enumerated() {
                var known = Numbering<Part>()
                let split = zip(requests, classes).map {
                    known.number(of: Part(former: $1, value: $0.features[feature]))
                }
                let (rest, count) = (Self.mixed(split, groups).count, known.elements.count)
                if count > widest?.count ?? 0 { widest = (index, rest, count, split) }
                // What has fewer values is less likely to be another one each time.
                if rest < best?.left ?? mixed.count || rest == best?.left && count < best?.count ?? 0 {
                    best = (index, rest, count, split)
                }
            }
            // Perhaps only several features together tell them apart.
            guard let best = best ?? widest, best.count > Set(classes).count else { break }
            chosen.append(left.remove(at: best.index))
            classes = best.classes
        }
        return chosen
    }

    /// The requests that look the same as one of another group.
    private static func mixed(_ classes: [Int], _ groups: [Int]) -> [Int] {
        var groupOfClass: [Int: Int] = [:]
        var mixed: Set<Int> = []
        for (own, group) in zip(classes, groups) {
            if let known = groupOfClass[own], known != group { mixed.insert(own) }
            groupOfClass[own] = group
        }
        return classes.indices.filter { mixed.contains(classes[$0]) }
    }

    /// The matchers for some features, as they stand below `request`.
    func matchers(_ telling: [Feature]) -> JSONObject {
        let fixed = fixed.sorted().map { Feature(part: .path, name: $0) }.filter { !telling.contains($0) }
        var object = JSONObject()
        for feature in fixed + telling {
            let (key, value) = (feature.key, features[feature])
            switch feature.part {
            case .body, .capturedBody:
                if let value { object[key] = .array((object[key]?.array ?? []) + [value]) }
            case .capturedField where value == nil: break
            default: Self.add(value ?? ["absent": true], for: feature, to: &object)
            }
        }
        return object
    }

    /// The matchers for requests that have none of some values.
    static func matchers(_ telling: [Feature], without values: [Feature: [JSONValue]]) -> JSONObject {
        var object = JSONObject()
        for feature in telling {
            let equal = (values[feature] ?? []).map { JSONValue.object(["equalTo": $0]) }
            add(["not": equal.count == 1 ? equal[0] : ["or": .array(equal)]], for: feature, to: &object)
        }
        return object
    }

    private static func add(_ matcher: JSONValue, for feature: Feature, to object: inout JSONObject) {
        var members = object[feature.key]?.object ?? JSONObject()
        members[feature.name] = matcher
        object[feature.key] = .object(members)
    }
}
