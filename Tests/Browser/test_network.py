"""Networks: the phone's own, those that commands set for all clients, and what the log says of them."""

import json
import unittest
import urllib.request

from selenium.webdriver.common.by import By

from axe import serious
from phone import Phone, PhoneTestCase, open_browser
from server import MockFolder, Server


def page(text):
    rpc = {"typ": "form_button", "text": "Order", "actions": ["rpc:/order"]}
    widgets = [{"typ": "text", "text": text}, rpc]
    return json.dumps({"page": {"typ": "nav_page", "title": "Shop", "widget": {"typ": "scroll", "widget": {"typ": "form", "widgets": widgets}}}})


class Log:
    """What the log shows of requests to a path, each as one text."""

    def __init__(self, phone):
        self.phone = phone

    def rows(self, path):
        rows = self.phone.script(
            "return [...document.querySelectorAll('.log summary')].map((row) => [row.querySelector('.url').textContent, row.textContent])"
        )
        return [text for url, text in rows if url == path]

    def wait_for(self, path, *texts):
        """Waits for a request with all these texts: polls may have come after it."""
        self.phone.wait(lambda: any(all(text in row for text in texts) for row in self.rows(path)), f"{texts} in the log, which shows {self.rows(path)}")


class NetworkTest(PhoneTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.log = Log(cls.phone)

    def setUp(self):
        self.phone.open("/objects/actions")
        self.phone.wait(lambda: self.phone.script("return document.querySelector('.connection.on') !== null"), "the live connection")

    def restart(self):
        self.driver.find_element(By.XPATH, "//button[normalize-space(.)='Restart']").click()

    def test_faults_of_all_clients_leave_the_browser_s_own_request_alone(self):
        mocks = MockFolder()
        self.addCleanup(mocks.close)
        mocks.page("index", page("In stock"))
        server = Server("mock", "--routes", str(mocks.path))
        self.addCleanup(server.stop)
        order = urllib.request.Request(f"{server.url}/__admin/faults", json.dumps({"status": 503, "path": "/"}).encode())
        self.assertIn(urllib.request.urlopen(order).status, (200, 201))
        phone = Phone(self.driver, server.url)
        phone.open("/")
        # The shell is there, and the page's own request has met the fault.
        phone.wait_for("The server could not answer.")

    def test_offline_and_back(self):
        self.phone.choose("network", "offline")
        self.restart()
        self.phone.wait_for("The server can't be reached.")
        self.phone.tab("Log")
        self.log.wait_for("/objects/", "offline", "It never came to the server", "failed")
        self.assertEqual(serious(self.driver), [])
        self.phone.choose("network", "online")
        self.restart()
        self.phone.wait_for_title("Backlot Demo")
        self.log.wait_for("/objects/", "Sent again", "200")
        self.assertNotIn("offline", self.log.rows("/objects/")[-1])

    def test_a_slow_network_takes_its_time(self):
        self.phone.choose("network", "3g")
        self.phone.tap("poll")
        self.phone.tab("Log")
        self.phone.wait(lambda: self.log.rows("/objects/actions")[-1].endswith(" ms"), "the answer")
        row = self.log.rows("/objects/actions")[-1]
        self.assertIn("3g", row)
        self.assertGreaterEqual(int(row.split()[-2].rsplit("200")[-1]), 300, row)

    def test_an_rpc_whose_answer_is_lost_is_done_twice(self):
        self.phone.tab("Faults")
        self.phone.script(
            "const select = document.querySelector('select[aria-label=Connection]');"
            "select.value = 'LOST_RESPONSE';"
        )
        self.driver.find_element(By.XPATH, "//button[normalize-space(.)='Let them fail']").click()
        self.assertIn("answer=lost, for 1 more", self.phone.inside)
        self.phone.tap("rpc")
        self.phone.wait_for("The server can't be reached.")
        self.phone.tab("Log")
        self.log.wait_for("/objects/ok", "The server did it (200); the answer was lost", "failed")
        # The error's page is above the page, which a person goes back to, to try once more.
        self.phone.tap("Back")
        self.phone.tap("rpc")
        self.phone.wait(lambda: self.phone.is_calm)
        self.log.wait_for("/objects/ok", "Sent again; the server has done it ", " times", "200")


class CommandTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = MockFolder()
        cls.addClassCleanup(cls.folder.close)
        cls.folder.page("index", page("Welcome"))
        cls.folder.raw("/order", "", method="POST")
        cls.server = Server("mock", "--routes", str(cls.folder.path))
        cls.addClassCleanup(cls.server.stop)
        cls.driver = open_browser()
        cls.addClassCleanup(cls.driver.quit)
        cls.phone = Phone(cls.driver, cls.server.url)
        cls.log = Log(cls.phone)

    def tearDown(self):
        self.assertEqual(self.phone.complaints(), [])

    def command(self, method, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.server.url}/__admin/network", data=data, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def ask(self, path, method="GET"):
        request = urllib.request.Request(self.server.url + path, method=method, headers={"User-Agent": "till"})
        with urllib.request.urlopen(request) as answer:
            return answer.status

    def test_a_command_takes_all_clients_off_the_network(self):
        self.phone.open("/")
        self.phone.wait_for("Welcome")
        self.phone.wait(lambda: self.phone.script("return document.querySelector('.connection.on') !== null"), "the live connection")
        self.assertEqual(self.command("PUT", {"profile": "offline"}), {"client": "anyone", "network": "offline"})
        self.phone.tap("Order")
        self.phone.wait_for("The server can't be reached.")
        with self.assertRaises(OSError):
            self.ask("/order", "POST")
        self.phone.tab("Log")
        self.log.wait_for("/order", "till", "offline", "It never came to the server")
        self.assertEqual(self.command("DELETE"), {"removed": 1})
        self.assertEqual(self.ask("/order", "POST"), 200)
        self.log.wait_for("/order", "till", "200", "Sent again")
        self.command("PUT", {"downlink": 1000, "cuts": 100})
        for _ in range(20):
            with self.assertRaises(OSError):
                self.ask("/order", "POST")
        self.command("DELETE")
        self.phone.wait(lambda: any("The server did it (200); the answer was lost" in row for row in self.log.rows("/order")), "a lost answer")
        self.phone.wait(lambda: any("ent again; the server has done it" in row for row in self.log.rows("/order")), "an order that was done twice")


if __name__ == "__main__":
    unittest.main()
