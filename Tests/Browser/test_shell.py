"""The window around the phone: the list of apps, the controls above the phone, and the room that both sides have."""

import json
import math
import time
import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from axe import serious
from phone import PhoneTestCase, not_in_webkit, prefer
from server import MockFolder, Server

# The colours of section headers are those of the released clients.
REFERENCE_COLOURS = [".section-head .main"]


class ShellTest(PhoneTestCase):
    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def test_home_lists_every_app(self):
        self.driver.get(f"{self.server.url}/__preview/")
        names = [link.text for link in self.driver.find_elements(By.CSS_SELECTOR, ".app-card h2 a")]
        self.assertEqual(names, sorted(names))
        for name in ["/", "/objects/", "/xpedite", "/floki/", "/floki/desk/", "/floki/desk/objects/", "/views/", "/mock/"]:
            self.assertIn(name, names)
        for index in range(len(names)):
            self.driver.get(f"{self.server.url}/__preview/")
            self.driver.find_elements(By.CSS_SELECTOR, ".app-card h2 a")[index].click()
            self.phone.wait(lambda: self.phone.is_calm or self.driver.find_elements(By.CSS_SELECTOR, ".routes .route"), f"the app at {names[index]}")
            self.find(".all-apps").click()
            self.phone.wait(lambda: self.find(".home h1").text == "Apps of this server", "the way back")

    def test_names_in_the_list_are_texts(self):
        mocks = MockFolder()
        self.addCleanup(mocks.close)
        folder = mocks.path / "<img src=x onerror=alert(1)>"
        folder.mkdir()
        (folder / "index.page.json").write_text(json.dumps({"page": {"typ": "plain_page", "widget": {"typ": "text", "text": "There"}}}))
        server = Server("mock", "--routes", str(mocks.path))
        self.addCleanup(server.stop)
        # Nothing answers at the root, so a browser sees the list.
        self.driver.get(f"{server.url}/")
        self.assertEqual(self.find(".home h1").text, "Apps of this server")
        self.assertEqual(self.find(".app-card.mocks h2 a").get_attribute("href"), f"{server.url}/__preview/mocks")
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, "img"), [])

    def test_the_controls_say_what_they_are(self):
        phone = self.phone
        phone.open("/objects/new_account")
        controls = {control.find_element(By.CSS_SELECTOR, ".caption").text: control for control in self.driver.find_elements(By.CSS_SELECTOR, ".control")}
        self.assertEqual(list(controls), ["Device", "Rotate", "Platform", "Colours", "Text size", "Direction", "Zoom", "Network", "Client"])
        for label, control in controls.items():
            self.assertIsNotNone(control.find_element(By.CSS_SELECTOR, "svg"))
            self.assertTrue(control.is_displayed(), label)

    def test_a_device_is_turned(self):
        phone = self.phone
        phone.open("/objects/new_account")
        button = self.find(".rotate")
        before = phone.box(".screen")
        self.assertLess(before["width"], before["height"])
        button.click()
        self.assertEqual(button.get_attribute("aria-pressed"), "true")
        after = phone.box(".screen")
        self.assertAlmostEqual(after["width"] / after["height"], 844 / 390, places=1)
        self.assertLessEqual(phone.box(".phone")["right"], phone.box(".phone-side")["right"])
        # It stays so when the window is loaded again.
        phone.open("/objects/new_account", fresh=False)
        self.assertGreater(phone.box(".screen")["width"], phone.box(".screen")["height"])
        self.find(".rotate").click()

    def test_a_tablet_is_large_enough_to_read(self):
        phone = self.phone
        phone.open("/objects/new_account")
        phone.choose("size", "Tablet")
        phone.wait(lambda: phone.box(".screen")["height"] > 0.74 * phone.script("return innerHeight"), "a tablet that takes the height")
        self.find(".rotate").click()
        phone.wait(lambda: phone.box(".screen")["width"] > 0.55 * phone.script("return innerWidth"), "a wide tablet that takes the width")

    def test_zoom(self):
        phone = self.phone
        phone.open("/objects/new_account")
        for zoom, width in [("0.5", 195), ("1", 390), ("2", 780)]:
            phone.choose("zoom", zoom)
            phone.wait(lambda: abs(phone.box(".screen")["width"] - width) < 2, f"the zoom {zoom}")
        # What has no room is scrolled to, from its first corner on.
        self.assertGreaterEqual(phone.box(".phone")["top"], phone.box(".stage")["top"])
        self.assertGreater(phone.script("const {scrollHeight, clientHeight} = document.querySelector('.stage'); return scrollHeight - clientHeight"), 200)

    @not_in_webkit("it tells the places of zoomed parts in their own pixels")
    def test_the_divider_is_moved_by_keys_and_by_the_mouse(self):
        phone = self.phone
        phone.open("/objects/new_account")
        divider = self.find(".divider")
        before = phone.box(".phone-side")["width"]
        divider.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.assertAlmostEqual(phone.box(".phone-side")["width"], before + 64, delta=1)
        self.assertEqual(divider.get_attribute("aria-valuenow"), str(round(before + 64)))
        divider.send_keys(Keys.END)
        self.assertGreaterEqual(phone.box(".inside")["width"], 320)
        divider.send_keys(Keys.HOME)
        self.assertAlmostEqual(phone.box(".phone-side")["width"], 320, delta=1)
        self.assertLessEqual(phone.box(".phone")["right"], phone.box(".phone-side")["right"])

    def test_the_json_stands_beside_the_tree_where_there_is_room(self):
        phone = self.phone
        phone.open("/objects/new_account")
        phone.tab("Tree")
        phone.wait(lambda: '"typ": "textfield"' in self.find(".json").text, "the JSON beside the tree")
        self.driver.find_element(By.XPATH, "//li[@role='treeitem'][contains(., 'checkbox')]").click()
        self.assertIn('"typ": "checkbox",', [line.text for line in self.driver.find_elements(By.CSS_SELECTOR, ".json .chosen")])
        phone.tab("Log")
        self.assertFalse(self.find(".json").is_displayed())
        phone.tab("Tree")
        self.find(".divider").send_keys(Keys.END)
        phone.wait(lambda: not self.find(".json").is_displayed(), "the JSON's end")
        phone.tab("JSON")
        self.assertTrue(self.find(".json").is_displayed())

    @not_in_webkit("its driver runs no foreign scripts where trusted types are required")
    def test_axe_finds_nothing_serious(self):
        phone = self.phone
        self.driver.get(f"{self.server.url}/__preview/")
        self.assertEqual(serious(self.driver), [], "the list of apps")
        for path in ["/objects/new_account", "/xpedite", "/floki/v1-app", "/views/dashboard.json"]:
            for theme in ["Light", "Dark"]:
                phone.open(path)
                prefer(self.driver, theme.lower())
                tabs = [tab.text for tab in self.driver.find_elements(By.CSS_SELECTOR, ".tabs [role=tab]")]
                for name in tabs if path.startswith("/objects") else tabs[:1]:
                    phone.tab(name)
                    with self.subTest(path, theme=theme, tab=name):
                        self.assertEqual(serious(self.driver, REFERENCE_COLOURS), [])
        prefer(self.driver, None)

    def test_the_first_paint_comes_soon(self):
        """The shortest of several times, in milliseconds after the address was entered. It tries for a minute at most, because the machine may be busy."""
        times = []
        end = time.monotonic() + 60

        def best():
            return min((milliseconds for path, milliseconds in times if path.startswith("/objects")), default=math.inf)

        paths = ["/objects/new_account", "/objects/new_account", "/__preview/", "/floki/v1-app", "/floki/v1-app"]
        while paths or (best() >= 1000 and time.monotonic() < end):
            path = paths.pop(0) if paths else "/objects/new_account"
            self.driver.get(self.server.url + path)
            times.append((path, round(self.phone.wait(lambda: self.phone.script("return performance.getEntriesByName('first-contentful-paint')[0]?.startTime"), "the first paint"))))
        print("first paint, ms:", times)
        self.assertLess(best(), 1000)


if __name__ == "__main__":
    unittest.main()
