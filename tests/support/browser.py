"""A headless Chromium, driven by the WebDriver protocol over plain HTTP."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from contextlib import contextmanager

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
MISSING = None if CHROMIUM and DRIVER else "no chromium" if DRIVER else "no chromedriver"
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    """One session; elements are named by CSS selectors."""

    def __init__(self, address: str, folder: str) -> None:
        self._address = address
        arguments = [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--window-size=1200,1600", f"--user-data-dir={folder}",
        ]  # fmt: skip
        options = {"binary": CHROMIUM, "args": arguments}
        wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}}
        self._session = self._send("POST", "/session", wanted)["sessionId"]

    def _send(self, method: str, path: str, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._address + path, data, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())["value"]

    def _ask(self, method: str, path: str, body=None):
        return self._send(method, f"/session/{self._session}{path}", body)

    def _element(self, selector: str) -> str:
        found = self._ask("POST", "/element", {"using": "css selector", "value": selector})
        return f"/element/{found[_ELEMENT]}"

    def open(self, address: str) -> None:
        self._ask("POST", "/url", {"url": address})

    def click(self, selector: str) -> None:
        self._ask("POST", self._element(selector) + "/click", {})

    def type(self, selector: str, text: str) -> None:
        self._ask("POST", self._element(selector) + "/value", {"text": text})

    def run(self, script: str):
        return self._ask("POST", "/execute/sync", {"script": script, "args": []})

    def wait_for(self, script: str, seconds: float = 30.0):
        """The first true value of an expression."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if value := self.run(f"return {script}"):
                return value
            time.sleep(0.1)
        raise AssertionError(f"never true: {script}")

    def drawn(self) -> list[tuple[str, int]]:
        """Of each element with text of its own: the text, and the signs drawn in a font of the page.

        What was really drawn counts: a font that came too late for a text is not counted for it.
        """
        self._devtools("CSS.enable", self._devtools("DOM.enable"))
        root = self._devtools("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
        found = self._devtools("DOM.querySelectorAll", {"nodeId": root, "selector": "body *"})
        texts = self.run(
            "return [...document.querySelectorAll('body *')].map((one) => one.checkVisibility() ? "
            "[...one.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join('') : '')"
        )
        told = []
        for node, text in zip(found["nodeIds"], texts, strict=True):
            if text.strip():
                fonts = self._devtools("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
                own = sum(font["glyphCount"] for font in fonts if font["isCustomFont"])
                told.append((text.strip(), int(own)))
        return told

    def _devtools(self, command: str, words=None):
        return self._ask("POST", "/goog/cdp/execute", {"cmd": command, "params": words or {}})

    def close(self) -> None:
        self._send("DELETE", f"/session/{self._session}")


@contextmanager
def browser(folder):
    """A browser that is closed at the end."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    driver = subprocess.Popen(
        [DRIVER, f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        address = f"http://127.0.0.1:{port}"
        for _ in range(300):
            try:
                urllib.request.urlopen(address + "/status", timeout=5).close()
                break
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        opened = Browser(address, str(folder))
        try:
            yield opened
        finally:
            opened.close()
    finally:
        driver.kill()
        driver.wait()
