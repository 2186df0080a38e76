# SPDX-License-Identifier: GPL-2.0
#
# Opens pages in Debian's Chromium, without a window.

import contextlib
import pathlib
import subprocess
import sys
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

top = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(top / "tools"), str(top / "tracepoint")]

OPTIONS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --hide-scrollbars
    --disable-background-networking --disable-component-update --disable-sync"""


@contextlib.contextmanager
def browser(width, height):
    with tempfile.TemporaryDirectory() as profile:
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for option in OPTIONS.split():
            options.add_argument(option)
        options.add_argument(f"--user-data-dir={profile}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        try:
            resize(driver, width, height)
            yield driver
        finally:
            driver.quit()


def resize(driver, width, height, scale=1):
    metrics = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def use_theme(driver, name):
    feature = {"name": "prefers-color-scheme", "value": name}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})


def settle(driver):
    """Waits until the page has drawn what has changed."""
    driver.execute_async_script(
        "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))"
    )


def generate(events, seed=1):
    command = [top / "tests/timeline/generate", "-n", str(events), "-s", str(seed)]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout


def make_page(directory, name, trace):
    """Runs tools/timeline. Returns the page's address."""
    path = directory / name
    path.write_bytes(trace)
    subprocess.run([top / "tools/timeline", path], check=True)
    return (directory / f"{name}.html").as_uri()
