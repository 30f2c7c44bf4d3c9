import ArgumentParser

/// The servers that a run compares, in the order of the tables.
enum ServerName: String, CaseIterable, ExpressibleByArgument, CustomStringConvertible {
    case backlot, hummingbird, flyingfox, nginx

    var description: String {
        switch self {
        case .backlot: "Backlot"
        case .hummingbird: "Hummingbird"
        case .flyingfox: "FlyingFox"
        case .nginx: "nginx"
        }
    }
}
