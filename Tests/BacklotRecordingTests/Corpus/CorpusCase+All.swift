extension CorpusCase {
    static let all = tokens + cookies + lists + others

    // MARK: Tokens

    private static let tokens = [
        CorpusCase(
            "A list behind a token, and a clock",
            """
            A GET /list > 401 no
            A POST /login {"user":"ann"} > 200 {"token":"tok-ann-1"}
            A GET /list @tok-ann-1 > 200 [1]
            A GET /time > 200 {"now":1}
            A GET /time > 200 {"now":2}
            """,
            """
            A GET /time > 200 {"now":1}
            A GET /list > 401 no
            A POST /login {"user":"ann"} > 200 {"token":"tok-ann-1"}
            A GET /list @tok-ann-1 > 200 [1]
            """,
            """
            A GET /list @tok-ann-1 > 200 [1]
            A GET /list > 401 no
            A GET /list @tok-nobody > 401 no
            """,
            """
            a GET /time > 200 {"now":1}
            a GET /time > 200 {"now":2}
            a GET /time > 200 {"now":2}
            a GET /list @tok-ann-1 > 200 [1]
            """
        ),
        CorpusCase(
            "Rows are added and removed by clients with a token and no cookies",
            """
            A POST /login {"user":"ann"} > 200 {"token":"tok-ann-1"}
            A GET /tasks @tok-ann-1 > 200 []
            A POST /tasks {"t":"x"} @tok-ann-1 > 201 {"id":1}
            A GET /tasks @tok-ann-1 > 200 [{"id":1}]
            A DELETE /tasks/1 @tok-ann-1 > 204
            A GET /tasks @tok-ann-1 > 200 []
            A GET /tasks > 401 no
            """,
            """
            A POST /tasks {"t":"x"} @tok-ann-1 > 201 {"id":1}
            A GET /tasks @tok-ann-1 > 200 [{"id":1}]
            A GET /tasks > 401 no
            """,
            """
            A DELETE /tasks/1 @tok-ann-1 > 204
            A GET /tasks @tok-ann-1 > 200 []
            A POST /tasks {"t":"x"} @tok-ann-1 > 201 {"id":1}
            A GET /tasks @tok-ann-1 > 200 [{"id":1}]
            """,
            """
            A POST /tasks {"t":"x"} @tok-ann-1 > 201 {"id":1}
            A DELETE /tasks/1 @tok-ann-1 > 204
            A POST /tasks {"t":"x"} @tok-ann-1 > 201 {"id":1}
            A GET /tasks @tok-ann-1 > 200 [{"id":1}]
            """
        ),
        CorpusCase(
            "Three clients with tokens, one after the other and in between",
            """
            A POST /login {"user":"ann"} > 200 {"token":"tok-ann-1"}
            B POST /login {"user":"bob"} > 200 {"token":"tok-bob-1"}
            A GET /cart @tok-ann-1 > 200 []
            C POST /login {"user":"cid"} > 200 {"token":"tok-cid-1"}
            B GET /cart @tok-bob-1 > 200 ["b"]
            A POST /cart {"item":"x"} @tok-ann-1 > 204
            C GET /cart @tok-cid-1 > 200 []
            B GET /cart @tok-bob-1 > 200 ["b"]
            A GET /cart @tok-ann-1 > 200 ["x"]
            C POST /cart {"item":"y"} @tok-cid-1 > 204
            C GET /cart @tok-cid-1 > 200 ["y"]
            B DELETE /cart @tok-bob-1 > 204
            B GET /cart @tok-bob-1 > 200 []
            A GET /cart @tok-ann-1 > 200 ["x"]
            """,
            """
            C POST /cart {"item":"y"} @tok-cid-1 > 204
            C GET /cart @tok-cid-1 > 200 ["y"]
            A GET /cart @tok-ann-1 > 200 []
            B GET /cart @tok-bob-1 > 200 ["b"]
            """,
            """
            B DELETE /cart @tok-bob-1 > 204
            A POST /cart {"item":"x"} @tok-ann-1 > 204
            A GET /cart @tok-ann-1 > 200 ["x"]
            B GET /cart @tok-bob-1 > 200 []
            C GET /cart @tok-cid-1 > 200 []
            """,
            """
            C POST /login {"user":"cid"} > 200 {"token":"tok-cid-1"}
            A POST /login {"user":"ann"} > 200 {"token":"tok-ann-1"}
            C GET /cart @tok-cid-1 > 200 []
            A GET /cart @tok-ann-1 > 200 []
            """
        ),
        CorpusCase(
            "Log-out and in again: another token each time",
            """
            A POST /login {"user":"ann"} > 200 {"token":"tok-ann-1"}
            A GET /me @tok-ann-1 > 200 {"name":"ann"}
            A POST /logout @tok-ann-1 > 204
            A GET /me @tok-ann-1 > 401 no
            A POST /login {"user":"ann"} > 200 {"token":"tok-ann-2"}
            A GET /me @tok-ann-2 > 200 {"name":"ann"}
            A GET /tasks @tok-ann-2 > 200 []
            """,
            """
            A GET /me > 401 no
            A POST /login {"user":"ann"} > 200 {"token":"tok-ann-1"}
            A GET /me @tok-ann-1 > 200 {"name":"ann"}
            """,
            """
            A POST /login {"user":"ann"} > 200 {"token":"tok-ann-1"}
            A POST /logout @tok-ann-1 > 204
            A POST /login {"user":"ann"} > 200 {"token":"tok-ann-1"}
            A POST /logout @tok-ann-1 > 204
            A GET /me @tok-ann-1 > 401 no
            A POST /login {"user":"ann"} > 200 {"token":"tok-ann-1"}
            A GET /me @tok-ann-1 > 200 {"name":"ann"}
            """,
            """
            A POST /logout @tok-ann-1 > 204
            A GET /me @tok-ann-1 > 401 no
            """
        ),
        CorpusCase(
            "Log-out and in again: the same token each time",
            """
            A POST /login {"user":"ann"} > 200 {"token":"tok-ann-1"}
            A GET /me @tok-ann-1 > 200 {"name":"ann"}
            A POST /logout @tok-ann-1 > 204
            A GET /me @tok-ann-1 > 401 no
            A POST /login {"user":"ann"} > 200 {"token":"tok-ann-1"}
            A GET /me @tok-ann-1 > 200 {"name":"ann"}
            """,
            """
            A GET /me > 401 no
            A POST /login {"user":"ann"} > 200 {"token":"tok-ann-1"}
            A GET /me @tok-ann-1 > 200 {"name":"ann"}
            """,
            """
            A POST /login {"user":"ann"} > 200 {"token":"tok-ann-1"}
            A POST /logout @tok-ann-1 > 204
            A POST /login {"user":"ann"} > 200 {"token":"tok-ann-1"}
            A POST /logout @tok-ann-1 > 204
            A GET /me @tok-ann-1 > 401 no
            A POST /login {"user":"ann"} > 200 {"token":"tok-ann-1"}
            A GET /me @tok-ann-1 > 200 {"name":"ann"}
            """,
            """
            A POST /logout @tok-ann-1 > 204
            A GET /me @tok-ann-1 > 401 no
            """
        ),
        CorpusCase(
            "A token that ends is refreshed",
            """
            A POST /login {"user":"ann"} > 200 {"access":"tok-one-11","refresh":"ref-one-11"}
            A GET /me @tok-one-11 > 200 {"name":"ann"}
            A GET /me @tok-one-11 > 401 expired
            A POST /refresh {"refresh":"ref-one-11"} > 200 {"access":"tok-two-22","refresh":"ref-two-22"}
            A GET /me @tok-two-22 > 200 {"name":"ann"}
            """,
            """
            A POST /refresh {"refresh":"ref-one-11"} > 200 {"access":"tok-two-22","refresh":"ref-two-22"}
            A GET /me @tok-two-22 > 200 {"name":"ann"}
            """,
            """
            A GET /me @tok-one-11 > 200 {"name":"ann"}
            A POST /refresh {"refresh":"ref-one-11"} > 200 {"access":"tok-two-22","refresh":"ref-two-22"}
            A GET /me @tok-two-22 > 200 {"name":"ann"}
            A GET /me @tok-two-22 > 200 {"name":"ann"}
            """,
            """
            A GET /me @tok-two-22 > 200 {"name":"ann"}
            A GET /me @tok-one-11 > 200 {"name":"ann"}
            A GET /me @tok-one-11 > 401 expired
            A GET /me @tok-one-11 > 401 expired
            """
        ),
        CorpusCase(
            "An API key in a field of its own",
            """
            A GET /rates X-Api-Key:key-12345678 > 200 [1]
            A GET /rates > 403 key_missing
            A PUT /rates {"r":2} X-Api-Key:key-12345678 > 204
            A GET /rates X-Api-Key:key-12345678 > 200 [2]
            """,
            """
            A GET /rates > 403 key_missing
            A GET /rates X-Api-Key:key-12345678 > 200 [1]
            """,
            """
            A PUT /rates {"r":2} X-Api-Key:key-12345678 > 204
            A GET /rates X-Api-Key:key-12345678 > 200 [2]
            A GET /rates > 403 key_missing
            """,
            """
            A GET /rates X-Api-Key:key-99999999 > 403 key_missing
            A PUT /rates {"r":2} X-Api-Key:key-12345678 > 204
            A PUT /rates {"r":2} X-Api-Key:key-12345678 > 204
            A GET /rates X-Api-Key:key-12345678 > 200 [2]
            """
        ),
        CorpusCase(
            "A wrong password and an unknown user",
            """
            A POST /login {"user":"ann","password":"wrong"} > 401 wrong_password
            A POST /login {"user":"ann","password":"right"} > 200 {"token":"tok-ann-1"}
            A POST /login {"user":"bob","password":"bobs"} > 200 {"token":"tok-bob-1"}
            A GET /me @tok-ann-1 > 200 {"name":"ann"}
            A GET /me @tok-bob-1 > 200 {"name":"bob"}
            """,
            """
            A POST /login {"user":"bob","password":"bobs"} > 200 {"token":"tok-bob-1"}
            A POST /login {"user":"bob","password":"other"} > 401 wrong_password
            A GET /me @tok-bob-1 > 200 {"name":"bob"}
            """,
            """
            A POST /login {"user":"eve","password":"guess"} > 401 wrong_password
            A POST /login {"user":"ann","password":"right"} > 200 {"token":"tok-ann-1"}
            """,
            """
            A GET /me @tok-bob-1 > 200 {"name":"bob"}
            A GET /me @tok-ann-1 > 200 {"name":"ann"}
            A POST /login {"user":"ann","password":"wrong"} > 401 wrong_password
            A POST /login {} > 401 wrong_password
            """
        ),
        CorpusCase(
            "Guests: each device gets a token for the same request",
            """
            A POST /guests {} > 201 {"token":"guest-1111"}
            B POST /guests {} > 201 {"token":"guest-2222"}
            A GET /cart @guest-1111 > 200 []
            B GET /cart @guest-2222 > 200 []
            A POST /cart {"i":1} @guest-1111 > 204
            A GET /cart @guest-1111 > 200 [1]
            B GET /cart @guest-2222 > 200 []
            """,
            """
            B GET /cart @guest-2222 > 200 []
            A POST /cart {"i":1} @guest-1111 > 204
            B GET /cart @guest-2222 > 200 []
            A GET /cart @guest-1111 > 200 [1]
            """,
            """
            A POST /guests {} > 201 {"token":"guest-1111"}
            A POST /cart {"i":1} @guest-1111 > 204
            A GET /cart @guest-1111 > 200 [1]
            """,
            """
            A GET /cart @guest-1111 > 200 []
            B GET /cart @guest-2222 > 200 []
            """
        ),
    ]

    // MARK: Cookies

    private static let cookies = [
        CorpusCase(
            "A session cookie",
            """
            a GET /tasks > 401 no
            a POST /login {"user":"ann"} > 200 +sid=s-ann-1
            a GET /tasks > 200 []
            a POST /tasks {"t":"x"} > 201
            a GET /tasks > 200 ["x"]
            a POST /logout > 204 -sid
            a GET /tasks > 401 no
            """,
            """
            a POST /login {"user":"ann"} > 200
            a POST /tasks {"t":"x"} > 201
            a GET /tasks > 200 ["x"]
            b GET /tasks > 401 no
            """,
            """
            a POST /login {"user":"ann"} > 200
            a POST /logout > 204
            a GET /tasks > 401 no
            a POST /login {"user":"ann"} > 200
            a GET /tasks > 200 []
            """,
            """
            a POST /login {"user":"ann"} > 200
            a GET /tasks > 200 []
            b POST /login {"user":"ann"} > 200
            b POST /tasks {"t":"x"} > 201
            b GET /tasks > 200 ["x"]
            a GET /tasks > 200 []
            """
        ),
        CorpusCase(
            "Log-out and in again with another cookie: the list is what it was",
            """
            a POST /login {"user":"ann"} > 200 +sid=s-ann-1
            a GET /tasks > 200 []
            a POST /tasks {"t":"x"} > 201
            a POST /logout > 204 -sid
            a POST /login {"user":"ann"} > 200 +sid=s-ann-2
            a GET /tasks > 200 ["x"]
            """,
            """
            a POST /login {"user":"ann"} > 200
            a POST /logout > 204
            a POST /login {"user":"ann"} > 200
            a GET /tasks > 200 []
            """,
            """
            a POST /login {"user":"ann"} > 200
            a POST /tasks {"t":"x"} > 201
            a GET /tasks > 200 ["x"]
            a POST /logout > 204
            a POST /login {"user":"ann"} > 200
            a GET /tasks > 200 ["x"]
            """,
            """
            a POST /login {"user":"ann"} > 200
            a GET /tasks > 200 []
            b POST /login {"user":"ann"} > 200
            b GET /tasks > 200 []
            """
        ),
        CorpusCase(
            "Three clients with cookies, in between",
            """
            a POST /login {"user":"ann"} > 200 +sid=s-ann-1
            b POST /login {"user":"bob"} > 200 +sid=s-bob-1
            c GET /cart > 401 no
            a POST /cart {"i":"x"} > 204
            b GET /cart > 200 []
            a GET /cart > 200 ["x"]
            c POST /login {"user":"cid"} > 200 +sid=s-cid-1
            c GET /cart > 200 ["old"]
            b POST /cart {"i":"y"} > 204
            c DELETE /cart > 204
            b GET /cart > 200 ["y"]
            c GET /cart > 200 []
            """,
            """
            c POST /login {"user":"cid"} > 200
            c GET /cart > 200 ["old"]
            b POST /login {"user":"bob"} > 200
            b GET /cart > 200 []
            c DELETE /cart > 204
            c GET /cart > 200 []
            """,
            """
            b POST /login {"user":"bob"} > 200
            b POST /cart {"i":"y"} > 204
            b GET /cart > 200 ["y"]
            d GET /cart > 401 no
            """,
            """
            a POST /login {"user":"ann"} > 200
            a POST /cart {"i":"x"} > 204
            a GET /cart > 200 ["x"]
            c POST /login {"user":"cid"} > 200
            c DELETE /cart > 204
            c GET /cart > 200 []
            a GET /cart > 200 ["x"]
            """
        ),
        CorpusCase(
            "A session that begins with the first page, and keeps its cookie when somebody logs in",
            """
            a GET /home > 200 hello +PHPSESSID=php-111111
            a GET /account > 403 no
            a POST /login user=ann > 200
            a GET /account > 200 ann
            a POST /logout > 200
            a GET /account > 403 no
            """,
            """
            a GET /account > 403 no
            a POST /login user=ann > 200
            a GET /account > 200 ann
            """,
            """
            a POST /login user=ann > 200
            a POST /logout > 200
            a POST /login user=ann > 200
            a GET /account > 200 ann
            b GET /account > 403 no
            """,
            """
            a POST /logout > 200
            a GET /account > 403 no
            a GET /home > 200 hello
            """
        ),
        CorpusCase(
            "A cookie and a token",
            """
            a POST /login {"user":"ann"} > 200 {"token":"tok-ann-1"} +sid=s-ann-1
            a GET /tasks @tok-ann-1 > 200 []
            a POST /tasks {"t":"x"} @tok-ann-1 > 201
            a GET /tasks @tok-ann-1 > 200 ["x"]
            b GET /tasks > 401 no
            """,
            """
            A GET /tasks @tok-ann-1 > 200 []
            A POST /tasks {"t":"x"} @tok-ann-1 > 201
            A GET /tasks @tok-ann-1 > 200 ["x"]
            """,
            """
            a GET /tasks > 401 no
            a POST /login {"user":"ann"} > 200 {"token":"tok-ann-1"}
            a POST /tasks {"t":"x"} @tok-ann-1 > 201
            a GET /tasks @tok-ann-1 > 200 ["x"]
            """,
            """
            A POST /tasks {"t":"x"} @tok-ann-1 > 201
            A POST /login {"user":"ann"} > 200 {"token":"tok-ann-1"}
            A GET /tasks @tok-ann-1 > 200 ["x"]
            A GET /tasks @tok-eve-1 > 401 no
            """
        ),
        CorpusCase(
            "A cookie named session",
            """
            a POST /login {"user":"ann"} > 200 +session=s-ann-1
            a GET /me > 200 ann
            b POST /login {"user":"bob"} > 200 +session=s-bob-1
            b GET /me > 200 bob
            b PUT /me {"name":"rob"} > 204
            b GET /me > 200 rob
            c GET /me > 401 no
            """,
            """
            b POST /login {"user":"bob"} > 200
            b GET /me > 200 bob
            b PUT /me {"name":"rob"} > 204
            b GET /me > 200 rob
            a POST /login {"user":"ann"} > 200
            a GET /me > 200 ann
            """,
            """
            b POST /login {"user":"bob"} > 200
            b PUT /me {"name":"rob"} > 204
            d POST /login {"user":"bob"} > 200
            d GET /me > 200 bob
            b GET /me > 200 rob
            """,
            """
            c GET /me > 401 no
            c POST /login {"user":"ann"} > 200
            c GET /me > 200 ann
            """
        ),
        CorpusCase(
            "A log-in by redirects",
            """
            a GET /me > 401 no
            a GET /login > 302 Location:/callback?code=77
            a GET /callback?code=77 > 302 Location:/me +sid=s-ann-1
            a GET /me > 200 ann
            """,
            """
            a GET /callback?code=77 > 302 Location:/me
            a GET /me > 200 ann
            b GET /me > 401 no
            """,
            """
            a GET /login > 302 Location:/callback?code=77
            a GET /me > 401 no
            """,
            """
            a GET /me > 401 no
            a GET /me > 401 no
            a GET /callback?code=77 > 302 Location:/me
            a GET /me > 200 ann
            """
        ),
    ]

    // MARK: Lists

    private static let lists = [
        CorpusCase(
            "Pages of a list",
            """
            a GET /items?page=1 > 200 [1,2]
            a GET /items?page=2 > 200 [3,4]
            a GET /items?page=3 > 200 []
            """,
            """
            a GET /items?page=3 > 200 []
            a GET /items?page=1 > 200 [1,2]
            """,
            """
            a GET /items?page=2 > 200 [3,4]
            a GET /items?page=2 > 200 [3,4]
            b GET /items?page=1 > 200 [1,2]
            """,
            """
            b GET /items?page=1 > 200 [1,2]
            a GET /items?page=3 > 200 []
            a GET /items?page=2 > 200 [3,4]
            """
        ),
        CorpusCase(
            "Pages of a list of which a row is removed",
            """
            a GET /items?page=1 > 200 [1,2]
            a GET /items?page=2 > 200 [3]
            a DELETE /items/1 > 204
            a GET /items?page=1 > 200 [2,3]
            a GET /items?page=2 > 200 []
            """,
            """
            a DELETE /items/1 > 204
            a GET /items?page=2 > 200 []
            a GET /items?page=1 > 200 [2,3]
            """,
            """
            a GET /items?page=2 > 200 [3]
            a DELETE /items/1 > 204
            a GET /items?page=2 > 200 []
            b GET /items?page=2 > 200 [3]
            """,
            """
            a GET /items?page=2 > 200 [3]
            a GET /items?page=1 > 200 [1,2]
            a GET /items?page=2 > 200 [3]
            """
        ),
        CorpusCase(
            "A row and the list that it is in",
            """
            a GET /tasks > 200 [{"id":1,"done":false}]
            a GET /tasks/1 > 200 {"id":1,"done":false}
            a PATCH /tasks/1 {"done":true} > 200 {"id":1,"done":true}
            a GET /tasks/1 > 200 {"id":1,"done":true}
            a GET /tasks > 200 [{"id":1,"done":true}]
            """,
            """
            a PATCH /tasks/1 {"done":true} > 200 {"id":1,"done":true}
            a GET /tasks > 200 [{"id":1,"done":true}]
            a GET /tasks/1 > 200 {"id":1,"done":true}
            """,
            """
            a GET /tasks/1 > 200 {"id":1,"done":false}
            a GET /tasks > 200 [{"id":1,"done":false}]
            a PATCH /tasks/1 {"done":true} > 200
            a PATCH /tasks/1 {"done":true} > 200
            a GET /tasks > 200 [{"id":1,"done":true}]
            """,
            """
            a PATCH /tasks/1 {"done":true} > 200
            b GET /tasks/1 > 200 {"id":1,"done":false}
            a GET /tasks/1 > 200 {"id":1,"done":true}
            """
        ),
        CorpusCase(
            "Two lists that have nothing to do with each other",
            """
            a GET /tasks > 200 []
            a GET /notes > 200 []
            a POST /tasks {"t":"x"} > 201
            a GET /tasks > 200 ["x"]
            a GET /notes > 200 []
            a POST /notes {"n":"y"} > 201
            a GET /notes > 200 ["y"]
            a GET /tasks > 200 ["x"]
            """,
            """
            a POST /notes {"n":"y"} > 201
            a GET /notes > 200 ["y"]
            a GET /tasks > 200 []
            """,
            """
            a POST /notes {"n":"y"} > 201
            a POST /tasks {"t":"x"} > 201
            a GET /tasks > 200 ["x"]
            a GET /notes > 200 ["y"]
            """,
            """
            a POST /tasks {"t":"x"} > 201
            a GET /notes > 200 []
            a GET /tasks > 200 ["x"]
            """
        ),
        CorpusCase(
            "Statistics are sent in between, and change nothing",
            """
            a GET /tasks > 200 []
            a POST /events {"e":"open"} > 204
            a POST /tasks {"t":"x"} > 201
            a POST /events {"e":"add"} > 204
            a GET /tasks > 200 ["x"]
            """,
            """
            a POST /events {"e":"add"} > 204
            a GET /tasks > 200 []
            a POST /tasks {"t":"x"} > 201
            a GET /tasks > 200 ["x"]
            """,
            """
            a POST /tasks {"t":"x"} > 201
            a GET /tasks > 200 ["x"]
            a POST /events {"e":"new"} > 204
            a GET /tasks > 200 ["x"]
            """,
            """
            a POST /events {"e":"open"} > 204
            a POST /events {"e":"add"} > 204
            a GET /tasks > 200 []
            """
        ),
        CorpusCase(
            "An order, and the orders",
            """
            a GET /orders > 200 []
            a POST /order {"item":"x"} > 303 Location:/orders/7
            a GET /orders/7 > 200 {"id":7}
            a GET /orders > 200 [7]
            """,
            """
            a POST /order {"item":"x"} > 303 Location:/orders/7
            a GET /orders > 200 [7]
            a GET /orders/7 > 200 {"id":7}
            """,
            """
            a GET /orders > 200 []
            a GET /orders > 200 []
            a POST /order {"item":"x"} > 303 Location:/orders/7
            a GET /orders > 200 [7]
            """,
            """
            a POST /order {"item":"x"} > 303
            b GET /orders > 200 []
            a GET /orders > 200 [7]
            """
        ),
        CorpusCase(
            "The same is added twice",
            """
            a POST /tags {"t":"x"} > 201 {"id":1}
            a POST /tags {"t":"x"} > 409 there_already
            a DELETE /tags/1 > 204
            a POST /tags {"t":"x"} > 201 {"id":1}
            """,
            """
            a POST /tags {"t":"x"} > 201 {"id":1}
            a DELETE /tags/1 > 204
            a POST /tags {"t":"x"} > 201 {"id":1}
            a POST /tags {"t":"x"} > 409 there_already
            """,
            """
            a DELETE /tags/1 > 204
            a POST /tags {"t":"x"} > 201 {"id":1}
            """,
            """
            a POST /tags {"t":"x"} > 201 {"id":1}
            a POST /tags {"t":"x"} > 409 there_already
            a POST /tags {"t":"x"} > 409 there_already
            b POST /tags {"t":"x"} > 201 {"id":1}
            """
        ),
        CorpusCase(
            "Bodies with times, and ids that grow",
            """
            a GET /log > 200 []
            a POST /log {"at":"2026-11-24T10:00:00Z","text":"a"} > 201 {"id":1}
            a GET /log > 200 ["a"]
            a POST /log {"at":"2026-11-24T10:00:09Z","text":"b"} > 201 {"id":2}
            a GET /log > 200 ["a","b"]
            """,
            """
            a POST /log {"at":"2027-01-01T00:00:00Z","text":"a"} > 201 {"id":1}
            a GET /log > 200 ["a"]
            a POST /log {"at":"2027-01-01T00:00:01Z","text":"b"} > 201 {"id":2}
            a GET /log > 200 ["a","b"]
            """,
            """
            a GET /log > 200 []
            a POST /log {"at":"2027-01-01T00:00:00Z","text":"a"} > 201 {"id":1}
            b GET /log > 200 []
            a GET /log > 200 ["a"]
            """,
            """
            a POST /log {"at":"2027-01-01T00:00:00Z","text":"b"} > 201 {"id":2}
            a GET /log > 200 []
            a POST /log {"at":"2027-01-01T00:00:00Z","text":"a"} > 201 {"id":1}
            a GET /log > 200 ["a"]
            """
        ),
    ]

    // MARK: Others

    private static let others = [
        CorpusCase(
            "A job that is polled",
            """
            a POST /jobs {"do":"x"} > 202 {"id":5}
            a GET /jobs/5 > 200 pending
            a GET /jobs/5 > 200 pending
            a GET /jobs/5 > 200 done
            a GET /jobs/5 > 200 done
            """,
            """
            a GET /jobs/5 > 200 pending
            a POST /jobs {"do":"x"} > 202 {"id":5}
            a GET /jobs/5 > 200 pending
            a GET /jobs/5 > 200 done
            """,
            """
            a POST /jobs {"do":"x"} > 202 {"id":5}
            a GET /jobs/5 > 200 pending
            b GET /jobs/5 > 200 pending
            b GET /jobs/5 > 200 pending
            b GET /jobs/5 > 200 done
            """,
            """
            a POST /jobs {"do":"x"} > 202 {"id":5}
            a GET /jobs/5 > 200 pending
            a GET /jobs/5 > 200 pending
            a GET /jobs/5 > 200 done
            a GET /jobs/5 > 200 done
            a GET /jobs/5 > 200 done
            """
        ),
        CorpusCase(
            "A clock that is read between changes",
            """
            a GET /time > 200 {"now":1}
            a GET /cart > 200 []
            a GET /time > 200 {"now":2}
            a POST /cart {"i":1} > 204
            a GET /time > 200 {"now":3}
            a GET /cart > 200 [1]
            a GET /time > 200 {"now":4}
            """,
            """
            a GET /time > 200 {"now":1}
            a GET /time > 200 {"now":2}
            a GET /time > 200 {"now":3}
            a GET /cart > 200 []
            """,
            """
            a POST /cart {"i":1} > 204
            a GET /cart > 200 [1]
            a GET /time > 200 {"now":1}
            """,
            """
            a GET /cart > 200 []
            a GET /time > 200 {"now":1}
            a POST /cart {"i":1} > 204
            a GET /cart > 200 [1]
            a GET /time > 200 {"now":2}
            """
        ),
        CorpusCase(
            "Uploads",
            """
            a GET /files > 200 []
            a POST /files --B1-file-one > 201 {"id":1}
            a GET /files > 200 [1]
            a POST /files --B1-file-two > 201 {"id":2}
            a GET /files > 200 [1,2]
            a GET /files/1 > 200 one
            """,
            """
            a POST /files --B1-file-two > 201 {"id":1}
            a GET /files > 200 [1]
            a POST /files --B1-file-six > 201 {"id":2}
            a GET /files > 200 [1,2]
            """,
            """
            a GET /files/1 > 200 one
            a GET /files > 200 []
            """,
            """
            a POST /files --B1-file-one > 201 {"id":1}
            b GET /files > 200 []
            b POST /files --B1-file-one > 201 {"id":1}
            b GET /files > 200 [1]
            """
        ),
        CorpusCase(
            "A light that is switched on and off",
            """
            a GET /light > 200 off
            a POST /switch > 204
            a GET /light > 200 on
            a POST /switch > 204
            a GET /light > 200 off
            a POST /switch > 204
            a GET /light > 200 on
            """,
            """
            a POST /switch > 204
            a POST /switch > 204
            a GET /light > 200 off
            """,
            """
            a POST /switch > 204
            a POST /switch > 204
            a POST /switch > 204
            a POST /switch > 204
            a POST /switch > 204
            a GET /light > 200 on
            """,
            """
            a POST /switch > 204
            a GET /light > 200 on
            b GET /light > 200 off
            """
        ),
        CorpusCase(
            "A counter that nobody looks at meanwhile",
            """
            a GET /count > 200 0
            a POST /count/up > 204
            a POST /count/up > 204
            a POST /count/up > 204
            a GET /count > 200 3
            """,
            """
            a POST /count/up > 204
            a GET /count > 200 0
            a POST /count/up > 204
            a POST /count/up > 204
            a GET /count > 200 3
            """,
            """
            a GET /count > 200 0
            a GET /count > 200 0
            """,
            """
            a POST /count/up > 204
            a POST /count/up > 204
            a POST /count/up > 204
            a POST /count/up > 204
            a GET /count > 200 3
            """
        ),
        CorpusCase(
            "A GET that changes something",
            """
            a GET /cart > 200 []
            a GET /cart > 200 []
            a GET /cart/add?item=x > 200 added
            a GET /cart > 200 ["x"]
            a GET /cart > 200 ["x"]
            """,
            """
            a GET /cart/add?item=x > 200 added
            a GET /cart > 200 ["x"]
            """,
            """
            a GET /cart > 200 []
            a GET /cart > 200 []
            a GET /cart > 200 []
            """,
            """
            a GET /cart/add?item=x > 200 added
            b GET /cart > 200 []
            a GET /cart > 200 ["x"]
            """
        ),
        CorpusCase(
            "GraphQL",
            """
            a POST /graphql {"query":"{tasks}"} > 200 {"data":[]}
            a POST /graphql {"query":"{me}"} > 200 {"data":"ann"}
            a POST /graphql {"query":"mutation{add}"} > 200 {"data":1}
            a POST /graphql {"query":"{tasks}"} > 200 {"data":[1]}
            a POST /graphql {"query":"{me}"} > 200 {"data":"ann"}
            """,
            """
            a POST /graphql {"query":"mutation{add}"} > 200 {"data":1}
            a POST /graphql {"query":"{tasks}"} > 200 {"data":[1]}
            a POST /graphql {"query":"{me}"} > 200 {"data":"ann"}
            """,
            """
            a POST /graphql {"query":"{tasks}"} > 200 {"data":[]}
            a POST /graphql {"query":"{tasks}"} > 200 {"data":[]}
            a POST /graphql {"query":"mutation{add}"} > 200 {"data":1}
            a POST /graphql {"query":"{tasks}"} > 200 {"data":[1]}
            """,
            """
            a POST /graphql {"query":"{me}"} > 200 {"data":"ann"}
            a POST /graphql {"query":"{tasks}"} > 200 {"data":[]}
            """
        ),
        CorpusCase(
            "A board on which everybody writes",
            """
            A GET /board @tok-ann-1 > 200 []
            B GET /board @tok-bob-1 > 200 []
            B POST /board {"m":"hi"} @tok-bob-1 > 204
            B GET /board @tok-bob-1 > 200 ["hi"]
            A GET /board @tok-ann-1 > 200 ["hi"]
            """,
            """
            B POST /board {"m":"hi"} @tok-bob-1 > 204
            B GET /board @tok-bob-1 > 200 ["hi"]
            A GET /board @tok-ann-1 > 200 []
            """,
            """
            A GET /board @tok-ann-1 > 200 []
            A GET /board @tok-ann-1 > 200 ["hi"]
            B GET /board @tok-bob-1 > 200 []
            """,
            """
            B GET /board @tok-bob-1 > 200 []
            B GET /board @tok-bob-1 > 200 []
            B POST /board {"m":"hi"} @tok-bob-1 > 204
            B GET /board @tok-bob-1 > 200 ["hi"]
            """
        ),
        CorpusCase(
            "Settings that are changed one after the other",
            """
            a GET /settings > 200 {"theme":"light","sound":true}
            a PUT /settings/theme {"v":"dark"} > 204
            a GET /settings > 200 {"theme":"dark","sound":true}
            a PUT /settings/sound {"v":false} > 204
            a GET /settings > 200 {"theme":"dark","sound":false}
            a PUT /settings/theme {"v":"light"} > 204
            a GET /settings > 200 {"theme":"light","sound":false}
            """,
            """
            a PUT /settings/theme {"v":"dark"} > 204
            a GET /settings > 200 {"theme":"dark","sound":true}
            a GET /settings > 200 {"theme":"dark","sound":true}
            """,
            """
            a PUT /settings/sound {"v":false} > 204
            a GET /settings > 200 {"theme":"light","sound":true}
            """,
            """
            a PUT /settings/theme {"v":"dark"} > 204
            a PUT /settings/sound {"v":false} > 204
            a GET /settings > 200 {"theme":"dark","sound":false}
            b GET /settings > 200 {"theme":"light","sound":true}
            """
        ),
    ]
}
