internal import BacklotHTTP
internal import Dispatch
internal import Foundation

extension Pipe {
    /// The texts that a program writes to its output and to its errors, until it closes both.
    ///
    /// They are read at the same time: a program that has filled one pipe would else wait for as long as only the other is read.
    static func texts(of output: Pipe, _ errors: Pipe) -> (output: String, errors: String) {
        let handle = errors.fileHandleForReading
        let problem = Locked("")
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            let text = String(decoding: handle.readDataToEndOfFile(), as: UTF8.self)
            problem.withLock { $0 = text }
        }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        group.wait()
        return (text, problem.withLock { $0 })
    }
}
