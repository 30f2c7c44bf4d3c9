import ArgumentParser

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Where to listen: by the options, or else the environment, or else the defaults.
struct ListenSettings: Equatable {
    let host: String
    let port: Int

    init(host: String?, port: Int?, environment: (String) -> String? = Self.environment) throws {
        self.host = host ?? environment("HOST") ?? "127.0.0.1"
        if let port {
            self.port = port
        } else if let text = environment("PORT") {
            guard let port = Int(text) else {
                throw ValidationError("The environment's PORT is '\(text)': write a number from 0 to 65535.")
            }
            self.port = port
        } else {
            self.port = 8080
        }
    }

    /// A variable of the environment; nil when it is not set, or empty.
    static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}
