"""What the client decides by itself, against a server of ours on loopback that behaves badly on request."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import tempfile
import threading
import time
import unittest
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

from atelier_sdk import (
    AsyncAtelier,
    Atelier,
    AtelierError,
    ConnectionFailed,
    GraphFile,
    InternalError,
    InvalidInput,
    PriceAboveLimit,
    RateLimited,
    TimedOut,
    Unauthorized,
    WebhookRefused,
    Workflow,
    errors,
    unwrap,
)
from atelier_sdk._core.amounts import call_headers, decimal_text
from atelier_sdk._core.asks import address_of, base_url_of, json_text
from atelier_sdk._core.frames import FrameReader
from atelier_sdk._core.moments import moment_text
from atelier_sdk.graph import files_in, with_files_placed

SECRET = "whsec_" + base64.b64encode(b"a secret of thirty-two bytes ....").decode()
NOW = 1_800_000_000
BODY = '{"id":"1","seed":18446744073709551615}'


def signed(body: str = BODY, sent: int = NOW, secret: str = SECRET) -> Dict[str, str]:
    key = base64.b64decode(secret[6:])
    signature = base64.b64encode(hmac.new(key, f"msg_1.{sent}.{body}".encode(), hashlib.sha256).digest()).decode()
    return {"Webhook-Id": "msg_1", "Webhook-Timestamp": str(sent), "Webhook-Signature": f"v1,AAAA v1,{signature}"}


class Webhooks(unittest.TestCase):
    def test_a_webhook_that_the_server_signed_is_read_with_exact_integers(self) -> None:
        self.assertEqual(unwrap(BODY, signed(), SECRET, now=NOW), {"id": "1", "seed": 2**64 - 1})
        self.assertEqual(unwrap(BODY.encode(), signed(), ["whsec_b3RoZXI=", SECRET], now=NOW)["id"], "1")

    def test_another_body_secret_or_time_and_a_missing_header_are_refused(self) -> None:
        without = {name: value for name, value in signed().items() if name != "Webhook-Signature"}
        wrong: List[Tuple[str, Dict[str, str], str]] = [
            (f"{BODY} ", signed(), SECRET),
            (BODY, signed(), "whsec_b3RoZXI="),
            (BODY, signed(), "whsec_%%%"),
            (BODY, signed(sent=NOW - 301), SECRET),
            (BODY, signed(sent=NOW + 301), SECRET),
            (BODY, {**signed(), "Webhook-Id": "msg_2"}, SECRET),
            (BODY, {**signed(), "Webhook-Timestamp": "x"}, SECRET),
            (BODY, without, SECRET),
        ]
        for body, headers, secret in wrong:
            with self.assertRaises(WebhookRefused):
                unwrap(body, headers, secret, now=NOW)


class Rules(unittest.TestCase):
    def test_an_address_of_this_machine_needs_no_scheme_and_an_invalid_one_is_refused(self) -> None:
        self.assertEqual(base_url_of("127.0.0.1:9000/"), "http://127.0.0.1:9000")
        self.assertEqual(base_url_of("localhost:9000/deployment/x"), "http://localhost:9000/deployment/x")
        for text in ["studio.example", "localhost.evil.example:80", "ftp://x", ""]:
            with self.assertRaisesRegex(ValueError, "must start with http"):
                base_url_of(text)

    def test_links_keep_the_mount_path_and_queries_are_escaped(self) -> None:
        base = "http://127.0.0.1:9000/deployment/x"
        self.assertEqual(address_of(base, "/v1/models", {}), f"{base}/v1/models")
        self.assertEqual(address_of(base, "/deployment/x/api/v2/jobs", {}), f"{base}/api/v2/jobs")
        self.assertEqual(address_of(base, "https://store.example/x?a=1", {"b": 2}), "https://store.example/x?a=1&b=2")
        self.assertIn("q=a+%26+b", address_of(base, "/x", {"q": "a & b", "none": None}).replace("%20", "+"))
        self.assertTrue(address_of(base, "/x", {"id": ["1", "2"]}).endswith("?id=1&id=2"))

    def test_amounts_have_no_exponent_and_are_rounded_down(self) -> None:
        cases: Dict[Any, str] = {0.1: "0.1", 1e-7: "0", 5: "5", 1e21: "1" + "0" * 21, "0.25": "0.25", Decimal("1.0000009"): "1"}
        for given, text in cases.items():
            self.assertEqual(decimal_text(given), text)
        for wrong in (float("nan"), float("inf")):
            with self.assertRaises(ValueError):
                decimal_text(wrong)

    def test_tags_become_ascii_and_mean_the_same(self) -> None:
        tags = {"city": "Köln", "mark": "🎈"}
        text = call_headers(None, tags, "user-7")["x-service-tags"]
        self.assertTrue(text.isascii())
        self.assertEqual(json.loads(text), tags)

    def test_integers_beyond_2_to_the_53_are_exact_and_nan_is_refused(self) -> None:
        self.assertEqual(json_text({"seed": 2**64 - 1}), '{"seed":18446744073709551615}')
        with self.assertRaises(ValueError):
            json_text({"x": float("nan")})

    def test_frames_are_read_however_their_bytes_are_split(self) -> None:
        text = "event: progress\r\nid: 7\r\ndata: é\r\ndata: b\r\n\r\n: alive\n\ndata:c\n\n".encode()
        for size in (1, 2, 3, len(text)):
            reader = FrameReader()
            pieces = [text[at : at + size] for at in range(0, len(text), size)]
            frames = [frame for piece in pieces for frame in reader.feed(piece)]
            self.assertEqual([frame and (frame.event, frame.id, frame.data) for frame in frames][0], ("progress", "7", "é\nb"))
            self.assertIsNone(frames[1])
            self.assertEqual(len(frames), 3)

    def test_a_graph_is_filled_in_without_a_change_to_the_original(self) -> None:
        graph = {"1": {"class_type": "LoadImage", "inputs": {"image": ""}}}
        file = GraphFile(b"x")
        filled = Workflow(graph).set("1", "image", file)
        self.assertEqual(graph["1"]["inputs"], {"image": ""})
        self.assertEqual(files_in(filled.graph), [file])
        self.assertEqual(with_files_placed(filled.graph, {id(file): "here"})["1"]["inputs"], {"image": "here"})
        with self.assertRaises(KeyError):
            Workflow(graph).set("2", "image", 1)

    def test_a_time_without_a_zone_is_refused(self) -> None:
        self.assertEqual(moment_text("2027-01-31T02:00:00+02:00"), "2027-01-31T00:00:00.000Z")
        with self.assertRaises(ValueError):
            moment_text("2027-01-31T00:00:00")

    def test_every_code_has_a_class_that_is_exported(self) -> None:
        for code, known in errors.CLASSES.items():
            failure = known(errors.FailureFacts(status=400, code=code, message="m", request_id="r"))
            self.assertIsInstance(failure, AtelierError)
            self.assertEqual(str(failure), "m (request r)")
        self.assertLessEqual(errors.BUCKETS - set(errors.CLASSES), {"client_disconnected"})


Answer = Tuple[int, Dict[str, str], bytes]


class Misbehaving(unittest.TestCase):
    """Real HTTP: every test says how the server answers each request in turn."""

    def setUp(self) -> None:
        self.asked: List[Dict[str, Any]] = []
        self.answer: Callable[[int], Answer] = lambda at: (200, {}, b"{}")
        test = self

        class Handler(BaseHTTPRequestHandler):
            def _handle(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                seen = {name.lower(): value for name, value in self.headers.items()}
                test.asked.append({"path": self.path, "body": self.rfile.read(length), **seen})
                status, headers, body = test.answer(len(test.asked))
                if status == 0:
                    self.close_connection = True
                    return
                self.send_response(status)
                for name, value in {"content-length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                try:
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:
                    # The client gave up, as the test wanted.
                    pass

            do_GET = do_POST = do_HEAD = do_PATCH = _handle

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.atelier = Atelier(base_url=self.url, api_key="service-key")

    def tearDown(self) -> None:
        self.atelier.close()
        self.server.shutdown()
        self.server.server_close()

    def test_a_retry_keeps_its_key_and_its_bytes_and_waits_as_long_as_it_is_asked_to(self) -> None:
        busy = {"x-service-error-type": "service_unavailable", "retry-after": "1"}
        self.answer = lambda at: (503, busy, b"{}") if at < 3 else (200, {"content-type": "application/json"}, b'{"a":1}')
        began = time.monotonic()
        result = self.atelier.models.run("sandbox/text-1", {"seed": 2**64})
        self.assertEqual(result.data, {"a": 1})
        self.assertGreaterEqual(time.monotonic() - began, 2)
        self.assertEqual(len({(each["idempotency-key"], each["body"]) for each in self.asked}), 1)
        self.assertEqual(self.asked[0]["idempotency-key"], result.idempotency_key)

    def test_a_lost_answer_is_asked_for_again_under_the_key(self) -> None:
        self.answer = lambda at: (0, {}, b"") if at == 1 else (200, {"content-type": "application/json"}, b"{}")
        self.atelier.models.run("sandbox/text-1", {}, idempotency_key="mine")
        self.assertEqual([each["idempotency-key"] for each in self.asked], ["mine", "mine"])

    def test_a_change_without_a_key_is_not_sent_twice(self) -> None:
        self.answer = lambda at: (0, {}, b"")
        with self.assertRaises(ConnectionFailed):
            self.atelier.request("/account/x", method="POST", json={"a": 1})
        self.assertEqual(len(self.asked), 1)

    def test_a_deadline_is_collected_under_the_same_key(self) -> None:
        late = {"x-service-error-type": "deadline_exceeded", "retry-after": "0"}
        self.answer = lambda at: (504, late, b"{}") if at < 4 else (200, {"content-type": "application/json"}, b'"late"')
        self.assertEqual(self.atelier.models.run("sandbox/text-1", {}).data, "late")
        self.assertEqual(len({each["idempotency-key"] for each in self.asked}), 1)
        with self.assertRaises(errors.DeadlineExceeded):
            self.asked.clear()
            self.atelier.models.run("sandbox/text-1", {}, collect_seconds=0)

    def test_the_bucket_decides_and_an_answer_without_one_is_an_internal_error(self) -> None:
        atelier = Atelier(base_url=self.url, api_key="k", max_retries=0)
        cases: List[Tuple[Answer, type]] = [
            ((401, {"x-service-error-type": "unauthorized"}, b"<html>"), Unauthorized),
            ((404, {}, b"not found"), InternalError),
            ((422, {"x-service-error-type": "invalid_input"}, b'{"detail":[{"loc":["body","w"],"msg":"m","type":"t"}]}'), InvalidInput),
            ((422, {"x-service-error-type": "invalid_input"}, b'{"detail":"It can cost up to 2.5 credits, and X-Service-Max-Credits allows 1."}'), PriceAboveLimit),
            ((429, {"x-service-error-type": "rate_limited", "retry-after": "9"}, b"{}"), RateLimited),
        ]
        for answer, kind in cases:
            self.answer = lambda at, answer=answer: answer  # type: ignore[misc]
            with self.assertRaises(AtelierError) as caught:
                atelier.models.run("sandbox/text-1", {})
            self.assertIs(type(caught.exception), kind)
        self.assertEqual(caught.exception.retry_after, 9)
        atelier.close()

    def test_the_key_goes_to_its_own_origin_only(self) -> None:
        other = ThreadingHTTPServer(("127.0.0.1", 0), self.server.RequestHandlerClass)
        threading.Thread(target=other.serve_forever, args=(0.02,), daemon=True).start()
        try:
            self.answer = lambda at: (200, {}, b"{}")
            self.atelier.request(f"http://127.0.0.1:{other.server_port}/x")
            self.answer = lambda at: (
                (302, {"location": f"http://127.0.0.1:{other.server_port}/y"}, b"") if at == 2 else (200, {}, b"{}")
            )
            self.atelier.request("/redirected")
        finally:
            other.shutdown()
            other.server_close()
        self.assertEqual([each.get("authorization") for each in self.asked], [None, "Bearer service-key", None])

    def test_a_silent_server_is_a_timeout_by_both_of_its_names(self) -> None:
        def slow(at: int) -> Answer:
            time.sleep(1)
            return (200, {}, b"{}")

        self.answer = slow
        atelier = Atelier(base_url=self.url, max_retries=0, timeout=0.2)
        with self.assertRaises(TimedOut):
            atelier.request("/x")
        with self.assertRaises(TimeoutError):
            atelier.request("/x")
        atelier.close()

    def test_a_wait_ends_in_time_while_the_job_runs(self) -> None:
        links = {name: f"/{name}" for name in ("self", "events", "cancel", "workflow")}
        job = json.dumps({"id": "j", "status": "running", "queue_position": None, "progress": None, "outputs": [], "urls": links})
        kind = {"content-type": "application/json"}
        self.answer = lambda at: (503, {}, b"{}") if self.asked[-1]["path"] == "/events" else (200, kind, job.encode())
        handle = self.atelier.jobs.get("j")
        began = time.monotonic()
        with self.assertRaises(TimedOut):
            handle.wait(timeout=1.5)
        self.assertLess(time.monotonic() - began, 5)

    def test_a_download_goes_on_where_it_broke_off_with_a_fresh_link(self) -> None:
        whole = bytes(range(256)) * 1000
        links: List[str] = []

        def answer(at: int) -> Answer:
            asked = self.asked[-1]
            if asked["path"] == "/self":
                links.append(f"/bytes/{len(links)}")
                return (200, {"content-type": "application/json"}, json.dumps({"url": links[-1]}).encode())
            self.assertEqual(asked["path"], links[-1])
            start = int(asked.get("range", "bytes=0-")[6:-1])
            # The first answer promises everything and ends early.
            body = whole[start : start + 100_000]
            length = {"content-length": str(len(whole) - start)}
            return (206 if start else 200, length, body)

        self.answer = answer
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "whole.bin"
            size = self.atelier.assets.save({"urls": {"self": "/self"}}, path)  # type: ignore[arg-type]
            self.assertEqual((size, path.read_bytes()), (len(whole), whole))
            self.assertEqual([each.name for each in Path(folder).iterdir()], ["whole.bin"])
        self.assertEqual(len(links), 3)

    def test_the_asynchronous_client_keeps_the_same_rules(self) -> None:
        self.answer = lambda at: (0, {}, b"") if at == 1 else (200, {"content-type": "application/json"}, b"{}")

        async def both() -> None:
            async with AsyncAtelier(base_url=self.url, api_key="k") as atelier:
                await atelier.models.run("sandbox/text-1", {})

        asyncio.run(both())
        self.assertEqual(len({each["idempotency-key"] for each in self.asked}), 1)
        self.assertEqual(len(self.asked), 2)


if __name__ == "__main__":
    unittest.main()
