internal import Backlot
internal import BacklotClients
internal import BacklotHTTP
internal import HTTPTypes

/// What all threads of a load share.
struct LoadPlan: Sendable {
    let base: HTTPURL
    let flows: [LoadFlow]
    let options: LoadOptions
    /// Tells this load's users from those of another.
    let id: String
    /// When it begins, in nanoseconds of the loops' clock.
    let start: Int64
    let end: Int64
    /// The average time between two steps of a phone, in nanoseconds.
    let interval: Int64
    private let sum: Double

    init(base: HTTPURL, flows: [LoadFlow], options: LoadOptions, id: String, start: Int64) {
        (self.base, self.flows, self.options, self.id, self.start) = (base, flows, options, id, start)
        end = start + options.duration.inNanoseconds
        interval = options.interval.inNanoseconds
        sum = flows.reduce(0) { $0 + $1.weight }
    }

    /// When a phone is launched.
    func launch(of phone: Int) -> Int64 {
        let ramp = Double(options.ramp?.inNanoseconds ?? interval)
        guard let waves = options.waves else { return start + Int64(ramp * Double(phone) / Double(options.phones)) }
        let wave = phone * waves / options.phones
        return start + Int64(ramp * Double(wave) / Double(waves))
    }

    /// The time between two steps. People vary more than a rate may.
    func pause(_ chance: inout SplitMix64) -> Int64 {
        let spread = options.rate == nil ? 1 : 0.2
        return Int64(Double(interval) * (1 + spread * (chance.fraction() - 0.5)))
    }

    func flow(_ chance: inout SplitMix64) -> LoadFlow {
        guard flows.count > 1 else { return flows[0] }
        var rest = chance.fraction() * sum
        for flow in flows {
            rest -= flow.weight
            if rest < 0 { return flow }
        }
        return flows[flows.count - 1]
    }

    func steps(_ flow: LoadFlow, phone: Int, run: Int) -> [LoadStep] {
        flow.steps(LoadFlow.User(phone: phone, run: run, id: "\(id)-\(phone)-\(run)"))
    }
}
