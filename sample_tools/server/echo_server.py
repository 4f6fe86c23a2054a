"""A small HTTP server for the samples: /time, /echo and /items, on this machine only.

Start it with `python server/echo_server.py [--port 8787]`.
"""

import argparse
import contextlib
import json
import time
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

MAX_BODY_BYTES = 1024 * 1024
ITEMS = [{"id": n, "name": f"item-{n:03}", "price": round(n * 1.25, 2)} for n in range(1, 101)]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self):
        self._answer()

    do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

    def _answer(self):
        address = urlsplit(self.path)
        query = {name: values[-1] for name, values in parse_qs(address.query).items()}
        body = self._body()
        if body is None:
            return
        if address.path == "/echo":
            self._send(200, self._echo(query, body))
        elif self.command != "GET":
            self._send(405, {"error": f"{self.command} is for /echo only"})
        elif address.path == "/time":
            now = datetime.now(UTC)
            self._send(200, {"utc": now.isoformat(timespec="seconds"), "unix": time.time()})
        elif address.path == "/items":
            self._items(query)
        else:
            self._send(404, {"error": f"no such path: {address.path}"})

    def _body(self):
        try:
            length = int(self.headers.get("Content-Length", 0))
        except ValueError:
            length = -1
        if not 0 <= length <= MAX_BODY_BYTES:
            self.close_connection = True
            self._send(413, {"error": f"a body has at most {MAX_BODY_BYTES} bytes"})
            return None
        return self.rfile.read(length)

    def _echo(self, query, body):
        text = body.decode("utf-8", errors="replace")
        try:
            parsed = json.loads(text)
        except ValueError:
            parsed = None
        return {"method": self.command, "query": query, "text": text, "json": parsed}

    def _items(self, query):
        try:
            limit = int(query.get("limit", 10))
        except ValueError:
            limit = -1
        if not 0 <= limit <= len(ITEMS):
            self._send(400, {"error": f"limit is a number from 0 to {len(ITEMS)}"})
            return
        self._send(200, {"items": ITEMS[:limit], "total": len(ITEMS)})

    def _send(self, status, value):
        data = json.dumps(value, ensure_ascii=False).encode("utf-8")
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def main():
    parser = argparse.ArgumentParser(description="A small HTTP server for the samples.")
    parser.add_argument("--port", type=int, default=8787)
    port = parser.parse_args().port
    with ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()


if __name__ == "__main__":
    main()
