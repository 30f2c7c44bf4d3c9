import Testing

@testable import BacklotPostgreSQL

@Suite(.timeLimit(.minutes(5))) struct AddressTests {
    @Test(arguments: [
        ("postgres://", "postgres:///"),
        ("postgresql://db", "postgres://db/"),
        ("POSTGRES://db/app", "postgres://db/app"),
        ("postgres://ada:s%40cret%2F%25@db:5433/app", "postgres://ada:***@db:5433/app"),
        ("postgres://:secret@db/app", "postgres://:***@db/app"),
        ("postgres://ada@[::1]:5433/app", "postgres://ada@[::1]:5433/app"),
        ("postgres://ada@/app?host=/run/pg&port=5433", "postgres://ada@/app?host=/run/pg&port=5433"),
        (
            "postgres://db/app?sslmode=verify-full&sslrootcert=/a.pem",
            "postgres://db/app?sslmode=verify-full&sslrootcert=/a.pem"
        ),
        (
            "postgres://db1:1,db2:2/app?target_session_attrs=read-write",
            "postgres:///app?host=db1,db2&port=1,2&target_session_attrs=read-write"
        ),
    ])
    func `An address is read, and described without its password`(url: String, description: String) throws {
        let address = try PostgreSQLAddress(url)
        #expect("\(address)" == description)
        #expect(!"\(address)".contains("cret"))
    }

    @Test func `What is written in another form is read back`() throws {
        let address = try PostgreSQLAddress("postgres://ada:s%40cret%2F%25@db:5433/app")
        #expect(
            address.parameters
                == ["user": "ada", "password": "s@cret/%", "host": "db", "port": "5433", "dbname": "app"]
        )
    }

    @Test func `Each host is tried by itself`() throws {
        let address = try PostgreSQLAddress("postgres://ada@db1:1,db2:2,db3/app")
        #expect(address.hosts.map { "\($0["host"] ?? ""):\($0["port"] ?? "")" } == ["db1:1", "db2:2", "db3:"])
        #expect(address.hosts.allSatisfy { $0["user"] == "ada" && $0["dbname"] == "app" })
        #expect(try PostgreSQLAddress("postgres:///app?host=a,b&port=7").hosts.map { $0["port"] } == ["7", "7"])
        #expect(try PostgreSQLAddress("postgres:///app").hosts == [["dbname": "app"]])
    }

    @Test(arguments: [
        ("", PostgreSQLAddressError.form), ("db/app", .form), ("mysql://db/app", .form), ("postgres:db", .form),
        ("postgres://ada:secret%zz@db/app", .form), ("postgres://db/app?sslmode", .form), ("postgres://db/a\0b", .form),
        ("postgres://[::1/app", .form),
        ("postgres://ada:se@cret@db/app", .at),
        ("postgres://db:0/app", .port("0")), ("postgres://db:65536/app", .port("65536")),
        ("postgres://db:port/app", .port("port")), ("postgres://db:+1/app", .port("+1")),
        ("postgres://db1:1,db2:x/app", .port("x")),
        ("postgres://db/app?ssl_mode=require", .parameter("ssl_mode")),
        ("postgres://db/app?options=-c%20statement_timeout%3D0", .parameter("options")),
        ("postgres://db/app?client_encoding=LATIN1", .parameter("client_encoding")),
        ("postgres://db/app?sslmode=yes", .mode("yes")),
        ("postgres://db/app?password=secret", .secret("password")),
    ])
    func `A mistake is explained, without the password`(url: String, error: PostgreSQLAddressError) {
        #expect(throws: error) { try PostgreSQLAddress(url) }
        #expect(!"\(error)".contains("cret"))
        #expect("\(error)".contains("write "))
    }
}
