public import BacklotHTTP

/// The values of a route's parameters, percent-decoded.
public struct PathParameters: Sendable, Equatable {
    private let names: [String]
    private let values: [String]

    init(names: [String], values: [String]) {
        self.names = names
        self.values = values
    }

    /// The value of the parameter with that name; nil when the route has none of it. A `{name...}` is given with its
    /// slashes.
    public subscript(name: String) -> String? {
        names.firstIndex(of: name).map { values[$0] }
    }
}

private enum PathParametersAttribute: RequestAttribute {
    typealias Value = PathParameters
}

extension Request {
    /// The parameters of the route that matched.
    public internal(set) var parameters: PathParameters {
        get { attributes[PathParametersAttribute.self] ?? PathParameters(names: [], values: []) }
        set { attributes[PathParametersAttribute.self] = newValue }
    }
}
