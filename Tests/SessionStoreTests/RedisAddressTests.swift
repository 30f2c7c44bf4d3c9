import BacklotRedis
import Testing

@Suite(.timeLimit(.minutes(5))) struct RedisAddressTests {
    @Test(arguments: [
        ("redis://localhost", RedisAddress(host: "localhost")),
        ("redis://10.0.0.5:7000/3", RedisAddress(host: "10.0.0.5", port: 7000, database: 3)),
        ("redis://:secret@cache:6379/0", RedisAddress(host: "cache", password: "secret")),
        ("redis://ada:p%40ss%2F%25@cache/1", RedisAddress(host: "cache", database: 1, user: "ada", password: "p@ss/%")),
        ("redis://[::1]:7000/", RedisAddress(host: "::1", port: 7000)),
        ("REDIS://cache/", RedisAddress(host: "cache")),
        ("rediss://:secret@cache/1", RedisAddress(host: "cache", database: 1, password: "secret", isSecure: true)),
    ])
    func `An address is read`(url: String, address: RedisAddress) throws {
        #expect(try RedisAddress(url) == address)
    }

    @Test(arguments: [
        ("http://cache/", RedisAddressError.form),
        ("cache:6379", .form),
        ("", .form),
        ("redis://", .host),
        ("redis:///0", .host),
        ("redis://cache:0/0", .port("0")),
        ("redis://cache:70000/0", .port("70000")),
        ("redis://cache/web", .database("web")),
        ("redis://cache/-1", .database("-1")),
        ("redis://cache/+1", .database("+1")),
        ("redis://cache/1/2", .database("1/2")),
        ("redis://ada@cache/0", .noPassword),
        ("redis://cache/0?ssl=1", .form),
        ("redis://cache:port/0", .form),
    ])
    func `A wrong address is explained`(url: String, error: RedisAddressError) {
        #expect(throws: error) { try RedisAddress(url) }
    }

    @Test(arguments: [
        ("redis://cache", "redis://cache:6379/0"),
        ("redis://:secret@[::1]:7000/3", "redis://:***@[::1]:7000/3"),
        ("redis://ada:secret@cache/", "redis://ada:***@cache:6379/0"),
        ("rediss://ada:secret@cache/", "rediss://ada:***@cache:6379/0"),
    ])
    func `A description says no password`(url: String, description: String) throws {
        #expect(try RedisAddress(url).description == description)
    }
}
