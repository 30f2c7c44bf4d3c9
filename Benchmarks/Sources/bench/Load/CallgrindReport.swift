/// What callgrind prints when its program has ended.
struct CallgrindReport: Equatable {
    /// Instructions that the program itself has run; the system's, on its behalf, aren't among them.
    var instructions: Int

    /// Parses callgrind's output; nil if the total is missing from it.
    init?(parsing text: String) {
        // "==123== Collected : 456789"
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 4, words[1] == "Collected", words[2] == ":", let count = Int(words[3]) {
                instructions = count
                return
            }
        }
        return nil
    }
}
