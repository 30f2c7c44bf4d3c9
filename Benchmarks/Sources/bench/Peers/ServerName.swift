import ArgumentParser

/// The servers that a run compares, in the order of the tables.
enum ServerName: String, CaseIterable, ExpressibleByArgument, CustomStringConvertible {
    case backlot, demo, hummingbird, flyingfox, nginx
    case loggingNginx = "nginx-log"

    var description: String {
        switch self {
        case .backlot: "Backlot"
        case .demo: "demo-server"
        case .hummingbird: "Hummingbird"
        case .flyingfox: "FlyingFox"
        case .nginx: "nginx"
        case .loggingNginx: "nginx with its access log"
        }
    }
}
