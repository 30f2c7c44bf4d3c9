/// What `/proc/PID/stat` says of a process: its parent, and the processor time it has used.
///
/// See proc_pid_stat(5).
struct ProcessStat: Equatable {
    var pid: Int32
    var parent: Int32
    /// Z for a process that has ended and waits for its parent to notice.
    var state: Character
    /// Time in user mode, in clock ticks.
    var userTicks: Int
    /// Time in the kernel, in clock ticks.
    var systemTicks: Int

    /// Parses the file's one line; nil if it has another form.
    init?(parsing line: String) {
        // The second field is the program's name in parentheses, which may itself hold blanks and parentheses.
        guard let nameStart = line.firstIndex(of: "("), let nameEnd = line.lastIndex(of: ")") else { return nil }
        let fields = line[line.index(after: nameEnd)...].split(whereSeparator: \.isWhitespace)
        guard
            let pid = Int32(line[..<nameStart].filter { !$0.isWhitespace }),
            fields.count > 12,
            let state = fields[0].first,
            let parent = Int32(fields[1]),
            let userTicks = Int(fields[11]),
            let systemTicks = Int(fields[12])
        else { return nil }
        self.pid = pid
        self.parent = parent
        self.state = state
        self.userTicks = userTicks
        self.systemTicks = systemTicks
    }
}
