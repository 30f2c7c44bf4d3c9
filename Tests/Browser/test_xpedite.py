"""The customer application, to its end."""

import json

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from phone import PhoneTestCase


class XpediteTest(PhoneTestCase):
    def menu(self, entry):
        """Opens the menu at the side, and taps an entry."""
        self.phone.press(".start .bar-button")
        self.phone.tap(entry)

    def rows(self):
        return self.phone.script("return [...document.querySelectorAll('.app tbody tr')].map((row) => row.innerText.trim().split(/\\s*\\n\\s*|\\t/)[0])")

    def test_customers(self):
        phone = self.phone
        phone.open("/xpedite")
        phone.wait_for_title("Backlot Customers")
        # Who isn't logged in may look, and change nothing.
        phone.tap("Customers")
        phone.wait(lambda: len(self.rows()) >= 25, "the first rows")
        self.assertEqual(self.rows()[0], "Alice 1")
        phone.script("document.querySelector('.body').scrollTop = 1e6")
        phone.wait(lambda: len(self.rows()) >= 50, "the next rows")
        phone.driver.find_elements(By.CSS_SELECTOR, ".end .bar-button")[0].click()
        phone.tap("Add")
        phone.wait_for("Please log in first.")
        phone.tap("OK")
        # The log-in, wrong at first.
        self.menu("Log in")
        phone.wait_for_title("Log in")
        phone.enter("ada", "User name")
        phone.enter("wrong", "Password")
        self.driver.find_element(By.CSS_SELECTOR, ".sign[aria-label='Log in']").click()
        phone.wait_for("Password: is not right")
        phone.enter("secret", [name for name in self.labels() if name.startswith("Password")][0])
        self.driver.find_element(By.CSS_SELECTOR, ".sign[aria-label='Log in']").click()
        phone.wait_for("Welcome, ada")
        # A new customer, wrong at first: what was typed stays.
        phone.tap("Customers")
        phone.wait(lambda: len(self.rows()) >= 25, "the rows")
        phone.driver.find_elements(By.CSS_SELECTOR, ".end .bar-button")[0].click()
        phone.tap("Add")
        phone.wait_for_title("Add Customer")
        phone.enter("Zoë <b>", "Name")
        phone.tap("Save")
        phone.wait_for("Email: must have an @")
        phone.enter("zoe@example.com", [name for name in self.labels() if name.startswith("Email")][0])
        phone.script("const date = document.querySelector('input[type=date]'); date.value = '1990-06-15'; date.dispatchEvent(new Event('change'))")
        phone.script("[...document.querySelectorAll('.radio label')].find((label) => label.textContent === 'Large').click()")
        phone.tap("Save")
        phone.wait_for_title("Zoë <b>")
        for text in ["zoe@example.com", "Born on 1990-06-15", "Active", "Plan: Large"]:
            phone.wait_for(text)
        # The search finds it, and the way out.
        self.menu("Search")
        phone.wait_for_title("Search")
        phone.enter("Zoë", "Part of a name")
        phone.script("document.querySelector('.app .body button').click()")
        phone.wait(lambda: phone.button("Zoë <b>"), "who was looked for")
        phone.tap("Zoë <b>")
        phone.wait_for_title("Zoë <b>")
        self.menu("About")
        phone.wait_for_title("About")
        # The session's own values, by its token.
        phone.tab("State")
        phone.wait(lambda: "ada" in phone.inside, "the session")
        phone.tab("Test")
        phone.wait(lambda: 'try await app.tap("Save")' in phone.inside, "the test")
        phone.tab("Tree")
        phone.wait(lambda: "navigation" in phone.inside, "the tree")
        self.menu("Log out")
        phone.wait_for("Log in to change them")

    def press(self, selector, key):
        """Presses a key in an element, without scrolling to it."""
        self.phone.script("document.querySelector(arguments[0]).focus({preventScroll: true})", selector)
        ActionChains(self.driver).send_keys(key).perform()

    def test_the_keyboard_keeps_its_place(self):
        phone = self.phone
        phone.open("/xpedite")
        phone.tap("Customers")
        phone.wait(lambda: len(self.rows()) == 25 and phone.is_calm, "the first rows")
        row = lambda: phone.script("return [...document.querySelectorAll('.app tbody tr')].indexOf(document.activeElement)")
        self.press(".app .more", Keys.ENTER)
        phone.wait(lambda: len(self.rows()) == 50 and phone.is_calm, "the next rows")
        self.assertEqual(row(), 25)
        phone.script("document.querySelectorAll('.app tbody tr')[3].focus()")
        phone.script("document.querySelector('.app .more').click()")
        phone.wait(lambda: len(self.rows()) == 75 and phone.is_calm, "the next rows")
        self.assertEqual(row(), 3)
        self.press(".app .refresh", Keys.ENTER)
        phone.wait(lambda: len(self.rows()) == 25 and phone.is_calm, "the rows anew")
        is_there = lambda selector: phone.script("return document.activeElement.matches(arguments[0])", selector)
        self.assertTrue(is_there(".app .refresh"))
        # A panel gives the focus back.
        self.press(".end .bar-button", Keys.ENTER)
        phone.wait(lambda: is_there(".layer button"), "the menu")
        ActionChains(self.driver).send_keys(Keys.ESCAPE).perform()
        phone.wait(lambda: phone.script("return document.querySelector('.app .layer') === null"), "the end of the menu")
        self.assertTrue(is_there(".end .bar-button"))

    def labels(self):
        return self.phone.script("return [...document.querySelectorAll('.app input, .app textarea')].map((field) => field.getAttribute('aria-label') ?? '')")

    def test_a_kept_page_is_shown_when_the_server_is_away(self):
        phone = self.phone
        phone.open("/xpedite")
        phone.tap("About this app")
        phone.wait_for_title("About")
        self.menu("Home")
        phone.wait_for_title("Backlot Customers")
        phone.tab("Faults")
        self.driver.find_element(By.CSS_SELECTOR, "select[aria-label=Connection]").send_keys("EMPTY")
        self.driver.find_element(By.XPATH, "//button[.='Let them fail']").click()
        phone.tap("About this app")
        phone.wait_for_title("About")
        phone.tab("Log")
        self.assertIn("failed", phone.inside)

    def test_rows_that_failed_to_load_are_loaded_by_hand(self):
        phone = self.phone
        phone.open("/xpedite")
        phone.tap("Customers")
        phone.wait(lambda: len(self.rows()) == 25 and phone.is_calm, "the first rows")
        phone.tab("Faults")
        self.driver.find_element(By.CSS_SELECTOR, "select[aria-label=Status]").send_keys("503")
        self.driver.find_element(By.XPATH, "//button[.='Let them fail']").click()
        phone.script("document.querySelector('.body').scrollTop = 1e6")
        phone.wait_for("The server answered 503")
        self.assertEqual(len(self.rows()), 25)
        phone.tap("More…")
        phone.wait(lambda: len(self.rows()) >= 50, "the next rows")

    def swipe(self, start, end):
        """Swipes across the screen, from one part of its width to another."""
        screen = self.phone.box(".xpedite")
        chain = ActionChains(self.driver, duration=50)
        pointer = chain.w3c_actions.pointer_action
        for step, part in enumerate([start, (start + end) / 2, end]):
            pointer.move_to_location(int(screen["left"] + part * screen["width"]), int(screen["top"] + 300))
            if step == 0:
                pointer.pointer_down()
        pointer.pointer_up()
        chain.perform()

    def test_a_swipe_from_the_edge_brings_the_menu(self):
        phone = self.phone
        phone.open("/xpedite")
        panel = "return document.querySelector('.side-panel') !== null"
        self.swipe(0.3, 0.7)
        self.assertFalse(phone.script(panel))
        self.swipe(0.02, 0.5)
        phone.wait(lambda: phone.script(panel), "the menu")
        # Its cross stands beside the first row.
        first, cross = phone.box(".first-row > :first-child"), phone.box(".close-panel")
        self.assertLess(cross["top"], first["bottom"])
        self.assertGreater(cross["bottom"], first["top"])
        self.assertLessEqual(first["right"], cross["left"] + 1)
        self.swipe(0.6, 0.1)
        phone.wait(lambda: not phone.script(panel), "the page without its menu")

    def test_a_dialog_stands_in_front_of_its_page(self):
        phone = self.phone
        phone.open("/xpedite")
        self.menu("Log in")
        phone.wait_for_title("Log in")
        self.assertTrue(phone.script("return document.querySelector('.page > .form-layer > .dialog') !== null && document.querySelector('.body').inert"))
        # What was typed goes out with the cross, too.
        phone.enter("ada", "User name")
        phone.script("const send = window.fetch; window.sent = []; window.fetch = (...all) => { window.sent.push(String(all[1]?.body)); return send(...all); }")
        self.driver.find_elements(By.CSS_SELECTOR, ".dialog .sign")[0].click()
        phone.wait_for_title("Backlot Customers")
        sent = [json.loads(body) for body in phone.script("return window.sent") if body.startswith('{"method":"home"')]
        self.assertEqual([list(packet["formdata"].values()) for packet in sent], [[{"user": "ada", "password": ""}]])

    def test_places_and_looks(self):
        phone = self.phone
        phone.open("/xpedite")
        found = self.driver.execute_async_script("""
            const done = arguments[arguments.length - 1];
            Promise.all(['layout', 'style'].map((name) => import(`/__preview/web/xpedite/${name}.js`))).then(([{ arrange }, { dress }]) => {
              const place = document.createElement('div');
              place.style.cssText = 'position: relative; width: 400px';
              for (const size of [{ x: 0, width: 50 }, { 'width%': 50 }, {}, { 'x+': 8, 'relative-width%': 50 }, { 'width%': 25, centrex: 0 }, { x: 'left', width: null }]) {
                const child = document.createElement('div');
                child.style.position = 'absolute';
                child.dataset.size = JSON.stringify(size);
                place.append(child);
              }
              document.body.append(place);
              arrange(place, { width: 400, height: 800 });
              const places = [...place.children].map((child) => [child.offsetLeft, child.offsetWidth]);
              place.remove();
              const looks = [[{}, { background: '#003366' }], [{ background: '#FFFFFF' }, { background: '#003366' }], [{ color: '#FF0000' }, {}], [{}, { background: 'blue' }]].map(([component, defaults]) => {
                const { style } = dress(document.createElement('p'), component, defaults);
                return [style.backgroundColor, style.color];
              });
              done([places, looks]);
            });
        """)
        self.assertEqual(found[0], [[0, 50], [0, 200], [16, 368], [392, 4], [150, 100], [16, 368]])
        self.assertEqual(found[1], [["rgb(0, 51, 102)", "rgb(255, 255, 255)"], ["rgb(255, 255, 255)", "rgb(0, 0, 0)"], ["", "rgb(255, 0, 0)"], ["", ""]])

    def test_cells_are_mirrored_from_right_to_left(self):
        phone = self.phone
        phone.open("/xpedite")
        phone.tap("Customers")
        phone.wait(lambda: len(self.rows()) >= 25, "the rows")
        self.driver.find_element(By.XPATH, "//select[option[.='Right to left']]").send_keys("Right to left")
        align = "return getComputedStyle(document.querySelector('.app tbody td > span')).textAlign"
        phone.wait(lambda: phone.script(align) == "right", "Latin names at the right")
