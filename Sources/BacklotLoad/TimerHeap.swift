/// What is due at which time: a binary heap, the earliest first.
struct TimerHeap {
    private var times: [Int64] = []
    private var items: [Int32] = []

    var count: Int { times.count }
    /// The earliest time; nil where nothing is due.
    var first: Int64? { times.first }

    mutating func push(_ item: Int32, at time: Int64) {
        var index = times.count
        times.append(time)
        items.append(item)
        while index > 0 {
            let parent = (index - 1) / 2
            guard times[parent] > time else { break }
            times[index] = times[parent]
            items[index] = items[parent]
            index = parent
        }
        times[index] = time
        items[index] = item
    }

    /// Takes out the earliest. There is one.
    mutating func pop() -> (time: Int64, item: Int32) {
        let top = (times[0], items[0])
        let time = times.removeLast()
        let item = items.removeLast()
        guard !times.isEmpty else { return top }
        var index = 0
        while true {
            var child = 2 * index + 1
            guard child < times.count else { break }
            if child + 1 < times.count, times[child + 1] < times[child] { child += 1 }
            guard times[child] < time else { break }
            times[index] = times[child]
            items[index] = items[child]
            index = child
        }
        times[index] = time
        items[index] = item
        return top
    }
}
