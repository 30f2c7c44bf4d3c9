"""The page of mocks that hold no pages: their routes, the last requests, and the clients' state."""

import unittest
import urllib.error
import urllib.request

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from axe import serious
from phone import Phone, open_browser
from server import MockFolder, Server

MARKUP = "<img src=x onerror='window.hacked=1'>"


class MocksTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = MockFolder()
        cls.addClassCleanup(cls.folder.close)
        for path, text in {
            "users.crud.yaml": "rows: [{id: 1, name: Ada}]",
            "orders/[id].get.yaml": "responses:\n- scenarioName: order\n  requiredScenarioState: shipped\n  jsonBody: {state: shipped}\n- jsonBody: {state: open}\n",
            "orders/[id].put.yaml": "request: {json: {state: shipped}}\nscenarioName: order\nnewScenarioState: shipped\nstatus: 204\n",
            "data/settings.yaml": "value: {theme: dark}",
            "theme.get.json": '{"theme": "{{data.settings.theme}}", "count": {{size data.users}}}',
        }.items():
            file = cls.folder.path / path
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)
        cls.server = Server("mock", "--routes", str(cls.folder.path))
        cls.addClassCleanup(cls.server.stop)
        cls.driver = open_browser()
        cls.addClassCleanup(cls.driver.quit)
        cls.phone = Phone(cls.driver, cls.server.url)

    def setUp(self):
        self.driver.delete_all_cookies()
        self.driver.get(f"{self.server.url}/__preview/web/icon.svg")
        self.phone.script("sessionStorage.clear()")
        self.driver.get(f"{self.server.url}/")
        self.phone.wait(lambda: len(self.routes) >= 5, "the routes")
        self.phone.wait(lambda: "live" in self.driver.find_element(By.CSS_SELECTOR, ".connection").text, "the connection")

    def tearDown(self):
        self.assertEqual(self.phone.complaints(), [])

    @property
    def routes(self):
        return self.phone.script(
            "return [...document.querySelectorAll('.routes summary')].filter((row) => row.checkVisibility()).map((row) => [...row.querySelectorAll('.method, .url, .file')].map((one) => one.textContent).join(' '))"
        )

    def open(self, route):
        """Opens the form of a route."""
        row = self.driver.find_elements(By.CSS_SELECTOR, ".routes .route")[self.routes.index(route)]
        if row.get_attribute("open") is None:
            row.find_element(By.CSS_SELECTOR, ".url").click()
        self.phone.wait(lambda: row.find_elements(By.CSS_SELECTOR, ".result"), "the form")
        return row

    def send(self, row):
        self.phone.script("arguments[0].querySelector('.result').firstElementChild?.setAttribute('data-is-old', '')", row)
        row.find_element(By.XPATH, ".//button[.='Send']").click()
        self.phone.wait(lambda: row.find_elements(By.CSS_SELECTOR, ".result > :first-child:not([data-is-old])"), "the response")
        return row.find_element(By.CSS_SELECTOR, ".result").text

    def ask(self, path, headers={}, data=None, method=None):
        request = urllib.request.Request(self.server.url + path, data, headers, method=method)
        try:
            return urllib.request.urlopen(request).read().decode()
        except urllib.error.HTTPError as error:
            return error.read().decode()

    def test_routes_are_listed_and_tried(self):
        self.assertIn("GET /orders/{id} orders/[id].get.yaml", self.routes)
        self.assertEqual([tab.text for tab in self.driver.find_elements(By.CSS_SELECTOR, "[role=tab]") if tab.is_displayed()], ["Editor", "Log", "State", "Faults"])
        self.assertIn("open", self.send(self.open("GET /orders/{id} orders/[id].get.yaml")))
        row = self.open("PUT /orders/{id} orders/[id].put.yaml")
        row.find_element(By.CSS_SELECTOR, "[aria-label=Body]").send_keys('{"state": "shipped"}')
        self.assertIn("204", self.send(row))
        # The cookie that came with it is this client's.
        self.assertIn("shipped", self.send(self.open("GET /orders/{id} orders/[id].get.yaml")))
        self.assertIn("open", self.ask("/orders/1"))
        self.assertIn("/orders/1", self.phone.inside)
        fields = row.find_element(By.CSS_SELECTOR, "[aria-label='Header fields']")
        fields.send_keys("no field")
        self.assertIn("is no header field: write a name, a colon and a value", self.send(row))
        url = row.find_element(By.CSS_SELECTOR, "[aria-label=URL]")
        url.clear()
        url.send_keys("https://example.com/")
        self.assertIn("Requests go to this server only", self.send(row))
        self.driver.find_element(By.CSS_SELECTOR, "[aria-label=Filter]").send_keys("USERS")
        self.phone.wait(lambda: self.routes and all("users" in route for route in self.routes), "the filter")

    def test_last_requests_say_what_came_near(self):
        self.ask(f"/order/7?{urllib.request.quote(MARKUP)}")
        self.driver.refresh()
        row = self.phone.wait(lambda: [row for row in self.driver.find_elements(By.CSS_SELECTOR, ".requests .route") if "/order/7" in row.text], "the request from before")[0]
        self.assertIn("no route", row.text)
        row.find_element(By.CSS_SELECTOR, ".url").click()
        self.assertIn("The nearest:", row.text)
        self.assertIn("orders/[id].get.yaml", row.text)
        self.assertIsNone(self.phone.script("return window.hacked ?? null"))
        # And as they come.
        self.ask("/theme", {"User-Agent": "another phone"})
        self.phone.wait(lambda: any("/theme" in row.text for row in self.driver.find_elements(By.CSS_SELECTOR, ".requests .route")), "the next request")
        self.assertIn("another phone", self.phone.inside)

    def use(self, by, selector, action):
        """Finds an element and uses it; once more if it is drawn anew in between."""
        def used():
            action(self.driver.find_element(by, selector))
            return True

        self.phone.wait(used, selector)

    def set_settings(self, text):
        self.use(By.CSS_SELECTOR, "[aria-label='Data settings']", lambda field: (field.send_keys(Keys.CONTROL, "a"), field.send_keys(text)))
        self.use(By.XPATH, "//button[.='Set settings']", lambda button: button.click())

    def test_the_state_is_this_client_s(self):
        theme = "GET /theme theme.get.json"
        self.assertIn('"dark"', self.send(self.open(theme)))
        row = self.open("ANY /users users.crud.yaml")
        self.phone.script("const select = arguments[0].querySelector('select'); select.value = 'POST'; select.dispatchEvent(new Event('change'));", row)
        row.find_element(By.CSS_SELECTOR, "[aria-label=Body]").send_keys('{"name": "Grace"}')
        self.assertIn("201", self.send(row))
        self.phone.tab("State")
        self.phone.wait(lambda: "This client's own" in self.phone.inside, "the state")
        users = "[aria-label='Data users']"
        self.phone.wait(lambda: "Grace" in self.driver.find_element(By.CSS_SELECTOR, users).get_attribute("value"), "the new user")
        self.set_settings('{"theme": "light"}')
        self.phone.wait(lambda: '"light"' in self.send(self.open(theme)), "the new data")
        self.assertIn('"dark"', self.ask("/theme"))
        ship = "arguments[0].value = 'shipped'; arguments[0].dispatchEvent(new Event('change'));"
        self.use(By.CSS_SELECTOR, "[aria-label='State of order']", lambda choice: self.phone.script(ship, choice))
        self.phone.wait(lambda: "shipped" in self.send(self.open("GET /orders/{id} orders/[id].get.yaml")), "the scenario's state")
        self.assertIn("open", self.ask("/orders/1"))
        self.set_settings("broken")
        self.phone.wait(lambda: "It isn't set" in self.phone.problem, "the refusal")
        self.use(By.XPATH, "//button[.='Begin anew']", lambda button: button.click())
        self.phone.wait(lambda: '"dark"' in self.send(self.open(theme)), "the first data")

    def test_a_route_s_file_opens_in_the_editor(self):
        self.driver.find_element(By.XPATH, "//button[.='theme.get.json']").click()
        code = "return document.querySelector('.code-editor .CodeMirror')?.CodeMirror.getValue() ?? document.querySelector('.plain-editor')?.value ?? ''"
        self.phone.wait(lambda: "{{data.settings.theme}}" in self.phone.script(code), "the file")
        # A tag in the place of a number is nothing wrong.
        self.phone.wait(lambda: "Nothing is wrong" in self.phone.inside, "the judgement")
        (self.folder.path / "new.get.json").write_text("{}")
        self.phone.wait(lambda: "GET /new new.get.json" in self.routes, "a new file")
        (self.folder.path / "new.get.json").unlink()
        self.phone.wait(lambda: "GET /new new.get.json" not in self.routes, "its end")

    def test_other_programs_get_404_at_the_root(self):
        self.assertIn("No mock answers GET /", self.ask("/"))
        self.assertIn("No mock answers GET /", self.ask("/", {"Accept": "application/json"}))

    def test_axe_finds_nothing_serious(self):
        self.open("GET /theme theme.get.json")
        self.phone.tab("State")
        self.phone.wait(lambda: "Data settings" in self.driver.page_source, "the state")
        self.assertEqual(serious(self.driver), [])


class ClockTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = MockFolder()
        cls.addClassCleanup(cls.folder.close)
        (cls.folder.path / "index.page.yaml").write_text("typ: nav_page\ntitle: A day\nwidget:\n  typ: text\n  text: 'today is {{now.date}}'\n")
        cls.server = Server("mock", "--routes", str(cls.folder.path))
        cls.addClassCleanup(cls.server.stop)
        cls.driver = open_browser()
        cls.addClassCleanup(cls.driver.quit)
        cls.phone = Phone(cls.driver, cls.server.url)

    def time(self, text):
        return self.phone.script("return new Date(arguments[0]).toLocaleTimeString([], { hour: 'numeric', minute: '2-digit', hour12: false })", text)

    @property
    def shown(self):
        return self.phone.script("return document.querySelector('.status-bar .clock').textContent")

    def put(self, body):
        urllib.request.urlopen(urllib.request.Request(f"{self.server.url}/__admin/clock", body.encode(), method="PUT")).read()

    def test_the_phone_shows_the_time_of_the_mocks(self):
        self.phone.open("/")
        self.assertEqual(self.shown, "9:41")
        # Another program sets the clock of all.
        self.put('{"now": "2020-02-02T10:17:00Z", "speed": 0}')
        self.phone.wait(lambda: "today is 2020-02-02" in self.phone.text, "the page of that day")
        self.phone.wait(lambda: self.shown == self.time("2020-02-02T10:17:00Z"), "the time")
        self.assertEqual(self.phone.script("return import('/__preview/web/main.js').then((all) => new Date(all.$core_clock.now()).toISOString())"), "2020-02-02T10:17:00.000Z")
        # State shows and sets it.
        self.phone.tab("State")
        find = lambda: self.driver.find_element(By.CSS_SELECTOR, "[aria-label=\"The mocks' clock\"]")

        def enter(text):
            # The field may be drawn anew in between.
            self.phone.wait(lambda: (find().send_keys(Keys.CONTROL, "a"), find().send_keys(text, Keys.ENTER)), "the field")

        self.phone.wait(lambda: find().get_attribute("value").startswith("2020-02-02T10:17:00"), "the clock")
        enter("tomorrow")
        self.phone.wait(lambda: "is no time" in self.phone.problem, "the refusal")
        enter("1999-12-31T23:58:00Z")
        self.phone.wait(lambda: "today is 1999-12-31" in self.phone.text, "the other day")
        self.phone.wait(lambda: self.shown == self.time("1999-12-31T23:58:00Z"), "the other time")
        self.driver.find_element(By.XPATH, "//button[.=\"System's clock\"]").click()
        self.phone.wait(lambda: self.shown == "9:41", "the usual time")
        self.phone.wait(lambda: "1999" not in self.phone.text, "today's page")
        self.assertEqual(self.phone.complaints(), [])


if __name__ == "__main__":
    unittest.main()
