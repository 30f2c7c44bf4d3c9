"""The line of time, and what is replayed from it."""

import json
import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from axe import serious
from phone import Phone, PhoneTestCase
from server import MockFolder, Server

MARKUP = "<img src=x onerror=alert(1)><script>alert(1)</script>"


def page(*widgets, title="Page"):
    return json.dumps({"page": {"typ": "nav_page", "title": title, "widget": {"typ": "scroll", "widget": {"typ": "form", "widgets": widgets}}}})


class TimeTest(PhoneTestCase):
    @property
    def moments(self):
        return self.phone.script("return [...document.querySelectorAll('.moment .what')].map((one) => one.textContent.replace(/, \\d+ ms/, ''))")

    def choose(self, text):
        self.phone.wait(lambda: any(text in one for one in self.moments), f"the moment {text!r}")
        self.driver.find_element(By.XPATH, f"//*[@class='what'][contains(., '{text}')]/ancestor::button").click()

    @property
    def then(self):
        return self.phone.script("return document.querySelector('.app.then')?.innerText ?? null")

    @property
    def state(self):
        return self.driver.find_element(By.CSS_SELECTOR, ".time .note").text

    def replay(self):
        self.driver.find_element(By.XPATH, "//button[normalize-space(.)='Replay from here']").click()
        self.phone.wait(lambda: self.state.startswith(("Replayed", "The replay ended")), "the end of the replay")
        return self.state

    def asked(self, method, path):
        """How often this phone has asked."""
        rows = self.phone.script("return [...document.querySelectorAll('.log summary')].map((row) => [row.querySelector('.method').textContent, row.querySelector('.url').textContent])")
        return rows.count([method, path])

    def sign_up(self):
        phone = self.phone
        phone.open("/objects/new_account")
        phone.enter("Ada", "Username")
        phone.tap("I agree")
        phone.tap("Create Account")
        phone.wait_for_title("Backlot Demo")
        phone.tab("Time")

    def test_everything_that_happened_is_on_the_line(self):
        self.sign_up()
        self.phone.wait(lambda: "POST /objects/create_account → 200" in self.moments, "the rpc")
        wanted = ["GET /objects/new_account → 200", "Shows New Account", "Enter “Ada” into “Username”", "Tap “I agree”", "Tap “Create Account”", "POST /objects/create_account → 200", "Shows Backlot Demo"]
        found = [moment for moment in self.moments if moment in wanted]
        self.assertEqual(list(dict.fromkeys(found)), wanted)

    def test_the_phone_as_it_was(self):
        phone = self.phone
        self.sign_up()
        self.choose("Tap “I agree”")
        self.assertIn("Create Account", self.then)
        self.assertIn("As it was at", self.driver.find_element(By.CSS_SELECTOR, ".then-bar").text)
        # Before the tap the name was there, and the check wasn't.
        values = phone.script("return [...document.querySelectorAll('.then :is(textarea, input)')].map((field) => field.type === 'checkbox' ? field.checked : field.value)")
        self.assertEqual(values, ["Ada", False])
        self.assertIn('"username": "Ada"', phone.inside)
        self.assertIn("/new_account", phone.inside)
        # By the keyboard, one moment after the other.
        self.driver.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
        self.assertEqual(phone.script("return document.querySelector('.then input[type=checkbox]')?.checked"), True)
        slider = self.driver.find_element(By.CSS_SELECTOR, ".time-slider")
        slider.send_keys(Keys.HOME)
        self.assertNotIn("Backlot Demo", self.then)
        self.driver.find_element(By.XPATH, "//button[normalize-space(.)='Back to now']").click()
        self.assertIsNone(self.then)
        self.assertEqual(phone.title, "Backlot Demo")
        phone.tap("New Account")

    def test_a_moment_leaves_the_choice_on_the_phone(self):
        mocks = MockFolder()
        self.addCleanup(mocks.close)
        mocks.form("app", {"type": "radio", "name": "size", "value": "a", "options": {"a": "Small", "b": "Large"}})
        server = Server("mock", "--routes", str(mocks.path))
        self.addCleanup(server.stop)
        phone = Phone(self.driver, server.url)
        phone.open("/app")
        phone.tab("Time")
        phone.script("document.querySelectorAll('.app .radio label')[1].click()")
        self.choose("Shows Form")
        chosen = lambda layer: phone.script("return [...document.querySelectorAll(`${arguments[0]} [type=radio]`)].map((one) => one.checked)", layer)
        self.assertEqual(chosen(".app.then"), [True, False])
        self.assertEqual(chosen(".app:not(.then)"), [False, True])

    def test_the_view_inside_shows_the_moment(self):
        phone = self.phone
        self.sign_up()
        stop = self.driver.find_element(By.XPATH, "//button[normalize-space(.)='Stop']")
        self.assertFalse(stop.is_displayed())
        self.choose("Tap “I agree”")
        place = lambda: self.driver.find_element(By.CSS_SELECTOR, ".place").text
        self.assertEqual(place(), "/new_account")
        phone.tab("Tree")
        self.assertIn("form_button\nCreate Account", phone.inside)
        self.driver.find_element(By.XPATH, "//li[@role='treeitem'][contains(., 'checkbox')]").click()
        self.assertEqual(self.driver.find_element(By.CSS_SELECTOR, ".app.then [data-chosen]").text, "I agree")
        phone.tab("JSON")
        self.assertIn('"title": "New Account"', phone.inside)
        phone.tab("State")
        self.assertIn('username\t"Ada"', phone.inside)
        self.assertNotIn("agree\ttrue", phone.inside)
        self.assertNotIn("Expire the session", phone.inside)
        self.driver.find_element(By.XPATH, "//button[normalize-space(.)='Back to now']").click()
        self.assertEqual(place(), "/")
        self.assertIn("agree\ttrue", phone.inside)
        self.assertIn("Expire the session", phone.inside)
        phone.tab("JSON")
        self.assertIn('"title": "Backlot Demo"', phone.script("return document.querySelector('.json').textContent"))

    def test_replay_finds_buttons_whose_badges_and_numbers_change(self):
        mocks = MockFolder()
        self.addCleanup(mocks.close)
        go = lambda text, target, **more: {"typ": "nav_button", "text": text, "actions": [f"push:{target}"], **more}
        mocks.page("index", page(go("Other", "/other", badge_text="{{counter}}"), go("Cart", "/cart", badge_text="{{counter}}", sub_text="{{counter}} things"), go("Visit {{counter}}", "/cart"), title="Start"))
        mocks.page("other", page({"typ": "text", "text": "Wrong"}, title="Other"))
        mocks.page("cart", page(go("Pay", "/paid"), title="Cart"))
        mocks.page("paid", page({"typ": "text", "text": "Thanks"}, title="Paid"))
        server = Server("mock", "--routes", str(mocks.path))
        self.addCleanup(server.stop)
        phone = Phone(self.driver, server.url)
        phone.open("/")
        phone.tap("Cart")
        phone.wait_for_title("Cart")
        phone.tap("Pay")
        phone.wait_for_title("Paid")
        phone.tap("Back")
        phone.tap("Back")
        phone.wait_for_title("Start")
        phone.script("[...document.querySelectorAll('.app .nav-button')].at(-1).click()")
        phone.wait_for_title("Cart")
        phone.tab("Time")
        self.choose("Tap “Cart”")
        self.assertEqual(self.replay(), "Replayed: 5 actions.")
        phone.wait_for_title("Cart")
        # From a page above others, back to those below: they are loaded before.
        phone.script("[...document.querySelectorAll('.moment')].find((one) => one.textContent.includes('Tap “Back”')).click()")
        self.assertIn("Replayed:", self.replay())
        phone.wait_for_title("Cart")

    def test_replay_begins_anew_where_it_finds_no_other_way_back(self):
        phone = self.phone
        phone.open("/mock/desk")
        phone.enter("Ada", "Name")
        phone.enter("1234", "PIN")
        phone.tap("Save")
        phone.wait_for("Night Trains")
        phone.tap("Log Out")
        phone.wait_for("You are logged out.")
        phone.tab("Time")
        self.choose("Tap “Log Out”")
        # What was sent by the form isn't sent again by itself, but it is entered again.
        self.assertEqual(self.replay(), "Replayed: 1 action.")
        phone.wait_for("You are logged out.")
        self.assertEqual(sum("Begins anew" in moment for moment in self.moments), 3)

    def test_the_session_as_it_was(self):
        phone = self.phone
        phone.open("/members")
        phone.wait_for("Please log in.")
        phone.tab("State")
        self.driver.find_element(By.CSS_SELECTOR, ".log-in input").send_keys("grace", Keys.ENTER)
        phone.tap("Back")
        phone.wait(lambda: "grace" in phone.text, "the page of a member")
        phone.tab("Time")
        self.driver.find_element(By.CSS_SELECTOR, ".time-slider").send_keys(Keys.END)
        self.driver.find_elements(By.CSS_SELECTOR, ".moment")[-1].click()
        phone.wait(lambda: '"grace"' in phone.inside, "the session")

    def test_replay_from_here(self):
        phone = self.phone
        self.sign_up()
        before = self.asked("POST", "/objects/create_account")
        self.choose("Tap “I agree”")
        self.assertEqual(self.replay(), "Replayed: 2 actions.")
        phone.wait_for_title("Backlot Demo")
        self.assertEqual(self.asked("POST", "/objects/create_account"), before + 1)
        self.assertIsNone(self.then)

    def test_a_replay_that_can_not_go_on_says_why(self):
        mocks = MockFolder()
        self.addCleanup(mocks.close)
        mocks.page("index", page({"typ": "nav_button", "text": "On", "actions": ["push:/next"]}, title="Start"))
        mocks.page("next", page({"typ": "nav_button", "text": "Further", "actions": ["push:/last"]}, title="Next"))
        mocks.page("last", page({"typ": "text", "text": "The end"}, title="Last"))
        server = Server("mock", "--routes", str(mocks.path))
        self.addCleanup(server.stop)
        phone = Phone(self.driver, server.url)
        phone.open("/")
        phone.tap("On")
        phone.tap("Further")
        phone.wait_for_title("Last")
        phone.tab("Time")
        mocks.page("next", page({"typ": "text", "text": "No way on"}, title="Next"))
        phone.wait(lambda: "changed" in phone.problem, "the change")
        self.choose("Tap “On”")
        said = self.replay()
        self.assertIn("The replay ended early. Tap “Further”: there is no such thing on Next now.", said)

    def test_other_protocols(self):
        phone = self.phone
        phone.open("/views/dashboard.json")
        phone.tab("Time")
        self.assertIn("GET /views/dashboard.json → 200", self.moments)
        phone.open("/floki/v1-app")
        phone.wait_for("Old bridge closed for a week")
        phone.tap("Photos")
        phone.tap("News")
        phone.tap("Culture (4)")
        phone.wait_for("Concerts in the garden")
        phone.tab("Time")
        self.choose("Tap “News”")
        self.assertEqual(self.replay(), "Replayed: 2 actions.")
        phone.wait_for("Concerts in the garden")
        phone.open("/xpedite")
        phone.tap("Customers")
        phone.wait(lambda: "Grace 7" in phone.text, "the rows")
        phone.tab("Time")
        self.choose("Tap “Customers”")
        self.assertEqual(self.replay(), "Replayed: 1 action.")
        phone.wait(lambda: "Grace 7" in phone.text, "the rows again")

    def interactions(self):
        """How many interactions of Dynamic Views this phone has sent."""
        return self.phone.script("return [...document.querySelectorAll('.exchange .note')].filter((note) => note.textContent === 'interaction').length")

    def tap(self, selector):
        """Taps the first such element, and waits until the interaction is answered."""
        before = self.interactions()
        self.phone.press(f".app {selector}")
        self.phone.wait(lambda: self.interactions() > before and self.phone.is_calm, f"the answer to {selector}")

    def test_interactions_are_replayed(self):
        phone = self.phone
        phone.open("/views/profile.json")
        self.tap(".toggle")
        for _ in range(5):
            self.tap(".version .tap")
        self.driver.find_element(By.CSS_SELECTOR, ".layer input").send_keys("Snabble", Keys.ENTER)
        select = phone.wait(lambda: self.driver.find_element(By.CSS_SELECTOR, ".app select"), "developer mode")
        before = self.interactions()
        phone.script("arguments[0].selectedIndex = 1; arguments[0].dispatchEvent(new Event('change', {bubbles: true}))", select)
        phone.wait(lambda: self.interactions() == before + 1 and phone.is_calm, "the choice")
        phone.tab("Time")
        moments = [moment for moment in self.moments if moment.startswith(("Tap", "Enter", "Choose"))]
        self.assertEqual(len(moments), 9, moments)
        looks = lambda: phone.script("return [document.querySelector('.toggle input').checked, document.querySelector('.app select')?.selectedIndex]")
        wanted = looks()
        before = self.interactions()
        # From the first tap, and from the fourth one on the version: the next one asks for the password.
        for count in [9, 5]:
            phone.script("[...document.querySelectorAll('.moment')].filter((one) => /^(Tap|Enter|Choose)/.test(one.querySelector('.what').textContent)).at(-arguments[0]).click()", count)
            self.assertEqual(self.replay(), f"Replayed: {count} actions.")
            self.assertEqual(looks(), wanted)
        self.assertEqual(self.interactions(), before + 7 + 3)

    def test_axe_finds_nothing_serious(self):
        self.sign_up()
        self.choose("Tap “I agree”")
        self.assertEqual(serious(self.driver), [])

    def test_bad_pages(self):
        mocks = MockFolder()
        self.addCleanup(mocks.close)
        mocks.page("index", page({"typ": "nav_button", "text": MARKUP, "actions": ["push:/many"]}, {"typ": "textfield", "var_name": MARKUP, "label": MARKUP}, title=MARKUP))
        mocks.page("many", page(*[{"typ": "nav_button", "text": f"Button {n}", "actions": ["pop"]} for n in range(10_000)], title="Many"))
        server = Server("mock", "--routes", str(mocks.path))
        self.addCleanup(server.stop)
        phone = Phone(self.driver, server.url)
        phone.open("/")
        phone.tab("Time")
        phone.enter(MARKUP, MARKUP)
        for _ in range(3):
            phone.tap(MARKUP)
            phone.wait_for_title("Many")
            phone.tap("Button 1")
            phone.wait_for_title(MARKUP)
        # The pictures of that many pages aren't all kept.
        kept = phone.script("return document.querySelectorAll('.moment').length")
        self.assertGreater(kept, 12)
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, ".time img, .time script"), [])
        self.driver.find_elements(By.CSS_SELECTOR, ".moment")[0].click()
        self.assertIsNotNone(self.then)
        self.driver.find_elements(By.CSS_SELECTOR, ".moment")[-1].click()
        self.assertIn(MARKUP, self.then)


if __name__ == "__main__":
    unittest.main()
