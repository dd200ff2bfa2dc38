# Ten operations through a Python client that openapi-python-client wrote from our openapi.json, against a server as shipped. Every
# answer goes through the generated models: what the document does not describe rightly fails here.
import io
import json
import os
import sys
import time
import traceback
import zlib

sys.path.insert(0, os.environ["FLOWS_GENERATED"])

from atelier_api_client import AuthenticatedClient, models
from atelier_api_client.api.account import get_account, get_job_charges
from atelier_api_client.api.model_router import estimate_model, invoke_model, list_models
from atelier_api_client.api.node_registry import list_nodes
from atelier_api_client.api.price_badges import get_badges
from atelier_api_client.api.v2_assets import create_upload, get_asset, upload_asset
from atelier_api_client.api.v2_jobs import get_job, list_jobs, submit_job
from atelier_api_client.types import File

CLIENT = AuthenticatedClient(base_url=os.environ["COMFY_BASE_URL"], token=os.environ["COMFY_API_KEY"])


def png():
    def chunk(kind, data):
        body = kind + data
        return len(data).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")

    head = (8).to_bytes(4, "big") * 2 + bytes([8, 2, 0, 0, 0])
    rows = b"".join(b"\0" + os.urandom(24) for _ in range(8))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def parsed(answer, kind, status=200):
    assert answer.status_code == status, (answer.status_code, answer.content[:400])
    assert isinstance(answer.parsed, kind), type(answer.parsed)
    return answer.parsed


def badges():
    asked = {"app_version": "0.3.40", "platform": models.BadgePlatform("local")}
    parsed(get_badges.sync_detailed(client=CLIENT, **asked), models.BadgeMap)


def catalog():
    page = parsed(list_models.sync_detailed(client=CLIENT), models.CatalogPage)
    assert any("image-1" in json.dumps(one.to_dict()) for one in page.data)


def run_model():
    body = models.ModelInput.from_dict({"prompt": "a boat", "width": 64, "height": 64})
    answer = invoke_model.sync_detailed("sandbox", "image-1", client=CLIENT, body=body)
    parsed(answer, models.ModelOutput)
    assert "x-service-request-id" in answer.headers


def estimate():
    body = models.ModelInput.from_dict({"prompt": "a boat", "width": 64, "height": 64})
    parsed(estimate_model.sync_detailed("sandbox", "image-1", client=CLIENT, body=body), models.ModelEstimate)


def refused():
    answer = invoke_model.sync_detailed("sandbox", "no-such-model", client=CLIENT, body=models.ModelInput())
    parsed(answer, models.RouterError, 404)


def an_asset():
    file = File(payload=io.BytesIO(png()), file_name="in.png", mime_type="image/png")
    body = models.AssetUpload(file=file, content_type="image/png", file_path="in.png")
    return parsed(upload_asset.sync_detailed(client=CLIENT, body=body), models.Asset, 201)


def assets():
    made = an_asset()
    read = parsed(get_asset.sync_detailed(made.id, client=CLIENT), models.Asset)
    assert (read.id, read.hash_, read.size_bytes) == (made.id, made.hash_, made.size_bytes)


def jobs():
    graph = models.WorkflowGraph.from_dict(
        {
            "1": {"class_type": "LoadImage", "inputs": {"image": an_asset().file_path}},
            "2": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "generated"}},
        }
    )
    labels = models.SubmitJob.from_dict({"workflow": graph.to_dict(), "metadata": {"client": "generated"}})
    job = parsed(submit_job.sync_detailed(client=CLIENT, body=labels), models.Job, 201)
    for _ in range(300):
        job = parsed(get_job.sync_detailed(job.id, client=CLIENT), models.Job)
        if job.completed_at:
            break
        time.sleep(0.2)
    assert job.status == models.JobState("succeeded"), job.status
    assert len(job.outputs) == 1, job.outputs
    page = parsed(list_jobs.sync_detailed(client=CLIENT, limit=5), models.JobPage)
    assert job.id in [one.id for one in page.data]
    # An id as the answer has it names the job everywhere.
    parsed(get_job_charges.sync_detailed(job.id, client=CLIENT), models.JobCharges)


def nodes():
    parsed(list_nodes.sync_detailed(client=CLIENT), models.NodePage)


def account():
    parsed(get_account.sync_detailed(client=CLIENT), models.Account)


def upload():
    headers = {"tus_resumable": "1.0.0", "upload_length": 0, "upload_metadata": "filename ZW1wdHkuYmlu"}
    answer = create_upload.sync_detailed(client=CLIENT, **headers)
    assert answer.status_code == 201, answer.content
    assert answer.headers["location"].startswith("/api/v2/uploads/")


def whole():
    # The generator knows no content type of tus; there are clients for that protocol.
    assert os.environ["FLOWS_OMITTED"] == "PATCH /api/v2/uploads/{id}", os.environ["FLOWS_OMITTED"]


FLOWS = {
    "every operation is there, but the bytes of tus": whole,
    "price badges": badges,
    "list models": catalog,
    "run a model": run_model,
    "estimate a model": estimate,
    "a refusal has the router's shape": refused,
    "upload and read an asset": assets,
    "submit, read and list jobs; what one cost": jobs,
    "list nodes of the registry": nodes,
    "read the account": account,
    "announce a resumable upload": upload,
}

for flow, run in FLOWS.items():
    try:
        run()
        print(json.dumps({"flow": flow, "ok": True}), flush=True)
    except Exception:
        print(json.dumps({"flow": flow, "ok": False, "note": traceback.format_exc()[-900:]}), flush=True)
