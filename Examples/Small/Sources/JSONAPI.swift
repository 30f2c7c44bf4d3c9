// A JSON API beside the pages: strict bodies, errors as problem details, and a description in OpenAPI.
// Run it with `swift run --package-path Examples/Small json-api`, then `curl http://127.0.0.1:8080/openapi.json`.
import Applin
import Backlot

struct Book: Codable, Sendable { var id: Int, title: String, pages: Int }
struct NewBook: Codable, Sendable { var title: String, pages: Int }
struct Filter: Decodable, Sendable { var maximumPages: Int? }

actor Library {
    private var books: [Book] = []

    func list(_ filter: Filter = Filter()) -> [Book] { books.filter { $0.pages <= filter.maximumPages ?? .max } }

    func add(_ new: NewBook) throws -> Book {
        guard !books.contains(where: { $0.title == new.title }) else {
            throw ProblemDetails(.conflict, "The library has '\(new.title)' already.", title: "Not new")
        }
        books.append(Book(id: books.count + 1, title: new.title, pages: new.pages))
        return books[books.count - 1]
    }

    func book(_ id: Int) -> Book? { books.first { $0.id == id } }
}

func makeRouter(_ library: Library = Library()) -> Router {
    let router = Router()
    router.applin("/") { app in
        app.page("/") { _ in
            let books = await library.list()
            return listPage("Library") { for book in books { text("\(book.title), \(book.pages) pages") } }
        }
    }
    router.group("/api", JSONErrors()) { api in
        api.get("/books", query: Filter.self, summary: "Lists the books.") { filter, _ in await library.list(filter) }
        api.get("/books/{id}", summary: "Finds a book.") { request in
            await library.book(try request.parameter("id", as: Int.self))  // nil is a 404
        }
        api.post("/books", body: NewBook.self, summary: "Adds a book.", status: .created) { new, _ in
            let book = try await library.add(new)
            return JSONResponse(book, headers: [.location: "/api/books/\(book.id)"])
        }
    }
    let document = router.openAPI(title: "Library", version: "1")
    router.get("/openapi.json") { _ in document.response }
    return router
}

await Server(makeRouter(), port: 8080).runOrExit()
