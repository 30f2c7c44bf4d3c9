"""WebKitGTK, which has Safari's engine: Debian's MiniBrowser, on a screen that nobody sees. Its driver doesn't hand over what the console
says, so tests see less of it than of other browsers."""

import atexit
import glob
import os
import subprocess

from selenium import webdriver
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from server import limited


class Screen:
    """An X server without a screen."""

    running = None

    @classmethod
    def shared(cls):
        if cls.running is None:
            cls.running = cls()
            atexit.register(cls.running.end)
        return cls.running

    def __init__(self):
        out, into = os.pipe()
        command = ["Xvfb", "-displayfd", str(into), "-screen", "0", "2000x1500x24", "-nolisten", "tcp"]
        self.process = subprocess.Popen(command, pass_fds=[into], stderr=subprocess.DEVNULL)
        os.close(into)
        with limited(self.process), os.fdopen(out) as answer:
            self.name = ":" + answer.readline().strip()
        assert self.name != ":", "Xvfb didn't start"

    def end(self):
        self.process.kill()
        self.process.wait(30)


class WebKit(webdriver.WebKitGTK):
    def __init__(self, width, height):
        options = Options()
        options.binary_location = glob.glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser")[0]
        options.add_argument("--automation")
        environment = {**os.environ, "DISPLAY": Screen.shared().name, "GDK_BACKEND": "x11", "WEBKIT_DISABLE_DMABUF_RENDERER": "1"}
        super().__init__(options=options, service=Service("/usr/bin/WebKitWebDriver", env=environment))
        self.set_window_size(width, height + 38)

    def get_log(self, log_type):
        return []
