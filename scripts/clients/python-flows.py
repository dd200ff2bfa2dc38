# What programs do with the public Python SDK, unmodified. Each flow says one line of JSON. COMFY_BASE_URL,
# COMFY_ROUTER_BASE_URL and COMFY_API_KEY are what a person would set.
import asyncio
import base64
import io
import json
import os
import tempfile
import traceback
from pathlib import Path

from comfy_sdk import AsyncComfy, Comfy
from comfy_sdk import exceptions, router_exceptions
from comfy_sdk.events import OutputReady, Preview, Progress, StatusChange

SURFACE = os.environ["FLOWS_SURFACE"]
KEY = os.environ.get("COMFY_API_KEY")
FOLDER = Path(tempfile.mkdtemp(prefix="atelier-flows-"))
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEUlEQVQImWNQWOCAFTEMLQkA+jBAAYR5lLMAAAAASUVORK5CYII="
)
NOWHERE = "00000000-0000-7000-8000-000000000000"

# Only flows whose name holds one of these words; all if there are none.
WORDS = [word for word in os.environ.get("FLOWS_WORDS", "").split(",") if word]

client = Comfy(api_key=KEY) if KEY else Comfy()
flows = {}


def flow(name, only=None):
    def keep(run):
        is_wanted = not WORDS or any(word in name for word in WORDS)
        if is_wanted and (only is None or only == SURFACE):
            flows[name] = run
        return run

    return keep


def graph(prefix="py"):
    return {
        "1": {"class_type": "LoadImage", "inputs": {"image": ""}},
        "2": {"class_type": "ImageInvert", "inputs": {"image": ["1", 0]}},
        "3": {"class_type": "SaveImage", "inputs": {"images": ["2", 0], "filename_prefix": prefix}},
    }


def workflow_with(asset):
    workflow = client.workflows.from_json(graph())
    workflow.set_input("1", "image", asset)
    return workflow


def finished(**more):
    asset = client.assets.from_bytes(PICTURE, filename="photo.png")
    job = client.submit(workflow_with(asset), **more).wait(timeout=120)
    assert job.status == "succeeded", job.status
    return job


def refused(kind, run):
    try:
        run()
    except kind as thrown:
        return thrown
    raise AssertionError(f"{kind.__name__} was not raised")


@flow("upload from bytes, file and stream; equal bytes are known again")
def _():
    file = FOLDER / "photo.png"
    file.write_bytes(PICTURE)
    first = client.assets.from_file(file)
    first.commit()
    again = client.assets.from_bytes(PICTURE, filename="photo.png")
    again.commit()
    assert again.hash == first.hash
    stream = client.assets.from_stream(io.BytesIO(PICTURE), filename="stream.png")
    assert stream.commit()
    assert client.assets.get(first.id).id == first.id


@flow("submit, wait, download whole and in part")
def _():
    (output,) = finished().get_outputs("3")
    whole = output.to_bytes()
    assert whole[1:4] == b"PNG"
    assert output.to_bytes(range=(0, 7)) == whole[:8]
    saved = output.to_file(FOLDER / "out.png")
    assert Path(saved).read_bytes() == whole


@flow("a download URL; its expiry where it is signed")
def _():
    (output,) = finished().get_outputs("3")
    found = output.get_download_url()
    assert found.url.startswith("http")
    if SURFACE == "cloud":
        assert found.expires_at is not None
        import httpx

        assert httpx.get(found.url).content[1:4] == b"PNG"


@flow("events to the end, previews among them")
def _():
    # A seed of its own: what was made before is not made again, and shows no preview.
    color = int.from_bytes(os.urandom(3), "big")
    job = client.submit(
        client.workflows.from_json(
            {
                "1": {"class_type": "EmptyImage", "inputs": {"width": 64, "height": 64, "batch_size": 4, "color": color}},
                "2": {"class_type": "SaveImageWebsocket", "inputs": {"images": ["1", 0]}},
                "3": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "events"}},
            }
        )
    )
    kinds = {type(event) for event in job.events()}
    assert {StatusChange, OutputReady, Progress} <= kinds, kinds
    assert Preview in kinds, kinds


@flow("cancel")
def _():
    slow = client.workflows.from_json(
        {
            "1": {"class_type": "EmptyImage", "inputs": {"width": 4096, "height": 4096, "batch_size": 1, "color": 255}},
            "2": {"class_type": "ImageBlur", "inputs": {"image": ["1", 0], "blur_radius": 31, "sigma": 10}},
            "3": {"class_type": "SaveImage", "inputs": {"images": ["2", 0], "filename_prefix": "slow"}},
        }
    )
    job = client.submit(slow)
    job.cancel()
    assert job.wait(timeout=180).status in ("canceled", "succeeded")


@flow("submit(metadata=) is kept, read back and filtered by")
def _():
    label = os.urandom(6).hex()
    job = finished(metadata={"run": label, "team": "blue"})
    assert client.jobs.get(job.id).metadata == {"run": label, "team": "blue"}
    found = list(client.list_jobs(metadata={"run": label}))
    assert [one.id for one in found] == [job.id], found
    assert found[0].create_time and found[0].update_time and found[0].metadata["team"] == "blue"


@flow("list_jobs() walks every page")
def _():
    ids = {finished().id for _ in range(3)}
    seen = [one.id for one in client.list_jobs(limit=1)]
    assert ids <= set(seen) and len(seen) == len(set(seen)), seen


@flow("submit(api_key=) goes with the job")
def _():
    finished(api_key=KEY or "comfyui-of-another-service")


@flow("the executed workflow")
def _():
    assert finished().get_workflow().graph["2"]["class_type"] == "ImageInvert"


@flow("failures have their class and request id")
def _():
    missing = refused(exceptions.NotFound, lambda: client.jobs.get(NOWHERE))
    assert missing.request_id, "exc.request_id"
    bad = client.workflows.from_json({"1": {"class_type": "NoSuchClass", "inputs": {}}})
    assert refused(exceptions.InvalidWorkflow, lambda: client.submit(bad)).request_id


@flow("delete")
def _():
    asset = client.assets.from_bytes(os.urandom(64), filename="gone.bin")
    asset.commit()
    client.assets.delete(asset.id)
    refused(exceptions.NotFound, lambda: client.assets.get(asset.id))


@flow("the async client")
def _():
    async def run():
        other = AsyncComfy(api_key=KEY) if KEY else AsyncComfy()
        workflow = other.workflows.from_json(graph("async"))
        workflow.set_input("1", "image", other.assets.from_bytes(PICTURE, filename="photo.png"))
        job = await (await other.submit(workflow)).wait(timeout=120)
        (output,) = job.get_outputs("3")
        assert (await output.to_bytes())[1:4] == b"PNG"
        await other.aclose()

    asyncio.run(run())


@flow("models.list and models.schema, conditional too", only="cloud")
def _():
    ids = [model.id for model in client.models.list(limit=2)]
    assert "sandbox/image-1" in ids, ids
    schema = client.models.schema("sandbox/image-1")
    assert schema.document and schema.request_id
    assert client.models.schema("sandbox/image-1", etag=schema.etag).unchanged


@flow("models.run tells credits and request id, and replays", only="cloud")
def _():
    given = {"prompt": "a boat", "width": 64, "height": 64}
    key = os.urandom(8).hex()
    first = client.models.run_detailed("sandbox/image-1", given, idempotency_key=key)
    assert first.request_id and first.credits_used is not None and not first.replayed
    again = client.models.run_detailed("sandbox/image-1", given, idempotency_key=key)
    assert again.replayed and again.output == first.output


@flow("a film by the model queue", only="cloud")
def _():
    handle = client.models.submit("sandbox/video-1", {"prompt": "waves", "seconds": 2})
    updates = [update.status for update in handle.iter_events(timeout=180)]
    assert updates[-1] == "COMPLETED", updates
    result = handle.get(timeout=60)
    url = result["result"]["video"]["url"] if "result" in result else result["video"]["url"]
    import httpx

    assert len(httpx.get(url).content) > 1000
    assert client.models.handle("sandbox/video-1", handle.request_id).status().is_completed


@flow("a queued call is cancelled", only="cloud")
def _():
    handle = client.models.submit("sandbox/video-1", {"prompt": "waves", "seconds": 2})
    try:
        assert handle.cancel().status == "CANCELLATION_REQUESTED"
    except router_exceptions.AlreadyCompleted:
        return
    try:
        # It may have begun before: then it goes on.
        assert handle.get(timeout=60)
    except router_exceptions.Cancelled:
        pass


@flow("a model's refusals have their classes", only="cloud")
def _():
    refused(router_exceptions.ModelNotFound, lambda: client.models.run("sandbox/no-such-model", {}))
    invalid = refused(router_exceptions.InvalidInput, lambda: client.models.run("sandbox/image-1", {"width": "x"}))
    assert invalid.request_id


for name, run in flows.items():
    try:
        run()
        print(json.dumps({"flow": name, "ok": True}), flush=True)
    except BaseException:
        print(json.dumps({"flow": name, "ok": False, "note": traceback.format_exc()[-600:]}), flush=True)
