import Backlot
import BacklotMocks

/// The properties of a recorded request that matchers can check.
struct RecordedRequest: Hashable {
    /// A property that may differ between requests.
    struct Feature: Hashable {
        enum Part: Int {
            case path, accept, query, variable, form, body, header, cookie
            /// A captured field or body, which is written even if it doesn't distinguish requests.
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
            case .header, .accept, .capturedField: "headers"
            }
        }

        /// Whether the feature is part of the request's content rather than the client's identity.
        var isOfContent: Bool { [.query, .variable, .form, .body].contains(part) }
        /// Whether the feature is a credential.
        var isCredential: Bool { part == .header || part == .cookie }
    }

    /// The method; nil for pages, which have one file for GET and POST.
    let method: HTTPRequest.Method?
    /// The known properties, with their matchers.
    private(set) var features: [Feature: JSONValue] = [:]
    /// The parameters of the path that match a single value.
    private(set) var fixed: Set<String>
    /// A body that no matcher can distinguish, such as a form with files.
    private(set) var other: [UInt8] = []

    /// The maximum size of a body in a matcher, in bytes.
    private static let largestBody = 4096

    /// - Parameters:
    ///   - fixed: the parameters of the path that match a single value.
    ///   - mayStream: whether the route responds with a stream of events to the clients that accept one, and otherwise to others.
    init(
        _ exchange: RecordedExchange,
        _ segments: [String],
        _ pattern: [PathPattern.Segment],
        fixed: Set<String>,
        isPage: Bool,
        mayStream: Bool = false,
        captures: RecordedMatchers = RecordedMatchers()
    ) {
        self.fixed = fixed
        method = isPage ? nil : exchange.method
        for (value, segment) in zip(segments, pattern) {
            if let name = segment.name { features[Feature(part: .path, name: name)] = .string(value) }
        }
        if mayStream {
            let accepts = exchange.requestHeaders[values: .accept].contains { $0.contains(RecordedEvents.type) }
            let matcher = JSONValue.object([accepts ? "contains" : "doesNotContain": .string(RecordedEvents.type)])
            features[Feature(part: .accept, name: HTTPField.Name.accept.rawName)] = matcher
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
            // Matchers ignore the order.
            let values = pairs.map(\.value).sorted().map(JSONValue.string)
            features[Feature(part: part, name: name)] =
                values.count == 1 ? values[0] : ["hasExactly": .array(values.map { ["equalTo": $0] })]
        }
    }

    private mutating func addBody(_ exchange: RecordedExchange) {
        let body = exchange.requestBody
        guard !body.isEmpty else { return }
        if exchange.requestType.hasPrefix("multipart/") {
            // The boundary changes each time.
            other = Array(exchange.requestType.utf8)
            return
        }
        if let original = try? JSONValue(parsing: body) {
            let value = original.withoutClock
            guard let object = value.object else {
                // Files hold lists directly, and other values as JSON text.
                return addBody("equalToJson", value.array == nil ? .string(value.description) : value)
            }
            for member in object.members {
                // A matcher for null alone would also match a missing variable.
                let isPlain =
                    member.value.object == nil && !member.value.isNull && member.value == original[member.key]
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

    /// Adds the client's identity: its credentials, and the session cookies that a log-in gave it or that it had from the
    /// beginning.
    mutating func addClient(_ exchange: RecordedExchange, _ clients: RecordedClients) {
        for field in RecordedClients.credentialFields(of: exchange) {
            features[Feature(part: .header, name: field.name.rawName)] = .string(field.value)
        }
        // A client with a token may not keep cookies.
        guard credentials.isEmpty else { return }
        for cookie in RecordedClients.sessions(of: exchange)
        where !clients.anonymous.contains("\(cookie.name)=\(cookie.value)") {
            features[Feature(part: .cookie, name: RecordedCookie.nameForMocks(cookie.name))] = .string(cookie.value)
        }
    }

    /// The client's identity.
    var credentials: [Feature: JSONValue] { features.filter(\.key.isCredential) }

    /// Adds the client's identity.
    mutating func take(_ credentials: [Feature: JSONValue]) {
        features.merge(credentials) { $1 }
    }

    mutating func forget(_ feature: Feature) {
        features[feature] = nil
    }

    /// The request without the properties that no response depends on.
    var coarse: RecordedRequest {
        var coarse = self
        coarse.features = features.filter { !$0.key.isOfContent }
        coarse.other = []
        return coarse
    }

    /// The features that distinguish one group's requests from all other requests.
    ///
    /// - Parameter isGuarded: whether credentials always distinguish requests.
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
        // Requests with equal values of the chosen properties get the same number.
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
                // A property with fewer values is less likely to change each time.
                if rest < best?.left ?? mixed.count || rest == best?.left && count < best?.count ?? 0 {
                    best = (index, rest, count, split)
                }
            }
            // Only a combination of properties may distinguish them.
            guard let best = best ?? widest, best.count > Set(classes).count else { break }
            chosen.append(left.remove(at: best.index))
            classes = best.classes
        }
        return chosen
    }

    /// The requests that look like one of another group.
    private static func mixed(_ classes: [Int], _ groups: [Int]) -> [Int] {
        var groupOfClass: [Int: Int] = [:]
        var mixed: Set<Int> = []
        for (own, group) in zip(classes, groups) {
            if let known = groupOfClass[own], known != group { mixed.insert(own) }
            groupOfClass[own] = group
        }
        return classes.indices.filter { mixed.contains(classes[$0]) }
    }

    /// The matchers for some properties, in the format under `request`.
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

    /// The matchers for requests without these values.
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

extension JSONValue {
    /// The value with a placeholder for each time in a member `timestamp`, which is the client's clock and differs in each request.
    fileprivate var withoutClock: JSONValue {
        switch self {
        case .array(let elements): return .array(elements.map(\.withoutClock))
        case .object(let object):
            return .object(
                object.members.reduce(into: JSONObject()) { result, member in
                    let isTime = member.value.string.map { $0.contains("T") && ISODate.seconds($0) != nil } ?? false
                    let isClock = member.key == "timestamp" && isTime
                    result[member.key] = isClock ? "${json-unit.any-string}" : member.value.withoutClock
                }
            )
        default: return self
        }
    }
}
