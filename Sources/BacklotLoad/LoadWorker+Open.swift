internal import BacklotHTTP

/// Counts requests without a response, and steps that are due but haven't begun.
extension LoadWorker {
    /// The minimum delay of a late step, and of an open request, in nanoseconds. Shorter delays don't count.
    private static let late: Int64 = 1_000_000
    private static let long: Int64 = 1_000_000_000
    /// The maximum numbers of steps counted for a phone, and for all phones: counts have 32 bits.
    private static let mostOfPhone = 10_000
    private static let mostOfAll = 1_000_000_000
    /// The maximum numbers of separate records at the end, and for each second. Beyond them, one record stands for several.
    private static let mostAtEnd = 10_000_000
    private static let mostASecond = 50_000

    /// Counts the steps that were due before the end but haven't begun; each has waited at least until now.
    func noteUnbegun() {
        let each = max(1, Self.mostAtEnd / max(1, phones.count))
        for index in phones.indices {
            forUnbegun(index, each) { age, count in
                figures.unbegun += count
                figures.latencies.record(age, count: count)
            }
        }
    }

    /// Records long waits in each second, so that a server that hangs shows at once.
    func noteAges() {
        guard busy > 0, !phones.isEmpty else { return }
        let now = RequestLoop.now
        let step = max(1, phones.count / Self.mostASecond)
        let each = max(1, Self.mostASecond * step / phones.count)
        for index in Swift.stride(from: 0, to: phones.count, by: step) {
            if phones[index].isBusy, now - phones[index].wanted >= Self.long {
                interval.ages.record(now - phones[index].wanted, count: step)
            }
            forUnbegun(index, each) { age, count in
                if age >= Self.long { interval.ages.record(age, count: count * step) }
            }
        }
    }

    /// Counts the requests without a response; each has waited until now.
    func noteWithoutResponse() {
        let now = RequestLoop.now
        for index in phones.indices where phones[index].isBusy {
            figures.withoutResponse += 1
            figures.latencies.record(now - phones[index].wanted)
            if phones[index].purpose != .refresh {
                figures.note(now - phones[index].intended, step: phones[index].place)
            }
        }
    }

    /// Calls `note` for each overdue step or refresh of a phone, with its waiting time and the number of steps that it stands
    /// for. A phone that waits for a response misses each of its step times.
    ///
    /// - Parameter each: the maximum number of calls of `note` for steps.
    private func forUnbegun(_ index: Int, _ each: Int, _ note: (_ age: Int64, _ count: Int) -> Void) {
        let now = min(RequestLoop.now, plan.end)
        if !phones[index].isBusy {
            let (time, isStep) = phones[index].wakes(polls: plan.options.polls)
            if !isStep, time < now - Self.late { note(now - time, 1) }
        }
        let most = min(Self.mostOfPhone, Self.mostOfAll / plan.options.phones)
        Self.forTimes(from: phones[index].nextStep, to: now - Self.late, by: phones[index].pace, most, each) {
            note(now - $0, $1)
        }
    }

    /// Calls `note` for the times before an end, at most `each` times: one call may stand for several times.
    static func forTimes(
        from start: Int64,
        to end: Int64,
        by pace: Int64,
        _ most: Int,
        _ each: Int,
        _ note: (_ time: Int64, _ count: Int) -> Void
    ) {
        guard start < end else { return }
        let pace = max(1, pace)
        let count = Int(min(Int64(most), (end - start - 1) / pace + 1))
        let step = (count + each - 1) / each
        for number in Swift.stride(from: 0, to: count, by: step) {
            note(start + Int64(number) * pace, min(step, count - number))
        }
    }
}
