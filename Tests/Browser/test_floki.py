"""The newspaper, in both of its languages."""

import http.server
import threading
import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from canned import canned
from held import Held
from phone import Phone, open_browser
from server import Server, free_port


class FlokiTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(port=free_port())
        cls.addClassCleanup(lambda: cls.server.stop())
        cls.driver = open_browser()
        cls.addClassCleanup(cls.driver.quit)
        cls.phone = Phone(cls.driver, cls.server.url)

    def setUp(self):
        self.phone.open("/floki/v1-app")
        self.phone.wait_for("New ferry reaches the harbour")

    def tearDown(self):
        self.assertEqual(self.phone.complaints(), [])

    def frame_text(self):
        """What the page of HTML says that is shown."""
        frame = self.driver.find_element(By.CSS_SELECTOR, ".app iframe")
        self.assertEqual(frame.get_attribute("sandbox"), "allow-same-origin")
        self.driver.switch_to.frame(frame)
        try:
            return self.driver.find_element(By.TAG_NAME, "body").text
        finally:
            self.driver.switch_to.default_content()

    def follow(self, text):
        """Taps a link on the page of HTML."""
        self.phone.script(
            "[...document.querySelector('.app iframe').contentDocument.links].find((link) => link.textContent === arguments[0]).click()", text)

    def choose(self, name, value):
        """Sets one of the phone's own choices."""
        self.phone.script(
            "const select = document.querySelector(`[data-choice='${arguments[0]}']`); select.value = arguments[1];"
            "select.dispatchEvent(new Event('change', {bubbles: true}))", name, value)

    def cells(self):
        return self.driver.find_elements(By.CSS_SELECTOR, ".app .cell")

    def asked(self):
        """The URLs in the log."""
        return self.phone.script("return [...document.querySelectorAll('.log .url')].map((one) => one.textContent)")

    def test_sections_open_and_close(self):
        phone = self.phone
        self.assertNotIn("Concerts in the garden", phone.text)
        phone.tap("Culture (4)")
        phone.wait_for("Concerts in the garden")
        self.assertNotIn("New ferry reaches the harbour", phone.text)
        # By the keyboard, which keeps its place.
        self.driver.switch_to.active_element.send_keys(Keys.ENTER)
        phone.wait(lambda: "Concerts in the garden" not in phone.text, "the closed section")
        self.assertEqual(self.driver.switch_to.active_element.text, "Culture (4)")
        self.assertEqual(self.driver.switch_to.active_element.get_attribute("aria-expanded"), "false")

    def test_an_ipad_shows_lists_beside_what_is_chosen(self):
        phone = self.phone
        shown = lambda selector: phone.script("return document.querySelector(arguments[0])?.checkVisibility() ?? false", f".app {selector}")
        title = lambda: phone.script("return document.querySelector('.page .title').textContent")
        self.choose("size", "Tablet")
        self.phone.press(".rotate")
        self.assertIn("Browse the sections and select an item", phone.text)
        self.assertTrue(shown(".lists .tab-bar"))
        phone.tap("Old bridge closed for a week")
        phone.wait(lambda: "Cyclists take the lane" in self.frame_text(), "the item's page")
        self.assertTrue(shown(".lists .entry"))
        # Another one takes its place, and the bar has nothing to go back to.
        phone.tap("The market opens on Sundays")
        phone.wait(lambda: title() == "The market opens on Sundays", "the other item")
        self.assertFalse(shown(".page .back"))
        phone.tab("Test")
        self.assertIn("try app.back()", phone.inside)
        phone.tab("Tree")
        # It stays while the list beside it changes.
        frame = phone.script("return window.frame = document.querySelector('.app iframe')")
        phone.tap("Culture (4)")
        phone.wait_for("Concerts in the garden")
        self.assertTrue(phone.script("return document.querySelector('.app iframe') === window.frame"), frame)
        # Held high, the lists are in front of it on demand.
        self.phone.press(".rotate")
        self.assertFalse(shown(".lists"))
        self.phone.press(".lists-button")
        self.assertTrue(shown(".lists"))
        self.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        self.assertFalse(shown(".lists"))
        self.phone.press(".lists-button")
        phone.tap("Concerts in the garden")
        phone.wait(lambda: title() == "Concerts in the garden", "the item from the list in front")
        self.assertFalse(shown(".lists"))
        # Android has one view at a time.
        self.choose("platform", "Android")
        self.assertFalse(shown(".lists-button"))
        self.choose("platform", "iOS")
        self.choose("size", "Phone")

    def test_items_and_the_links_on_their_pages(self):
        phone = self.phone
        phone.tap("Culture (4)")
        phone.tap("Concerts in the garden")
        phone.wait(lambda: "Each Friday in June" in self.frame_text(), "the item's page")
        # The item before it in its section.
        self.phone.press("[aria-label='The item before']")
        phone.wait(lambda: "nobody counts" in self.frame_text(), "the other item's page")
        self.phone.press("[aria-label='The next item']")
        phone.wait(lambda: "Each Friday in June" in self.frame_text(), "the item's page")
        # Its tag opens what else has it.
        self.follow("food")
        phone.wait_for("The market opens on Sundays")
        self.assertEqual(phone.title, "food")
        phone.tap("The market opens on Sundays")
        phone.wait(lambda: "bring your own bags" in self.frame_text(), "the page of what was found")
        phone.tab("Test")
        self.assertIn('try await app.follow("/floki/tags/food")\n', phone.inside)
        phone.tab("Tree")
        # All of it is there after a reload.
        self.driver.refresh()
        phone.wait(lambda: "bring your own bags" in self.frame_text(), "the page after a reload")
        phone.tap("Back")
        phone.wait_for("The market opens on Sundays")
        phone.tap("Back")
        phone.tap("Back")
        phone.wait_for("Town (4)")
        # A link that stands for a video opens its facade.
        phone.tap("About")
        phone.wait(lambda: "sample newspaper" in self.frame_text(), "the page")
        self.follow("See the harbour")
        phone.wait_for("The harbour, filmed")
        self.assertTrue(self.driver.find_element(By.CSS_SELECTOR, ".play").is_displayed())

    def test_the_search_goes_on_to_its_end(self):
        phone = self.phone
        phone.enter("harbour\n", "Search")
        phone.wait_for("Rowers win by a length")
        phone.tap("More…")
        phone.wait(lambda: "More…" not in phone.text, "the end of the search")
        self.assertIn("Rowers win by a length", phone.text)
        phone.enter("zeppelin\n", "Search")
        phone.wait_for("Nothing was found for “zeppelin”.")
        phone.tap("Cancel")
        phone.wait_for("Town (4)")

    def test_pictures(self):
        phone = self.phone
        phone.tap("Photos")
        phone.wait(lambda: len(self.cells()) == 12, "the first photos")
        phone.tap("More…")
        phone.wait(lambda: len(self.cells()) == 24, "older photos")
        self.assertTrue(any("/floki/photos/en?d=2&l=29&h=40&o=29" in url for url in self.asked()), self.asked())
        phone.press(".app .cell")
        phone.wait_for("Photo 40")
        self.phone.press(".step[aria-label='The next photo']")
        phone.wait_for("Photo 39")
        phone.press(".step[aria-label='Enlarge']")
        enlarge = self.driver.find_element(By.CSS_SELECTOR, ".step[aria-label='Enlarge']")
        self.assertEqual(enlarge.get_attribute("aria-pressed"), "true")
        phone.tap("Back")
        # A gallery in the news has its own geometry: six in a row, each 46 by 73 of 320.
        phone.tap("News")
        phone.tap("Culture (4)")
        phone.tap("All photos")
        phone.wait(lambda: len(self.cells()) == 12, "the nested gallery")
        phone.drawn()
        tops = [cell.rect["y"] for cell in self.cells()[:7]]
        self.assertEqual(len(set(tops[:6])), 1)
        self.assertGreater(tops[6], tops[0])
        size = self.cells()[0].size
        self.assertAlmostEqual(size["height"] / size["width"], 73 / 46, delta=0.05)

    def test_android_is_poorer(self):
        phone = self.phone
        self.choose("platform", "Android")
        try:
            phone.wait(lambda: "Movie" not in [tab.text for tab in self.driver.find_elements(By.CSS_SELECTOR, ".tab-bar [role=tab]")], "the tabs of Android")
            phone.tap("Photos")
            phone.wait(lambda: len(self.cells()) == 12, "the first photos")
            self.assertNotIn("More…", phone.text)
            phone.tap("News")
            phone.tap("Culture (4)")
            phone.tap("All photos")
            phone.wait(lambda: "Android 1.1 ignores this tap" in phone.problem, "a note on the tap")
        finally:
            self.choose("platform", "iOS")

    def test_the_movie(self):
        phone = self.phone
        phone.tap("Movie")
        phone.wait_for("The harbour in the morning.")
        play = self.driver.find_element(By.CSS_SELECTOR, ".play")
        self.assertTrue(play.is_displayed())
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, ".app video"), [])
        play.click()
        phone.wait(lambda: self.driver.find_elements(By.CSS_SELECTOR, ".app video") or "This movie can't be played here." in phone.text, "the movie")

    def test_sharing(self):
        phone = self.phone
        phone.tap("New ferry reaches the harbour")
        phone.wait(lambda: "runs on batteries" in self.frame_text(), "the item's page")
        self.share()
        phone.wait_for("Share this story")
        for choice in ["Copy address", "Send email", "Post to Twitter", "Post to Facebook"]:
            self.assertIn(choice, phone.text)
        self.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        phone.wait(lambda: "Share this story" not in phone.text, "the sheet's end")
        self.share()
        phone.tap("Cancel")
        phone.wait(lambda: "Share this story" not in phone.text, "the sheet's end")

    def share(self):
        """Presses the button, wherever the page is on its way in."""
        self.phone.script("document.querySelector('[data-key=share]').click()")

    def test_the_other_language(self):
        phone = self.phone
        phone.script("const select = document.querySelector('.language'); select.value = 'es'; select.dispatchEvent(new Event('change'))")
        phone.wait_for("Noticias")
        phone.wait_for("El puente viejo, cerrado una semana")
        phone.tap("Acerca de")
        phone.wait(lambda: "periódico de prueba" in self.frame_text(), "the page")
        phone.tap("Noticias")
        self.driver.refresh()
        phone.wait_for("El puente viejo, cerrado una semana")

    def test_scripts_of_pages_do_not_run(self):
        """A page can be looked at from the shell, for its links; so it must be unable to do anything itself."""
        phone = self.phone
        phone.tap("About")
        phone.wait(lambda: "sample newspaper" in self.frame_text(), "the page")
        phone.script("""
            const page = document.querySelector('.app iframe').contentDocument;
            const script = page.createElement('script');
            script.textContent = "parent.document.title = 'run'";
            page.body.append(script);
            const link = page.createElement('a');
            link.href = "javascript:parent.document.title='run'";
            page.body.append(link);
            link.click();
        """)
        phone.wait(lambda: "is left alone" in phone.problem, "what preview says of the link")
        self.assertNotEqual(phone.script("return document.title"), "run")
        said = [one["message"] for one in phone.complaints()]
        self.assertTrue(said and all("sandboxed" in one for one in said), said)

    def test_pages_load_nothing_from_other_hosts(self):
        """Another port is another origin."""
        phone = self.phone
        asked = []

        class Elsewhere(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                self.send_error(404)

            def log_message(self, *arguments):
                pass

        elsewhere = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
        self.addCleanup(elsewhere.server_close)
        self.addCleanup(elsewhere.shutdown)
        threading.Thread(target=elsewhere.serve_forever, daemon=True).start()
        phone.tap("About")
        phone.wait(lambda: "sample newspaper" in self.frame_text(), "the page")
        add = """
            const page = document.querySelector('.app iframe').contentDocument;
            const picture = page.createElement('img');
            for (const event of ['load', 'error']) picture.addEventListener(event, () => arguments[1](event));
            picture.src = arguments[0];
            page.body.append(picture);
        """
        self.assertEqual(self.driver.execute_async_script(add, f"{self.server.url}/image.png"), "load")
        self.assertEqual(self.driver.execute_async_script(add, f"http://127.0.0.1:{elsewhere.server_port}/spy.png"), "error")
        self.assertEqual(asked, [])
        said = [one["message"] for one in phone.complaints()]
        self.assertTrue(said and all("Content Security Policy" in one for one in said), said)

    def test_tabs_by_the_keyboard(self):
        phone = self.phone
        phone.button("News").send_keys(Keys.ARROW_RIGHT)
        self.driver.switch_to.active_element.send_keys(Keys.ENTER)
        phone.wait(lambda: len(self.cells()) == 12, "the photos")
        self.assertEqual(self.driver.switch_to.active_element.text, "Photos")

    def test_a_change_while_the_feed_is_on_its_way_is_shown(self):
        phone = self.phone
        feeds = [{"items": [{"id": 1, "title": f"Edition {number}", "body": "", "url": "/floki/items/1"}]} for number in [1, 2, 3]]
        with canned(self.driver, {"/floki/news/en": feeds}):
            phone.open("/floki/v1-app")
            phone.wait_for("Edition 1")
            held = Held(phone, "/floki/news/en")
            self.phone.press("[data-key=reload]")
            held.wait()
            # The feed is to be requested again after the version indicator and the app data, which are checked first.
            checks = lambda: phone.script("return performance.getEntriesByType('resource').filter(({name}) => name.endsWith('/__preview/inspect')).length")
            before = checks()
            self.driver.find_element(By.XPATH, "//button[normalize-space(.)='Refresh']").click()
            phone.wait(lambda: checks() >= before + 2, "the app data")
            held.let_go()
            # By its age, the feed is requested after a minute.
            phone.wait(lambda: "Edition 3" in phone.text, "the feed after the change", 30)

    def test_the_view_inside(self):
        phone = self.phone
        phone.tab("Tree")
        self.assertIn("section", phone.inside)
        self.driver.find_element(By.XPATH, "//*[contains(@class, 'tree')]//*[contains(text(), 'New ferry')]").click()
        self.assertIn("New ferry", self.driver.find_element(By.CSS_SELECTOR, ".app [data-chosen]").text)
        phone.tap("New ferry reaches the harbour")
        phone.tap("Back")
        phone.enter("harbour\n", "Search")
        phone.wait_for("Rowers win by a length")
        phone.tap("Photos")
        phone.tab("Test")
        lines = [line.strip() for line in phone.inside.splitlines()]
        first = lines.index("try await app.launch()")
        self.assertEqual(lines[first:first + 7], [
            "try await app.launch()", 'try await app.show("News")', "try await app.open(1)", "try app.back()", 'try await app.search("harbour")',
            'try await app.show("Photos")', '#expect(app.screen?.title == "Photos")'])
        phone.tab("State")
        self.assertIn("language", phone.inside)

    def test_a_server_that_goes_away_and_comes_back(self):
        phone = self.phone
        self.server.stop()
        try:
            phone.wait(lambda: "server gone" in phone.script("return document.querySelector('.connection').textContent"), "the sign")
            # What there is stays, and what isn't there is said.
            self.phone.press("[data-key=reload]")
            phone.wait_for("No answer: ")
            self.assertIn("New ferry reaches the harbour", phone.text)
            phone.tap("New ferry reaches the harbour")
            phone.wait_for("The page can't be shown.")
        finally:
            type(self).server = Server(port=self.server.port)
        phone.wait(lambda: self.driver.find_elements(By.CSS_SELECTOR, ".app iframe") and "runs on batteries" in self.frame_text(), "the page, when the server is back")
        phone.tap("Back")
        phone.wait(lambda: "No answer: " not in phone.text and "New ferry" in phone.text, "the list")
