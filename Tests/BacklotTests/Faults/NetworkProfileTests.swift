import TestSupport
import Testing

@testable import Backlot

/// Reading networks, and the list of those that clients have.
@Suite(.timeLimit(.minutes(5))) struct NetworkProfileTests {
    private static let threeG = NetworkProfile(downlink: 200_000, uplink: 96_000, latency: .milliseconds(300))

    @Test(arguments: [
        ("3g", threeG),
        ("profile=3G", threeG),
        ("online", NetworkProfile()),
        ("offline", NetworkProfile(isOffline: true)),
        ("3g; latency=0; loss=5", NetworkProfile(downlink: 200_000, uplink: 96_000, loss: 5)),
        ("downlink=1000", NetworkProfile(downlink: 1000)),
        (
            " Downlink = 1 , uplink=1000000000&latency=60000 ; jitter=1; loss=100; cuts=100;",
            NetworkProfile(
                downlink: 1,
                uplink: 1_000_000_000,
                latency: .seconds(60),
                jitter: .milliseconds(1),
                loss: 100,
                cuts: 100
            )
        ),
    ])
    func `What can be asked for`(text: String, expected: NetworkProfile) throws {
        #expect(try NetworkProfile(parsing: text) == expected)
    }

    @Test(arguments: [
        ("", "it says nothing"),
        ("4h", "the network '4h' is unknown; did you mean '4g'?"),
        ("5g; 3g", "'3g' has no value"),
        ("3g; 4g", "'4g' has no value"),
        ("downlink=0", "the downlink 0 is out of range"),
        ("downlink=-1", "the downlink '-1' isn't a whole number"),
        ("downlink=1e6", "the downlink '1e6' isn't a whole number"),
        ("uplink=1000000001", "the uplink 1000000001 is out of range"),
        ("latency=60001", "the latency 60001 is out of range"),
        ("jitter=99999999999999999999", "the jitter '99999999999999999999' isn't a whole number"),
        ("loss=101", "the loss 101 is out of range"),
        ("cuts=+1", "the cuts '+1' isn't a whole number"),
        ("downlink=1; downlink=2", "'downlink' is set twice"),
        ("speed=1", "'speed' is unknown"),
        ("captive-portal", "the network 'captive-portal' is unknown"),
        ("3g; captive-portal=1", "'captive-portal' is unknown"),
    ])
    func `What can't be is refused, with what can`(text: String, problem: String) {
        let error = #expect(throws: FaultSyntaxError.self) { try NetworkProfile(parsing: text) }
        #expect(
            error?.description == problem
                + "; write one of online, 4g, 3g, slow-3g, edge, lossy, offline, "
                + "or one or more of downlink and uplink=1…1000000000 (bytes per second), latency and jitter=0…60000 "
                + "(milliseconds), loss and cuts=0…100 (percent), or both, such as '3g; loss=5'"
        )
    }

    @Test func `Descriptions are names, or are read back`() throws {
        for (name, profile) in NetworkProfile.known {
            #expect("\(profile)" == name)
            #expect(try NetworkProfile(parsing: name) == profile)
        }
        let own = "offline; downlink=1000; uplink=7; latency=20; jitter=3; loss=4; cuts=5"
        #expect("\(try NetworkProfile(parsing: own))" == own)
    }

    @Test func `Mutated texts trap nothing, and what is read is read again`() throws {
        let seeds = ["3g; loss=5", "downlink=1000&latency=300", "offline, jitter=20; cuts=3; uplink=12"]
        var mutator = Mutator(
            random: SeededGenerator(seed: 7),
            tokens: ["=", ";", "&", ",", " ", "loss=", "9223372036854775808", "lossy", "\u{301}"].map { Array($0.utf8) }
        )
        var count = 0
        for round in 0..<20_000 {
            let text = String(decoding: mutator.mutate(Array(seeds[round % seeds.count].utf8)), as: UTF8.self)
            guard let profile = try? NetworkProfile(parsing: text) else { continue }
            count += 1
            #expect(try NetworkProfile(parsing: "\(profile)") == profile, "\(text)")
        }
        #expect((100..<19_000).contains(count), "\(count)")
    }

    @Test func `A client's own network goes before everyone's, and there are only so many`() {
        let ada = FaultClient.session(cookie: "ada")
        var list = NetworkList()
        list.set(NetworkProfile(loss: 1), for: .anyone)
        list.set(NetworkProfile(loss: 2), for: ada)
        list.set(NetworkProfile(loss: 3), for: ada)
        #expect(list.network(of: ada)?.loss == 3 && list.network(of: .noSession)?.loss == 1)
        #expect(list.remove(for: .noSession) == 0 && list.remove(for: ada) == 1)
        #expect(list.network(of: ada)?.loss == 1 && list.remove(for: nil) == 1)
        #expect(list.network(of: ada) == nil)
        for number in 0..<1100 { list.set(NetworkProfile(), for: .session(cookie: "\(number)")) }
        #expect(list.networks.count == 1000 && list.networks[0].client == .session(cookie: "100"))
    }
}
