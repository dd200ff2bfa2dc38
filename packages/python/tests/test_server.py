"""The client against a real server with the sandbox: ATELIER_URL and ATELIER_API_KEY name it."""

from __future__ import annotations

import asyncio
import io
import os
import tempfile
import unittest
import uuid
import zipfile
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Dict, List

import httpx

from atelier_sdk import (
    AsyncAtelier,
    Atelier,
    AlreadyCompleted,
    EditorWorkflow,
    GraphFile,
    InvalidInput,
    JobEvent,
    JobFailed,
    ModelNotFound,
    NotFound,
    PriceAboveLimit,
    ProviderError,
    RequestNotFound,
    TimedOut,
    Unauthorized,
    WorkCall,
    Workflow,
    has_ended,
    reference_to,
)

atelier = Atelier()
ran = uuid.uuid4().hex[:8]


def blue(color: int = 0x3366CC) -> Dict[str, Any]:
    return {
        "1": {"class_type": "EmptyImage", "inputs": {"width": 64, "height": 64, "batch_size": 1, "color": color}},
        "2": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "python"}},
    }


LOADING = {
    "1": {"class_type": "LoadImage", "inputs": {"image": ""}},
    "2": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "loaded"}},
}


def setUpModule() -> None:
    if not os.environ.get("ATELIER_URL"):
        raise unittest.SkipTest("ATELIER_URL names no server")


def tearDownModule() -> None:
    atelier.close()


class Models(unittest.TestCase):
    def test_the_catalog_is_listed_to_its_end_for_any_page_size(self) -> None:
        small = [each["id"] for each in atelier.models.list(page_size=2)]
        self.assertEqual(small, [each["id"] for each in atelier.models.list()])
        self.assertIn("sandbox/text-1", small)
        self.assertEqual(atelier.models.get("sandbox/text-1")["id"], "sandbox/text-1")
        self.assertEqual(atelier.models.schema("sandbox/text-1")["openapi"], "3.1.0")
        self.assertIn("sandbox/image-1", [each["id"] for each in atelier.models.described()])

    def test_a_call_pays_once_under_its_key_and_integers_keep_their_digits(self) -> None:
        key = str(uuid.uuid4())
        sent = {"seed": 2**64, "note": "é"}
        first = atelier.models.run("sandbox/open-1", sent, idempotency_key=key, tags={"project": "spring"}, end_user="u")
        again = atelier.models.run("sandbox/open-1", sent, idempotency_key=key, tags={"project": "spring"}, end_user="u")
        self.assertEqual((first.is_replay, again.is_replay), (False, True))
        self.assertEqual(first.content, again.content)
        self.assertIn(b"18446744073709551616", first.content)
        self.assertNotEqual(first.request_id, again.request_id)

    def test_the_charge_lies_within_the_estimate_and_a_limit_below_it_refuses(self) -> None:
        waves = {"prompt": f"waves {ran}", "width": 64, "height": 64}
        price = atelier.models.estimate("sandbox/image-1-queued", waves)["credits"]
        with self.assertRaises(PriceAboveLimit) as caught:
            atelier.models.run("sandbox/image-1-queued", waves, max_credits=0.000001)
        self.assertEqual((caught.exception.highest, caught.exception.limit), (price["highest"], "0.000001"))
        self.assertEqual(caught.exception.billed, "no")
        made = atelier.models.run("sandbox/image-1-queued", waves, max_credits=price["highest"])
        self.assertLessEqual(float(price["lowest"]), float(made.credits_used or 0))
        self.assertLessEqual(float(made.credits_used or 0), float(price["highest"]))

    def test_a_stream_says_what_the_plain_answer_says(self) -> None:
        said = {"prompt": f"a quiet harbour {ran}", "seed": 7}
        events = list(atelier.models.stream("sandbox/text-1", said))
        self.assertGreater(len(events), 3)
        self.assertTrue(any(isinstance(each.json(), dict) for each in events))
        with self.assertRaises((ProviderError, InvalidInput)):
            list(atelier.models.stream("sandbox/text-1", {**said, "simulate": "fail"}))

    def test_failures_are_classes_with_facts(self) -> None:
        with self.assertRaises(ModelNotFound):
            atelier.models.run("sandbox/none", {})
        with self.assertRaises(InvalidInput) as caught:
            atelier.models.run("sandbox/image-1", {"prompt": "x", "width": -1})
        self.assertEqual(caught.exception.fields[0]["loc"][1], "width")
        self.assertIsNotNone(caught.exception.request_id)
        with Atelier(api_key="service-wrong") as stranger, self.assertRaises(Unauthorized):
            stranger.models.get("sandbox/image-1")

    def test_a_queued_call_is_followed_found_and_collected(self) -> None:
        said: List[str] = []
        words = {"prompt": f"three words {ran}"}
        made = atelier.models.subscribe("sandbox/text-1", words, on_update=lambda now: said.append(now["status"]))
        self.assertEqual(said[-1], "COMPLETED")
        self.assertTrue(made.data["text"])
        queued = atelier.models.submit("sandbox/text-1", words)
        found = atelier.requests.find(queued.id)
        self.assertEqual(found.wait(timeout=120)["status"], "COMPLETED")
        self.assertEqual(atelier.models.request("sandbox/text-1", queued.id).result().content, found.result().content)
        with self.assertRaises(AlreadyCompleted):
            found.cancel()
        with self.assertRaises(RequestNotFound):
            atelier.requests.find(str(uuid.uuid4()))


class Jobs(unittest.TestCase):
    def test_events_end_with_the_terminal_status_after_every_output(self) -> None:
        seen: List[JobEvent] = []
        job = atelier.jobs.run(blue(), on_event=seen.append, metadata={"run": ran}, max_credits=100)
        types = [event.type for event in seen]
        self.assertEqual((types[-1], types.count("output")), ("status", 1))
        self.assertTrue(has_ended(job))
        self.assertEqual(atelier.jobs.download(job["outputs"][0])[1:4], b"PNG")
        with tempfile.TemporaryDirectory() as folder:
            size = atelier.jobs.save(job["outputs"][0], Path(folder) / "blue.png")
            self.assertEqual(size, (Path(folder) / "blue.png").stat().st_size)
        self.assertEqual([each["id"] for each in atelier.jobs.list(metadata={"run": ran})], [job["id"]])
        handle = atelier.jobs.get(job["id"])
        self.assertEqual(handle.cancel()["status"], "succeeded")
        self.assertEqual(handle.workflow()["format"], "api")
        self.assertEqual(atelier.jobs.charges(job["id"])["job_id"], job["id"])
        self.assertEqual(len(atelier.jobs.charges_of([job["id"]])), 1)

    def test_a_file_in_a_graph_is_uploaded_and_a_broken_one_names_its_node(self) -> None:
        picture = atelier.jobs.download(atelier.jobs.run(blue(0xFF00FF))["outputs"][0])
        filled = Workflow(LOADING).set("1", "image", GraphFile(picture, file_path="pink.png"))
        self.assertEqual(len(atelier.jobs.run(filled)["outputs"]), 1)
        note = atelier.assets.put(b"no picture", file_path="note.txt")
        with self.assertRaises(JobFailed) as caught:
            atelier.jobs.run(Workflow(LOADING).set("1", "image", reference_to(note)))
        error = caught.exception.job["error"]
        self.assertEqual(error and error["node_id"], "1")

    def test_what_the_editor_saves_and_the_server_cannot_convert_has_its_class(self) -> None:
        with self.assertRaises(EditorWorkflow):
            atelier.jobs.submit({"nodes": [{"id": 1, "type": "No/Such"}], "links": []})
        with self.assertRaises(NotFound):
            atelier.jobs.get(str(uuid.uuid4()))

    def test_estimates_and_classes(self) -> None:
        drawn = {"model": "sandbox/image-1-queued", "prompt": "x", "width": 64, "height": 64, "seed": 1}
        drawing = {**blue(), "1": {"class_type": "AtelierModelImage", "inputs": drawn}}
        loading = Workflow(LOADING).set("1", "image", GraphFile(b"x", file_path="x.png"))
        self.assertEqual(atelier.estimates.workflow(loading)["nodes"], [])
        self.assertEqual([node["node_id"] for node in atelier.estimates.workflow(drawing)["nodes"]], ["1"])
        self.assertIn("ImageScale", [each["name"] for each in atelier.classes.list(q="scale image", page_size=5)])
        seed = next(each for each in atelier.classes.get("AtelierModelImage")["inputs"] if each["name"] == "seed")
        self.assertEqual(seed["max"], 2**64 - 1)
        self.assertIn("ImageScale", atelier.classes.object_info(category="image"))


class Assets(unittest.TestCase):
    def test_bytes_are_stored_found_shared_tagged_and_deleted(self) -> None:
        noise = os.urandom(60_000)
        asset = atelier.assets.put(noise, file_path="noise.bin", tags=["python"])
        hash = asset["hash"] or ""
        self.assertTrue(atelier.assets.has(hash))
        twin = atelier.assets.put(noise, file_path="noise.bin", hash=hash)
        self.assertEqual(twin["hash"], asset["hash"])
        self.assertEqual(atelier.assets.download(asset), noise)
        with atelier.assets.open(asset, start=10, end=19) as response:
            self.assertEqual(response.read(), noise[10:20])
        shared = atelier.assets.share(asset)
        self.assertEqual(httpx.get(shared.url).content, noise)
        assert shared.expires_at is not None
        self.assertGreater(shared.expires_at, datetime.now(timezone.utc))
        self.assertIn(asset["id"], [each["id"] for each in atelier.assets.list(tag="python")])
        self.assertIn("starred", atelier.assets.change_tags(asset["id"], add=["starred"])["tags"])
        atelier.assets.delete(asset["id"])
        with self.assertRaises(NotFound):
            atelier.assets.get(asset["id"])

    def test_a_large_file_goes_up_in_pieces_and_continues_where_it_was(self) -> None:
        whole = os.urandom(20 * 1024 * 1024)
        addresses: List[str] = []
        sent: List[int] = []

        class Enough(Exception):
            pass

        def stop(done: int, _total: int) -> None:
            sent.append(done)
            if len(sent) == 1:
                raise Enough()

        options: Dict[str, Any] = {"file_path": "large.bin", "resumable_from_bytes": 1, "on_progress": stop}
        with self.assertRaises(Enough):
            atelier.assets.put(whole, on_address=addresses.append, **options)
        with tempfile.NamedTemporaryFile() as file:
            file.write(whole)
            file.flush()
            asset = atelier.assets.put(file.name, resume_from=addresses[0], **options)
        self.assertEqual((sent[0], sent[1], asset["size_bytes"]), (16 * 1024 * 1024, 16 * 1024 * 1024, len(whole)))
        self.assertEqual(atelier.assets.download(asset), whole)


class Account(unittest.TestCase):
    def test_a_workflow_is_kept_published_called_and_withdrawn(self) -> None:
        kept = atelier.workflows.save(f"Blue {ran}", blue(), folder="squares", note="first")
        wider = {**blue(), "1": {**blue()["1"], "inputs": {**blue()["1"]["inputs"], "width": 128}}}
        atelier.workflows.save_version(kept["id"], wider, note="wider", if_match=kept["etag"])
        self.assertTrue(atelier.workflows.diff(kept["id"])["changes"])
        self.assertEqual(atelier.workflows.graph(kept["id"])["1"]["inputs"]["width"], 128)
        atelier.workflows.restore(kept["id"], 1)
        self.assertEqual([each["version"] for each in atelier.workflows.versions(kept["id"])], [3, 2, 1])
        self.assertIn(kept["id"], [each["id"] for each in atelier.workflows.list(q="blue")])
        text = '{"1": {"class_type": "EmptyImage",  "inputs": {}}}'
        exact = atelier.workflows.save(f"Exact {ran}", text)
        self.assertEqual(atelier.workflows.text(exact["id"]), text)
        copy = atelier.workflows.duplicate(kept["id"], f"Copied {ran}")
        atelier.workflows.change(copy["id"], archived=True)
        atelier.workflows.delete(copy["id"])
        form = atelier.workflows.form(kept["id"])["form"]
        self.assertEqual(atelier.workflows.save_form(kept["id"], form)["form"]["outputs"], form["outputs"])
        name = f"blue-{ran}"
        work = atelier.works.publish(name, kept["id"], form=form, title="Blue", examples=[])
        self.assertTrue(atelier.models.run(work["id"], {}).data)
        self.assertEqual(len(atelier.jobs.run(WorkCall(f"{work['id']}.v1"))["outputs"]), 1)
        self.assertEqual(len(atelier.jobs.run({"work": work["id"], "inputs": {}})["outputs"]), 1)
        changed = atelier.works.change(name, title=None, description="One colour.", if_match=work["etag"])
        self.assertEqual(changed.get("description"), "One colour.")
        self.assertIn(name, [each["name"] for each in atelier.works.list(q="blue")])
        self.assertEqual([each["version"] for each in atelier.works.versions(name)], [1])
        self.assertEqual(atelier.works.version(name, 1)["version"], 1)
        self.assertTrue(atelier.works.diff(name, from_version=1, to_version=1)["is_same"])
        soon = datetime.now(timezone.utc) + timedelta(hours=1)
        link = atelier.works.links.create(name, budget=5, expires_at=soon)
        self.assertEqual([each["id"] for each in atelier.works.links.list(name)], [link["id"]])
        atelier.works.links.delete(name, link["id"])
        atelier.works.delete(name, if_match=atelier.works.get(name)["etag"])

    def test_tokens_budgets_and_routes(self) -> None:
        made = atelier.tokens.create(["call_models"], models=["sandbox/text-1"], credits_max=5, expires_in=600)
        with Atelier(api_key=made["token"]) as limited:
            self.assertTrue(limited.models.run("sandbox/text-1", {"prompt": "x"}).data)
        self.assertIn(made["id"], [each["id"] for each in atelier.tokens.list()])
        self.assertIsNotNone(atelier.tokens.get(made["id"]))
        atelier.tokens.revoke(made["id"])
        budget = f"spring-{ran}"
        atelier.budgets.put(budget, {"scope": "tag", "subject": "project=spring", "period": "month", "amount": "500"})
        self.assertEqual(atelier.budgets.get(budget)["name"], budget)
        self.assertIn(budget, [each["name"] for each in atelier.budgets.list()])
        atelier.budgets.delete(budget)
        route = f"words-{ran}"
        atelier.routes.put(route, {"targets": [{"model": "sandbox/text-1"}]})
        self.assertTrue(atelier.models.run(f"route/{route}", {"prompt": "x"}).data)
        self.assertIn(route, [each["name"] for each in atelier.routes.list()])
        atelier.routes.delete(route)

    def test_partners(self) -> None:
        picture = atelier.jobs.download(atelier.jobs.run(blue())["outputs"][0])
        image = atelier.partners.upload(picture, file_name="blue.png", content_type="image/png")
        task = atelier.partners.a.relight({"image": image, "prompt": "warm evening light"})
        self.assertEqual(atelier.partners.a.wait_for_relight(task["data"]["task_id"])["data"]["status"], "COMPLETED")
        prompt = atelier.partners.b.text_to_video({"prompt_text": "waves at night"})
        self.assertEqual(atelier.partners.b.get(prompt["id"])["id"], prompt["id"])
        with self.assertRaises(TimedOut):
            atelier.partners.b.wait(prompt["id"], timeout=0)

    def test_the_registry_and_badges(self) -> None:
        studio, node = f"studio-{ran}", f"node-{ran}"
        atelier.registry.create_publisher({"id": studio, "name": "Studio"})
        atelier.registry.create_node(studio, {"id": node, "name": "A node"})
        self.assertEqual(atelier.registry.publisher(studio)["name"], "Studio")
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as pack:
            pack.writestr("__init__.py", "NODE_CLASS_MAPPINGS = {}\n")
        published = atelier.registry.publish(studio, node, {"version": "1.0.0"}, archive.getvalue())
        self.assertIn("status", published)
        self.assertEqual([each["version"] for each in atelier.registry.versions(node)], ["1.0.0"])
        self.assertIn(node, [each["id"] for each in atelier.registry.list(page_size=50)])
        self.assertGreaterEqual(atelier.registry.search("node")["total"], 1)
        badges = atelier.badges("nightly", "cloud")
        self.assertIsInstance(badges.map(), dict)
        self.assertIsNone(badges.get("No/Such"))
        self.assertEqual(atelier.request("/account").json()["role"], "owner")


class Asynchronous(unittest.IsolatedAsyncioTestCase):
    async def test_models_jobs_assets_and_streams_at_the_same_time(self) -> None:
        async with AsyncAtelier() as client:
            ids = [model["id"] async for model in client.models.list(page_size=2)]
            self.assertIn("sandbox/text-1", ids)
            runs = [client.models.run("sandbox/text-1", {"prompt": f"{at} {ran}"}) for at in range(4)]
            self.assertEqual(len([made.data["text"] for made in await asyncio.gather(*runs)]), 4)
            events = [event async for event in client.models.stream("sandbox/text-1", {"prompt": f"x {ran}"})]
            self.assertGreater(len(events), 3)
            handle = await client.jobs.submit(blue(0x00FF00))
            types = [event.type async for event in handle.events()]
            self.assertEqual((types[-1], types.count("output")), ("status", 1))
            job = await handle.wait(timeout=60)
            self.assertEqual((await client.jobs.download(job["outputs"][0]))[1:4], b"PNG")
            asset = await client.assets.put(b"hello", file_path="hello.txt")
            async with client.assets.open(asset, start=1) as response:
                self.assertEqual(await response.aread(), b"ello")
            large = await client.assets.put(os.urandom(100_000), file_path="l.bin", resumable_from_bytes=1)
            self.assertEqual(large["size_bytes"], 100_000)
            queued = await client.models.submit("sandbox/text-1", {"prompt": "x"})
            self.assertEqual((await queued.wait(timeout=120))["status"], "COMPLETED")
            with self.assertRaises(ModelNotFound):
                await client.models.get("sandbox/none")


if __name__ == "__main__":
    unittest.main()
