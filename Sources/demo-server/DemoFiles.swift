import CDemoFiles

/// The files below `Files`, compiled in so that the program runs without them: the templates of `new` and `new-routes`, and the
/// newspaper's stories and pictures.
enum DemoFiles {
    /// The first characters of the commit that the program was built from, or "unknown".
    static let commit = unsafe String(cString: demo_commit())

    /// The bytes of all files, by their paths below `Files`.
    static let all: [String: [UInt8]] = {
        var files: [String: [UInt8]] = [:]
        var next = unsafe demo_first_file()
        while let file = unsafe next, let path = unsafe file.pointee.path {
            let bytes = unsafe UnsafeBufferPointer(start: file.pointee.bytes, count: Int(file.pointee.count))
            unsafe files[String(cString: path)] = Array(bytes)
            unsafe next = file.advanced(by: 1)
        }
        return files
    }()

    /// The text of an existing file.
    static func text(_ path: String) -> String {
        guard let bytes = all[path] else { preconditionFailure("there is no file \(path)") }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The texts of the files below a folder, by their paths in it.
    static func texts(below folder: String) -> [(path: String, text: String)] {
        all.keys.sorted().filter { $0.hasPrefix("\(folder)/") }.map {
            (String($0.dropFirst(folder.count + 1)), text($0))
        }
    }
}
