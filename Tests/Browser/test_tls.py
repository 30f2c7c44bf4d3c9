"""Trust at a desk: a browser that has followed /__tls opens the server without a warning, and no other one does."""

import os
import pathlib
import subprocess
import tempfile
import unittest
import urllib.request

from selenium.webdriver.common.by import By

from phone import Phone, open_browser
from server import Server


class TrustTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.server = Server("--tls-self-signed", environment={"XDG_STATE_HOME": str(cls.folder / "state")})
        cls.addClassCleanup(cls.server.stop)
        cls.clear = f"http://127.0.0.1:{cls.server.port}"

    def browser(self, name, width=1200, height=800):
        """A browser of a person with that name, with a home of their own."""
        home = self.folder / name
        home.mkdir(exist_ok=True)
        driver = open_browser(width, height, environment={**os.environ, "HOME": str(home)})
        self.addCleanup(driver.quit)
        return driver

    def trust(self, name):
        """Does what the page says for Chromium on Linux."""
        store = self.folder / name / ".pki/nssdb"
        store.mkdir(parents=True)
        certificate = self.folder / "ca.crt"
        with urllib.request.urlopen(f"{self.clear}/__tls/ca.crt") as answer:
            self.assertEqual(answer.headers["Content-Type"], "application/x-x509-ca-cert")
            certificate.write_bytes(answer.read())
        subprocess.run(["certutil", "-d", f"sql:{store}", "-N", "--empty-password"], check=True, timeout=60)
        subprocess.run(["certutil", "-d", f"sql:{store}", "-A", "-t", "C,,", "-n", "backlot", "-i", certificate], check=True, timeout=60)

    def test_a_browser_that_trusts_the_authority_opens_every_address(self):
        self.trust("ada")
        driver = self.browser("ada")
        for host in ["127.0.0.1", "localhost"]:
            driver.get(f"https://{host}:{self.server.port}/")
            self.assertEqual(len(driver.find_elements(By.NAME, "backlot-preview")), 1, driver.title)
            self.assertTrue(driver.execute_script("return isSecureContext"))
            protocol = driver.execute_script("return performance.getEntriesByType('navigation')[0].nextHopProtocol")
            self.assertEqual(protocol, "h2")
        phone = Phone(driver, f"https://localhost:{self.server.port}")
        phone.open("/terms")
        phone.tab("Phone")
        phone.wait(lambda: driver.find_elements(By.CSS_SELECTOR, ".links code"), "the links for a phone")
        links = [link.text for link in driver.find_elements(By.CSS_SELECTOR, ".links code")]
        # The server listens to this machine alone: no other address leads there.
        self.assertEqual(links, [f"applin:https://localhost:{self.server.port}/?p=/terms", f"https://localhost:{self.server.port}/terms"])
        self.assertEqual(phone.complaints(), [])

    def test_other_browsers_refuse_it(self):
        driver = self.browser("bob")
        driver.get(self.server.url)
        self.assertEqual(driver.title, "Privacy error")
        self.assertIn("ERR_CERT_AUTHORITY_INVALID", driver.page_source)

    def test_the_page_fits_phones_and_desks(self):
        driver = self.browser("carol")
        for width, height in [(390, 844), (1200, 800)]:
            metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
            driver.get(f"{self.clear}/__tls")
            self.assertEqual(len(driver.find_elements(By.CSS_SELECTOR, "section ol > li")), 16)
            widest = driver.execute_script("return document.documentElement.scrollWidth")
            self.assertLessEqual(widest, width)
            # Fingers need room.
            for button in driver.find_elements(By.CLASS_NAME, "button"):
                self.assertGreaterEqual(button.size["height"], 36)
            if folder := os.environ.get("BACKLOT_PICTURES"):
                driver.save_screenshot(f"{folder}/tls-{width}.png")
        # What the page allows itself is enough for it.
        self.assertEqual([entry["message"] for entry in driver.get_log("browser") if "favicon" not in entry["message"]], [])


if __name__ == "__main__":
    unittest.main()
