"""The view inside."""

import io
import pathlib
import re
import subprocess
import tempfile

from PIL import Image
from pyzbar.pyzbar import decode
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from phone import Phone, PhoneTestCase
from server import PROGRAM, ROOT, Server

RECORDED = ROOT / "Tests/DemoServerTests/Flows/RecordedFlowTests.swift"


class InsideTest(PhoneTestCase):
    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def test_the_tree_the_json_and_the_phone_show_the_same_part(self):
        phone = self.phone
        phone.open("/new_account")
        phone.tab("Tree")
        checkbox = "//li[@role='treeitem'][contains(., 'checkbox')]"

        def chosen():
            # A row may move between the look at its place and the click, while the panel is still arranged.
            self.driver.find_element(By.XPATH, checkbox).click()
            return self.find(".app [data-chosen]").text == "I agree"

        phone.wait(chosen, "the checkbox")
        phone.tab("JSON")
        lines = [line.text for line in self.driver.find_elements(By.CSS_SELECTOR, ".json .chosen")]
        self.assertIn('"typ": "checkbox",', lines)
        self.assertNotIn('"typ": "textfield",', lines)
        # And from the phone to the tree.
        self.find(".pick").click()
        phone.button("Terms").click()
        self.assertEqual(self.find(".app [data-chosen]").text, "Terms")
        phone.tab("Tree")
        self.assertIn("nav_button", self.find(".tree [aria-selected=true]").text)
        self.assertEqual(phone.stack, ["/new_account"])
        # By the keyboard.
        self.find(".tree [aria-selected=true]").send_keys(Keys.ARROW_DOWN, Keys.ENTER)
        self.driver.switch_to.active_element.send_keys(Keys.ENTER)
        self.assertEqual(self.find(".app [data-chosen]").text, "Privacy")

    def test_the_json_changes_with_the_phone(self):
        """In no picture that the browser draws does the JSON belong to another page than the one on the phone."""
        phone = self.phone
        self.driver.set_window_size(1700, 1000)
        self.addCleanup(self.driver.set_window_size, 1400, 1000)
        phone.open("/")
        phone.tab("Tree")
        phone.wait(lambda: self.driver.find_elements(By.CSS_SELECTOR, ".panels.split .json .line"), "the JSON beside the tree")
        phone.script(
            """
            window.pictures = [];
            const title = () => document.querySelector(".json").textContent.match(/"title": "([^"]*)"/)?.[1];
            const look = () => requestAnimationFrame(() => {
              // After the other callbacks of the frame, and before it is drawn.
              queueMicrotask(() => setTimeout(() => window.pictures.push([document.querySelector(".app .page")?.getAttribute("aria-label"), title(), document.querySelector(".tree .name")?.textContent])));
              look();
            });
            look();
            """
        )
        phone.tap("New Account")
        phone.wait_for_title("New Account")
        phone.wait(lambda: any(page == "New Account" for page, *_ in phone.script("return window.pictures")), "the pictures")
        self.assertEqual([picture for picture in phone.script("return window.pictures") if len(set(picture)) > 1], [])

    def test_tabs_fit_into_a_narrow_window(self):
        self.phone.open("/")
        self.driver.set_window_size(900, 900)
        self.addCleanup(self.driver.set_window_size, 1400, 1000)
        self.phone.drawn()
        hidden = "const right = document.querySelector('.inside').getBoundingClientRect().right; return [...document.querySelectorAll('[role=tab]')].filter((tab) => tab.getBoundingClientRect().right > right).map((tab) => tab.textContent)"
        self.assertEqual(self.phone.script(hidden), [])
        for name in ["Test", "Phone", "Tree"]:
            self.phone.tab(name)

    def test_the_log_shows_variables_and_cookies(self):
        phone = self.phone
        phone.open("/objects/log_in")
        fields = phone.script("return [...document.querySelectorAll('.app textarea, .app input')].map((field) => field.getAttribute('aria-label'))")
        phone.enter("ada", fields[0])
        phone.enter("secret", fields[1])
        button = phone.script("return document.querySelector('.app .form-button').textContent")
        phone.tap(button)
        phone.tab("Log")
        phone.wait(lambda: "rpc" in phone.inside, "the rpc")
        row = phone.wait(lambda: self.driver.find_elements(By.XPATH, "//details[.//span[@class='note'][.='rpc']]"), "its row")[0]
        row.find_element(By.TAG_NAME, "summary").click()
        phone.wait(lambda: "Set-Cookie" in row.text, "the cookie")
        self.assertIn('"ada"', row.text)
        cookie = self.driver.get_cookie("session")["value"]
        self.assertNotIn(cookie, row.text)
        self.assertIn(f"session={cookie[:6]}…", row.text)
        self.assertRegex(row.text, r"time in the server\s+\d+\.\d+ ms")

    def test_the_log_forgets_the_oldest_exchanges(self):
        self.phone.open("/")
        kept = self.driver.execute_async_script(
            """
            const done = arguments[0];
            import('/__preview/web/inside/log.js').then(({LogPanel}) => {
              const panel = new LogPanel({exchanges: new EventTarget()});
              for (let number = 1; number <= 600; number++) panel.add({number, method: "GET", url: "/", time: new Date(), note: "", milliseconds: null, response: null, server: null, attempts: []});
              done([panel.list.childElementCount, [...panel.rows.keys()]]);
            }).catch((error) => done(String(error)));
            """
        )
        self.assertEqual(kept, [500, list(range(101, 601))])

    def test_the_log_goes_to_curl_and_into_a_har(self):
        phone = self.phone
        phone.open("/objects/new_account")
        phone.tap("I agree")
        phone.enter("Ada O'Neill {1} ü", "Username")
        phone.tap("Create Account")
        phone.wait_for_title("Backlot Demo")
        phone.tab("Log")
        row = phone.wait(lambda: self.driver.find_elements(By.XPATH, "//details[.//span[@class='note'][.='rpc']]"), "the rpc")[0]
        row.find_element(By.TAG_NAME, "summary").click()
        phone.catch_copies()
        phone.script("const make = URL.createObjectURL; URL.createObjectURL = (blob) => { window.blob = blob; return make.call(URL, blob); };")
        phone.wait(lambda: self.button("Copy as cURL"), "the row's details").click()
        command = phone.copied()
        self.assertIn("O'\\''Neill", command)
        # Without cookies the form is sent by nobody in particular, and is answered all the same.
        done = subprocess.run(["sh", "-c", f"{command} --silent --write-out '%{{http_code}}'"], capture_output=True, text=True, check=True, timeout=60)
        self.assertEqual(done.stdout, "200")
        self.button("Download HAR").click()
        text = phone.wait(lambda: self.driver.execute_async_script("window.blob?.text().then(arguments[0]) ?? arguments[0]('')"), "the HAR")
        with tempfile.TemporaryDirectory() as folder:
            har = pathlib.Path(folder) / "backlot.har"
            har.write_text(text)
            done = subprocess.run([PROGRAM, "import", har, "--into", f"{folder}/Routes"], capture_output=True, text=True, check=True, timeout=60)
            for name in ["objects.page.", "objects/new_account.page.", "objects/create_account.rpc."]:
                self.assertIn(f"written: {name}", done.stdout)

    def test_another_client_is_seen_in_the_log(self):
        import urllib.request

        phone = self.phone
        phone.open("/")
        phone.wait(lambda: "live" in self.find(".connection").text, "the connection")
        phone.tab("Log")
        urllib.request.urlopen(urllib.request.Request(f"{self.server.url}/text", headers={"User-Agent": "a real phone"})).read()
        phone.wait(lambda: "a real phone" in phone.inside, "the other client")

    def test_sessions(self):
        phone = self.phone
        phone.open("/members")
        phone.wait_for("Please log in.")
        phone.tab("State")
        self.find(".log-in input").send_keys("grace", Keys.ENTER)
        phone.wait(lambda: re.search(r"user\s+grace", phone.inside), "the session")
        phone.tap("Back")
        phone.wait(lambda: "grace" in phone.text, "the page of a member")
        self.button("Expire the session").click()
        phone.wait(lambda: "There is no session." in phone.inside, "its end")
        self.assertIsNotNone(self.driver.get_cookie("session"))
        self.button("Forget the cookie").click()
        phone.wait(lambda: self.driver.get_cookie("session") is None, "the cookie's end")

    def test_faults(self):
        phone = self.phone
        phone.open("/text")
        phone.tab("Faults")
        self.driver.find_element(By.CSS_SELECTOR, "select[aria-label=Status]").send_keys("503")
        self.button("Let them fail").click()
        self.assertIn("status=503, for 1 more", phone.inside)
        self.button("Restart").click()
        phone.wait_for("The server could not answer.")
        self.assertIn("too much to do", phone.problem)
        self.assertIn("No faults wait.", phone.inside)
        self.driver.find_element(By.CSS_SELECTOR, "select[aria-label=Connection]").send_keys("EMPTY")
        self.button("Let them fail").click()
        self.button("Restart").click()
        phone.wait_for("The server can't be reached.")

    def test_no_qr_code_of_a_server_that_no_phone_reaches(self):
        self.phone.open("/terms")
        self.phone.tab("Phone")
        self.phone.wait(lambda: len(self.driver.find_elements(By.CSS_SELECTOR, ".links figure")) == 2, "the links")
        self.assertIn("No phone reaches this server", self.phone.inside)
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, ".qr"), [])

    def test_the_qr_codes_hold_the_links(self):
        server = Server("--host", "0.0.0.0", "--admin-token", "secret-token")
        self.addCleanup(server.stop)
        phone = Phone(self.driver, f"http://127.0.0.1:{server.port}")
        for path in ["/terms", "/objects/new_account"]:
            self.driver.get(f"{phone.url}/__preview/enter?token=secret-token")
            self.driver.get(phone.url + path)
            phone.wait(lambda: phone.is_calm)
            phone.tab("Phone")
            phone.wait(lambda: self.driver.find_elements(By.CSS_SELECTOR, ".qr path"), "the codes")
            codes = self.driver.find_elements(By.CSS_SELECTOR, ".links figure")
            self.assertEqual(len(codes), 2)
            for code in codes:
                picture = Image.open(io.BytesIO(code.find_element(By.CSS_SELECTOR, ".qr").screenshot_as_png))
                self.assertEqual([found.data.decode() for found in decode(picture)], [code.find_element(By.TAG_NAME, "code").text])
            links = [code.find_element(By.TAG_NAME, "code").text for code in codes]
            base = "/objects/" if path.startswith("/objects/") else "/"
            self.assertRegex(links[0], rf"^applin:http://[\d.]+:{server.port}{base}\?p=/{path[len(base):]}$")
            self.assertRegex(links[1], rf"^http://[\d.]+:{server.port}{path}$")

    def test_qr_codes_of_every_size(self):
        """From one byte to the largest code: each is read by a program that is none of ours."""
        self.phone.open("/")
        for length in [1, 14, 15, 26, 27, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666]:
            text = ("applin:http://192.168.1.20:8080/?p=/a&" * 40)[:length]
            rows = self.driver.execute_async_script(
                "const done = arguments[1]; import('/__preview/web/core/backend.js').then(({Backend}) => "
                "new Backend(JSON.parse(document.querySelector('meta[name=backlot-preview]').content)).qr(arguments[0])).then(done);", text)
            size = len(rows) + 8
            picture = Image.new("L", (size, size), 255)
            for y, row in enumerate(rows):
                for x, dark in enumerate(row):
                    if dark == "1":
                        picture.putpixel((x + 4, y + 4), 0)
            found = decode(picture.resize((size * 6, size * 6), Image.NEAREST))
            self.assertEqual([one.data.decode() for one in found], [text], f"{length} bytes")

    def test_copy_as_test(self):
        """What is written is what the suite of Swift compiles and runs."""
        phone = self.phone
        phone.open("/objects/")
        phone.tap("Sign Up")
        self.fill_sign_up()
        phone.tab("Test")
        written = self.find(".test-code").text
        self.assertEqual(written[written.index("@Test"):].strip(), self.recorded())

    def fill_sign_up(self):
        phone = self.phone
        phone.tap("Back")
        phone.tap("Checkbox")
        phone.tap("Option 1")
        phone.script("[...document.querySelectorAll('.app input[type=checkbox]')].find((box) => box.closest('label').textContent === '').click()")
        phone.tap("Back")
        phone.tap("New Account")
        phone.enter('Ada "the" \\ Countess', "Username")
        phone.tap("Create Account")
        phone.wait_for("Please agree to the terms.")
        phone.tap("Back")
        phone.tap("I agree")
        phone.tap("Create Account")
        phone.wait_for_title("Backlot Demo")

    @staticmethod
    def recorded():
        text = RECORDED.read_text()
        return text[text.index("@Test"):].strip()

    def button(self, text):
        return self.driver.find_element(By.XPATH, f"//section[@aria-label='View inside']//button[normalize-space(.)='{text}']")
