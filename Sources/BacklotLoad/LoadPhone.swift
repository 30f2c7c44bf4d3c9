internal import Backlot
internal import BacklotClients

/// A phone of a load: an app, its cookies, and where it is in its flow. A few hundred bytes, and what its app shows.
struct LoadPhone {
    /// What a request under way is for.
    enum Purpose {
        case step
        case refresh
        /// A request without an app.
        case plain
    }

    /// How many cookies a phone keeps, and how many bytes of them.
    static let mostCookies = 30
    static let mostCookieBytes = 8192

    var app = Phone()
    var cookies = CookieJar()
    var steps: [LoadStep] = []
    /// The step to be done next, by its place.
    var next = 0
    /// How often it has begun a flow.
    var runs = 0
    /// When the app was made, in nanoseconds of the loops' clock.
    var birth: Int64 = 0
    /// When the current step was to begin.
    var intended: Int64 = 0
    /// When the next step is to begin, whatever comes of the current one.
    var nextStep: Int64 = 0
    /// The time between the current step and the next, in nanoseconds.
    var pace: Int64 = 0
    /// When the request under way was to begin.
    var wanted: Int64 = 0
    var isBusy = false
    var hasFailed = false
    var purpose = Purpose.step
    var kind = Phone.Question.Kind.page
    var redirects: UInt8 = 0
    /// Whether the request under way is a GET without a body, which can be sent again elsewhere.
    var isGet = true
    var chance = SplitMix64(seed: 0, part: 0)
    /// The number of the current step among the figures.
    var place = 0
    /// Where the request under way has gone, while cookies or redirects need it.
    var url: HTTPURL?

    /// The app's clock, in milliseconds.
    func clock(_ now: Int64) -> Int64 { (now - birth) / 1_000_000 }

    /// When it wakes up by itself, and whether that is for a step.
    func wakes(polls: Bool) -> (time: Int64, isStep: Bool) {
        guard polls, let refresh = app.nextRefresh else { return (nextStep, true) }
        // Servers choose the number of seconds.
        let time = birth + min(refresh, 1_000_000_000_000) * 1_000_000
        return time < nextStep ? (time, false) : (nextStep, true)
    }
}
