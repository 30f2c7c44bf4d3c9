/// What an answer is made for: it fills the marks of a ``WireTemplate``.
struct WirePlace: Sendable, Equatable {
    /// The app's address, without a slash at its end: `http://127.0.0.1:8080/floki`.
    var base: [UInt8]
    /// What stands before relative URLs: nothing where clients resolve them themselves.
    var folder: [UInt8] = []
    /// The code of the language.
    var language: [UInt8] = []
    /// The device.
    var device = Device.other

    init(base: String, folder: String = "", language: String = "", device: Device = .other) {
        self.base = Array(base.utf8)
        self.folder = Array(folder.utf8)
        self.language = Array(language.utf8)
        self.device = device
    }
}
