import Backlot
import BacklotPostgreSQL
import BacklotRedis
import BacklotSQLite
import TestSupport
import Testing

@testable import demo_server

@Suite(.timeLimit(.minutes(5))) struct SessionStoreChoiceTests {
    private static let kinds = DemoServer.sessionStores
    private static let forms =
        "memory, sqlite:PATH, postgres://USER:PASSWORD@HOST:PORT/DATABASE or redis://[:PASSWORD@]HOST:PORT/DB"

    @Test(arguments: [
        ("memory", "in memory; they end with the server"),
        ("sqlite:/var/lib/s.sqlite", "in a file of SQLite, /var/lib/s.sqlite"),
        ("sqlite:s:1.sqlite", "in a file of SQLite, s:1.sqlite"),
        ("redis://:secret@cache:7000/2", "on redis://:***@cache:7000/2"),
        ("postgres://ada:secret@db:7000/app", "on postgres://ada:***@db:7000/app"),
        ("postgresql://ada@/app?host=/run/pg", "on postgres://ada@/app?host=/run/pg"),
    ])
    func `A choice is read`(text: String, place: String) throws {
        #expect(try Self.kinds.choice(text).description == place)
    }

    @Test(arguments: [
        ("", "unknown store '': write \(forms)"),
        ("disk", "unknown store 'disk': write \(forms)"),
        ("memory:", "memory takes nothing behind it: write memory"),
        ("sqlite", "the path is missing: write sqlite:PATH, such as sqlite:/var/lib/backlot/sessions.sqlite"),
        ("sqlite:", "the path is missing: write sqlite:PATH, such as sqlite:/var/lib/backlot/sessions.sqlite"),
        ("postgres:db", "\(PostgreSQLAddressError.form)"), ("postgres://db:x/", "\(PostgreSQLAddressError.port("x"))"),
        ("redis", "\(RedisAddressError.form)"), ("redis:cache", "\(RedisAddressError.form)"),
        ("redis://", "\(RedisAddressError.host)"), ("rediss:///0", "\(RedisAddressError.host)"),
    ])
    func `A wrong choice is refused`(text: String, message: String) {
        #expect(throws: SessionStoreKindError(message)) { _ = try Self.kinds.choice(text) }
    }

    @Test func `A server knows only the stores that it lists`() {
        let error = SessionStoreKindError("unknown store 'redis': write memory or sqlite:PATH")
        #expect(throws: error) { _ = try [SessionStoreKind.memory, .sqlite].choice("redis://cache/0") }
    }

    @Test(arguments: [
        (["XDG_STATE_HOME": "/state", "HOME": "/home/ada"], "sqlite:/state/backlot/clinic.sqlite"),
        (["HOME": "/home/ada"], "sqlite:/home/ada/.local/state/backlot/clinic.sqlite"),
        (["HOME": ""], "memory"),
    ])
    func `Without a choice it is a file below the home folder`(environment: [String: String], usual: String) {
        #expect(Self.kinds.usual(program: "clinic", environment: environment) == usual)
        #expect([SessionStoreKind.memory].usual(program: "clinic", environment: environment) == "memory")
    }

    @Test(arguments: [
        ("redis://:secret@cache:7000/2", "redis://***@cache:7000/2"),
        ("rediss://ada:p@ss@cache/", "rediss://***@cache/"),
        ("redis://cache/0", "redis://cache/0"),
        ("postgres://db/app?password=p@ss&user=ada", "postgres://db/app?password=***&user=ada"),
        (
            "postgres://db/app?sslpassword=one&password=two&user=ada",
            "postgres://db/app?sslpassword=***&password=***&user=ada"
        ),
        ("postgres://db/app?password=one&password=two", "postgres://db/app?password=***&password=***"),
        ("postgres://:a?b@db/app?password=one", "postgres://***@db/app?password=***"),
        ("sqlite:/home/a@b/s", "sqlite:/home/a@b/s"),
    ])
    func `No password is shown`(text: String, shown: String) {
        #expect(SessionStoreKind.hidingPassword(text) == shown)
    }

    @Test(arguments: [
        ("disk", "Error: --sessions: unknown store 'disk': write memory, sqlite:PATH, postgres://"),
        ("postgres://ada:secret@db:x/app", "Error: --sessions: 'x' is not a port: write a number from 1 to 65535"),
        ("postgres://db/app?password=secret", "Error: --sessions: the parameter password can't be set here"),
        ("rediss://:secret@cache/web", "Error: --sessions: 'web' is not a database: write its number"),
        ("redis://:secret@cache/web", "Error: --sessions: 'web' is not a database: write its number"),
        (
            "sqlite:/proc/s.sqlite",
            "Error: the sessions can't be kept in /proc/s.sqlite: no file can be made in the folder"
        ),
    ])
    func `demo-server explains a wrong one, and says no password`(choice: String, message: String) throws {
        let outcome = try ServerProcess("demo-server", ["--port", "0", "--sessions", choice]).outcome()
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(!outcome.errors.contains("secret"))
        #expect(outcome.output == "")
        #expect(outcome.status != 0)
    }
}
