"""The preview in a browser, used as a person would."""

import json
import os
import time
import unittest

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from firefox import Firefox
from server import Server
from webkit import WebKit

PATIENCE = float(os.environ.get("BACKLOT_PATIENCE", "60"))


def open_browser(width=1400, height=1000, environment=None):
    """Chromium, or the browser that BACKLOT_BROWSER names: firefox or webkit."""
    others = {"firefox": Firefox, "webkit": WebKit}
    if other := others.get(os.environ.get("BACKLOT_BROWSER")):
        return other(width, height)
    options = Options()
    options.binary_location = "/usr/bin/chromium"
    for argument in [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--no-first-run",
        "--force-color-profile=srgb",
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--window-size={width},{height}",
    ]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver", env=environment))
    # The checks of axe take seconds of the processor, and the browser may have to wait for it.
    driver.set_script_timeout(300)
    return driver


def not_in_webkit(reason):
    """Leaves a test out in WebKitGTK."""
    return unittest.skipIf(os.environ.get("BACKLOT_BROWSER") == "webkit", reason)


def prefer(driver, theme):
    """Has the open page drawn for those who prefer "light" or "dark"; None is as the browser is. Others than Chromium can't be told what
    to prefer: there only what follows from the window's own colours changes."""
    if isinstance(driver, (Firefox, WebKit)):
        driver.execute_script("document.documentElement.style.colorScheme = arguments[0]", theme or "")
    else:
        features = [{"name": "prefers-color-scheme", "value": theme}] if theme else []
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


class Phone:
    """A window with preview."""

    def __init__(self, driver, url):
        self.driver = driver
        self.url = url

    def open(self, path, fresh=True):
        """Opens a page. `fresh` forgets what the window knew before."""
        if fresh:
            self.driver.delete_all_cookies()
            self.driver.get(f"{self.url}/__preview/web/icon.svg")
            self.driver.execute_script("sessionStorage.clear()")
        self.driver.get(self.url + path)
        self.wait(lambda: self.is_calm)

    @property
    def is_calm(self):
        """Whether a page is there, and nothing is being done."""
        return self.script(
            "const page = document.querySelector('.app .page');"
            "return page !== null && page.getAttribute('aria-busy') === 'false' && !page.textContent.includes('Load Page');"
        )

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def script_milliseconds(self):
        """How long scripts have used the processor, in Chromium and after Performance.enable with threadTicks."""
        metrics = self.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return 1000 * next(metric["value"] for metric in metrics if metric["name"] == "ScriptDuration")

    def catch_copies(self):
        """From now on, the window keeps the text that it copies, for `copied`."""
        self.script("navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); };")

    def copied(self):
        return self.wait(lambda: self.script("return window.copied"), "the copied text")

    def drawn(self):
        """Waits until the browser has drawn what scripts have changed. Observers of sizes, which fit the phone to its side, run
        between a script and the picture."""
        self.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")

    def box(self, selector):
        """Where the first such element is drawn: its left, right, top, bottom, width and height, in pixels."""
        self.drawn()
        return self.script("return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()", selector)

    def wait(self, condition, what="it", patience=PATIENCE):
        end = time.monotonic() + patience
        while True:
            try:
                found = condition()
                if found:
                    return found
            except (StaleElementReferenceException, NoSuchElementException):
                pass
            assert time.monotonic() < end, f"waited in vain for {what}; the screen shows: {self.text!r}"
            time.sleep(0.02)

    @property
    def screen(self):
        return self.driver.find_element(By.CSS_SELECTOR, ".app")

    @property
    def text(self):
        return self.script("return document.querySelector('.app')?.innerText ?? document.body?.innerText ?? ''")

    @property
    def title(self):
        return self.script("return document.querySelector('.page')?.getAttribute('aria-label')")

    @property
    def stack(self):
        return json.loads(self.script("return sessionStorage.getItem(Object.keys(sessionStorage).find((key) => key.endsWith(':stack')))"))

    def wait_for(self, text):
        self.wait(lambda: text in self.text, f"the text {text!r}")

    def wait_for_title(self, title):
        self.wait(lambda: self.title == title and self.is_calm, f"the page {title!r}")

    def button(self, text):
        """The button with a text; of several the one in front."""
        found = self.script(
            """
            const layer = document.querySelector('.app .layer');
            const all = [...(layer ?? document.querySelector('.app')).querySelectorAll('button, label.checkbox')];
            const name = (element) => (element.querySelector('.main') ?? element.querySelector('.words') ?? element).textContent.trim();
            return all.find((element) => name(element) === arguments[0]) ?? null;
            """,
            text,
        )
        if found is None:
            raise NoSuchElementException(text)
        return found

    def tap(self, text):
        button = self.wait(lambda: self.button(text), f"the button {text!r}")
        self.script("arguments[0].scrollIntoView({block: 'center'})", button)
        self.wait(lambda: self.clicked(lambda: self.button(text)), f"a tap on {text!r}")
        self.wait(lambda: self.is_calm or self.script("return document.querySelector('.app .layer') !== null"))

    @staticmethod
    def clicked(find):
        try:
            find().click()
            return True
        except WebDriverException:
            return False

    def press(self, selector):
        """Clicks an element as soon as nothing covers it, such as a page that slides in."""
        self.wait(lambda: self.clicked(lambda: self.driver.find_element(By.CSS_SELECTOR, selector)), f"a click on {selector}")

    def field(self, label):
        found = self.script(
            """
            return [...document.querySelectorAll('.app input, .app textarea, .app select')]
                .find((field) => field.getAttribute('aria-label') === arguments[0]) ?? null;
            """,
            label,
        )
        if found is None:
            raise NoSuchElementException(label)
        return found

    def enter(self, text, label):
        field = self.wait(lambda: self.field(label), f"the field {label!r}")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(Keys.DELETE)
        field.send_keys(text)

    def choose(self, name, value):
        """Sets one of the choices above the phone, by its text or its value."""
        self.script(
            """
            const select = document.querySelector(`[data-choice="${arguments[0]}"]`);
            const option = [...select.options].find((option) => [option.text, option.value].includes(arguments[1]));
            if (!option) throw new Error(`no choice ${arguments[1]}`);
            select.value = option.value;
            select.dispatchEvent(new Event("change", {bubbles: true}));
            """,
            name,
            value,
        )

    def tab(self, name):
        """Shows a part of the view inside."""
        self.driver.find_element(By.XPATH, f"//*[@role='tab'][starts-with(normalize-space(.), '{name}')]").click()

    @property
    def inside(self):
        """What the view inside shows."""
        return self.script("return document.querySelector('.panel:not([hidden])').innerText")

    @property
    def problem(self):
        return self.script("return document.querySelector('.problem')?.innerText ?? ''")

    def complaints(self):
        """What the browser's console warns of, but for answers with a status that says that something went wrong."""
        return [
            entry
            for entry in self.driver.get_log("browser")
            if entry["source"] not in ("network", "recommendation") and entry["level"] != "DEBUG"
        ]


class PhoneTestCase(unittest.TestCase):
    """Tests of the demo, with one server and one browser for all of them."""

    SIZE = (1400, 1000)

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)
        cls.driver = open_browser(*cls.SIZE)
        cls.addClassCleanup(cls.driver.quit)
        cls.phone = Phone(cls.driver, cls.server.url)

    def tearDown(self):
        self.assertEqual(self.phone.complaints(), [])
