import Backlot

/// Code of the article "Slow and unreliable networks".
enum NetworksCode {
    static func addNetwork(to router: Router) {
        let board = FaultBoard()
        router.use(FaultInjection(board))
        board.set(NetworkProfile(downlink: 20_000, latency: .milliseconds(500)), for: .anyone)
    }
}
