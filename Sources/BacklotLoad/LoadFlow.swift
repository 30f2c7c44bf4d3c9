internal import HTTPTypes

/// What phones do, one step after the other, again and again.
///
/// ```swift
/// let signUp = LoadFlow("sign up") { user in
///     [
///         .launch(), .tap("New Account"), .enter("user-\(user.id)", into: "Username"), .check("I agree"),
///         .tap("Create Account"),
///     ]
/// }
/// ```
public struct LoadFlow: Sendable {
    /// A person with a phone, for one run through a flow.
    public struct User: Sendable {
        /// The phone's number, from 0.
        public let phone: Int
        /// How often the phone has begun a flow before.
        public let run: Int
        /// A text that no other phone and no other run has, in this load or another.
        public let id: String
    }

    /// The name, for the report.
    public let name: String
    /// How often phones choose it among several flows: twice as often as one of half the weight. Above 0.
    public let weight: Double
    let steps: @Sendable (User) -> [LoadStep]
    private static let places = ["{phone}", "{run}", "{id}"]

    /// A flow whose steps are chosen for each user.
    public init(_ name: String, weight: Double = 1, _ steps: @escaping @Sendable (User) -> [LoadStep]) {
        (self.name, self.weight, self.steps) = (name, weight, steps)
    }

    /// A flow of the same steps for all users, but for `{phone}`, `{run}` and `{id}` in texts and paths.
    public init(_ name: String, weight: Double = 1, steps: [LoadStep]) {
        let isTemplate = steps.contains { step in
            var holds = false
            _ = step.mapTexts {
                if Self.places.contains(where: $0.contains) { holds = true }
                return $0
            }
            return holds
        }
        self.init(name, weight: weight) { user in
            guard isTemplate else { return steps }
            return steps.map { $0.mapTexts { $0.filled(for: user) } }
        }
    }

    /// Phones that are launched and go from page to page, along the links that they see. They call no rpcs.
    public static let wandering = LoadFlow("wander", steps: [.launch()] + Array(repeating: .wander, count: 1000))

    /// One GET, again and again.
    public static func get(_ path: String) -> LoadFlow {
        LoadFlow("GET \(path)", steps: [.request(LoadRequest(.get, path))])
    }
}

extension String {
    fileprivate func filled(for user: LoadFlow.User) -> String {
        guard contains("{") else { return self }
        return replacing("{phone}", with: "\(user.phone)").replacing("{run}", with: "\(user.run)")
            .replacing("{id}", with: user.id)
    }
}
