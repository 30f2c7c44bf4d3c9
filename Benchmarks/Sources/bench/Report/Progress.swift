import Foundation

/// Tells on standard error what the run is doing; standard output is for the result alone.
enum Progress {
    /// Prints one line.
    static func say(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
