internal import Backlot
internal import BacklotChecks
internal import BacklotClients

/// Runs the phones of one thread: wakes each when it is due, performs its steps, and records the results. Confined to its loop.
final class LoadWorker: RequestLoopUser, @unchecked Sendable {
    /// The maximum number of phones woken before sockets get their turn.
    private static let mostAtOnce = 256

    let plan: LoadPlan
    let loop: RequestLoop
    private let first: Int
    private let stride: Int
    var phones: [LoadClient] = []
    private var heap = TimerHeap()
    var pages: SharedPages
    let requests: LoadRequests
    var targets = LoadTargets()
    var figures = LoadFigures()
    var interval = LoadInterval()
    private(set) var busy = 0
    private var isEnding = false
    private var isHurried = false
    private var isFinished = false
    private var whenIdle: (() -> Void)?

    /// - Parameters:
    ///   - first: the number of the worker's first phone.
    ///   - stride: the number of threads; every `stride`th phone belongs to this worker.
    init(_ plan: LoadPlan, on loop: RequestLoop, first: Int, stride: Int) {
        (self.plan, self.loop, self.first, self.stride) = (plan, loop, first, stride)
        let limits = plan.options.limits
        pages = SharedPages(nesting: limits.nesting, mostBody: limits.body)
        requests = LoadRequests(plan.base)
    }

    // MARK: From any thread

    func start() {
        loop.start(self) {
            let count = (self.plan.options.phones - self.first + self.stride - 1) / self.stride
            self.phones = Array(repeating: LoadClient(), count: count)
            for index in 0..<count {
                let number = self.first + index * self.stride
                let time = self.plan.launch(of: number)
                self.phones[index].nextStep = time
                self.phones[index].pace = self.plan.interval
                self.phones[index].chance = SplitMix64(seed: self.plan.options.seed, part: number)
                if time < self.plan.end { self.heap.push(Int32(index), at: time) }
            }
            self.timeCame()
        }
    }

    /// Returns the measurements since the last call.
    func takeInterval() async -> LoadInterval {
        await withCheckedContinuation { continuation in
            loop.execute {
                (self.interval.running, self.interval.waiting) = self.loop.load
                self.noteAges()
                let taken = self.interval
                self.interval = LoadInterval()
                continuation.resume(returning: taken)
            }
        }
    }

    /// Begins no more steps, waits for requests in flight, and ends the thread.
    ///
    /// - Parameter patience: the maximum time to wait for the last responses.
    func finish(patience: Duration) async -> LoadFigures {
        await withCheckedContinuation { (continuation: CheckedContinuation<LoadFigures, Never>) in
            loop.execute {
                self.isEnding = true
                self.noteUnbegun()
                let end = {
                    guard !self.isFinished else { return }
                    self.isFinished = true
                    self.whenIdle = nil
                    self.noteWithoutResponse()
                    self.figures.isOutOfDescriptors = self.loop.isOutOfDescriptors
                    self.phones = []
                    self.loop.stop()
                    continuation.resume(returning: self.figures)
                }
                guard self.busy > 0, patience > .zero, !self.isHurried else { return end() }
                self.whenIdle = end
                self.loop.wake(at: RequestLoop.now + patience.inNanoseconds)
            }
        }
    }

    /// Stops waiting for the last responses.
    func hurry() {
        loop.execute {
            // This may run before `finish` does.
            self.isHurried = true
            self.whenIdle?()
        }
    }

    // MARK: Time

    func timeCame() {
        if isEnding {
            whenIdle?()
            return
        }
        var now = RequestLoop.now
        var count = 0
        while let time = heap.first, time <= now, count < Self.mostAtOnce {
            let (due, item) = heap.pop()
            let index = Int(item)
            let wakes = phones[index].wakes(polls: plan.options.polls)
            if wakes.time < plan.end {
                figures.lateness.record(now - due)
                if wakes.isStep { beginStep(index, now) } else { refresh(index, wakes.time, now) }
            }
            count += 1
            if count & 15 == 0 { now = RequestLoop.now }
        }
        loop.wake(at: heap.first ?? .max)
    }

    /// Sleeps until the phone's next step or refresh.
    func sleep(_ index: Int, _ now: Int64) {
        if phones[index].isBusy {
            phones[index].isBusy = false
            busy -= 1
        }
        guard !isEnding else {
            if busy == 0 { whenIdle?() }
            return
        }
        let earliest = heap.first ?? .max
        let time = phones[index].wakes(polls: plan.options.polls).time
        guard time < plan.end else { return }
        // A step that is late because of the server doesn't count as sent late by the phones' own machine.
        heap.push(Int32(index), at: max(time, now))
        if time < earliest { loop.wake(at: time) }
    }

    private func markBusy(_ index: Int) {
        guard !phones[index].isBusy else { return }
        phones[index].isBusy = true
        busy += 1
    }

    // MARK: Steps

    private func beginStep(_ index: Int, _ now: Int64) {
        let intended = phones[index].nextStep
        phones[index].intended = intended
        phones[index].wanted = intended
        phones[index].purpose = .step
        phones[index].hasFailed = false
        setPause(index, plan.pause(&phones[index].chance))
        var hasRestarted = false
        while true {
            if phones[index].next >= phones[index].steps.count {
                guard !hasRestarted else { return sleep(index, now) }
                hasRestarted = true
                restart(index, now)
            }
            guard phones[index].next < phones[index].steps.count else { return sleep(index, now) }
            let step = phones[index].steps[phones[index].next]
            phones[index].next += 1
            figures.reach(phones[index].next, of: phones[index].flow)
            if case .step(.wait(let duration)) = step.kind {
                guard plan.options.rate == nil else { continue }
                setPause(index, duration.inNanoseconds)
                return sleep(index, now)
            }
            let hasWait = takeWait(index)
            if case .request(let request) = step.kind {
                phones[index].place = figures.step(step.description)
                phones[index].purpose = .plain
                return send(request, of: index)
            }
            let next = begin(step, index, now)
            if step.isEntry, case .done = next {
                if hasWait { return sleep(index, now) }
                continue
            }
            if case .wander = step.kind, case .ask(let question) = next {
                phones[index].place = figures.step("page \(question.path.withoutQuery)")
            } else {
                phones[index].place = figures.step(step.description)
            }
            return goOn(index, next, now)
        }
    }

    /// Takes the time to the next step from the flow.
    ///
    /// - Returns: whether the flow sets the time; false with a rate, which overrides it.
    private func takeWait(_ index: Int) -> Bool {
        let next = phones[index].next
        guard next < phones[index].steps.count, case .step(.wait(let duration)) = phones[index].steps[next].kind else {
            return false
        }
        phones[index].next += 1
        guard plan.options.rate == nil else { return false }
        setPause(index, duration.inNanoseconds)
        return true
    }

    private func setPause(_ index: Int, _ pause: Int64) {
        phones[index].pace = pause
        phones[index].nextStep = phones[index].intended + pause
    }

    private func begin(_ step: LoadStep, _ index: Int, _ now: Int64) -> ApplinClientState.Next {
        let clock = phones[index].clock(now)
        switch step.kind {
        case .step(let step): return phones[index].app.begin(step, now: clock)
        case .wander:
            let chance = phones[index].chance.next()
            return phones[index].app.wander(chance, now: clock)
        case .request: return .done
        }
    }

    private func restart(_ index: Int, _ now: Int64) {
        if phones[index].runs == 0 {
            figures.launched += 1
            interval.launched += 1
        }
        let number = first + index * stride
        let flow = plan.flow(&phones[index].chance)
        phones[index].flow = flow
        phones[index].steps = plan.steps(flow, phone: number, run: phones[index].runs)
        phones[index].runs += 1
        phones[index].next = 0
        phones[index].app = LoadClient.newApp
        phones[index].cookies = CookieJar()
        phones[index].birth = now
    }

    /// Abandons a flow because its next step is impossible; the phone starts again.
    private func lose(_ index: Int, _ reason: String, _ now: Int64) {
        figures.noteFailure("step-impossible", reason, path: phones[index].app.path)
        figures.noteError(step: phones[index].place)
        interval.errors += 1
        phones[index].next = phones[index].steps.count
        sleep(index, now)
    }

    private func refresh(_ index: Int, _ due: Int64, _ now: Int64) {
        phones[index].wanted = due
        phones[index].intended = due
        phones[index].purpose = .refresh
        phones[index].hasFailed = false
        let jitter = phones[index].chance.fraction() * 2 - 1
        let next = phones[index].app.refresh(now: phones[index].clock(now)) { jitter }
        if case .ask(let question) = next {
            figures.polls += 1
            phones[index].place = figures.step("poll \(question.path.withoutQuery)")
        }
        goOn(index, next, now)
    }

    /// Continues after a step or a response.
    func goOn(_ index: Int, _ next: ApplinClientState.Next, _ now: Int64) {
        switch next {
        case .done: stepEnded(index, now)
        case .impossible(let reason): lose(index, reason, now)
        case .ask(let question):
            markBusy(index)
            ask(question, of: index)
        }
    }

    func stepEnded(_ index: Int, _ now: Int64) {
        if phones[index].isBusy {
            figures.note(now - phones[index].intended, step: phones[index].place)
            if phones[index].hasFailed { figures.noteError(step: phones[index].place) }
        }
        if phones[index].purpose != .refresh { figures.stepsDone += 1 }
        sleep(index, now)
    }

    private func send(_ request: LoadRequest, of index: Int) {
        markBusy(index)
        sendPlain(request, of: index)
    }
}

/// A client of a load: an app, its cookies, and its position in its flow. It takes a few hundred bytes plus the app's pages.
struct LoadClient {
    /// The purpose of a request in flight.
    enum Purpose {
        case step
        case refresh
        /// A request without an app.
        case plain
    }

    /// The maximum number of cookies of a phone, and of their bytes.
    static let mostCookies = 30
    static let mostCookieBytes = 8192

    var app = LoadClient.newApp
    var cookies = CookieJar()
    /// The index of the current flow.
    var flow = 0
    var steps: [LoadStep] = []
    /// The index of the next step.
    var next = 0
    /// The number of flows begun so far.
    var runs = 0
    /// The time at which the app was created, in nanoseconds of the loops' clock.
    var birth: Int64 = 0
    /// The intended beginning of the current step.
    var intended: Int64 = 0
    /// The intended beginning of the next step, independent of the current step's result.
    var nextStep: Int64 = 0
    /// The time between the current step and the next, in nanoseconds.
    var pace: Int64 = 0
    /// The intended beginning of the request in flight.
    var wanted: Int64 = 0
    var isBusy = false
    var hasFailed = false
    var purpose = Purpose.step
    var kind = ApplinClientState.Question.Kind.page
    var redirects: UInt8 = 0
    /// Whether the app's request in flight is a GET without a body, which can be repeated at another URL.
    var isGet = true
    /// The request in flight of a step without an app, kept for redirects; nil for an app's request.
    var request: LoadRequest?
    var chance = SplitMix64(seed: 0, part: 0)
    /// The index of the current step's measurements.
    var place = 0
    /// The URL of the request in flight, kept while cookies or redirects need it.
    var url: HTTPURL?

    /// An app that isn't launched. If several widgets fit a step, it takes the first.
    static var newApp: ApplinClientState {
        var app = ApplinClientState()
        app.isLenient = true
        return app
    }

    /// The app's clock, in milliseconds.
    func clock(_ now: Int64) -> Int64 { (now - birth) / 1_000_000 }

    /// The phone's next wake-up time, and whether it is for a step.
    func wakes(polls: Bool) -> (time: Int64, isStep: Bool) {
        guard polls, let refresh = app.nextRefresh else { return (nextStep, true) }
        // Servers choose the number of seconds, so it is bounded.
        let time = birth + min(refresh, 1_000_000_000_000) * 1_000_000
        return time < nextStep ? (time, false) : (nextStep, true)
    }
}
