# A public library that speaks to an application, unmodified: `comfy_api_simplified`, over the loopback listener that needs no
# credential. Each flow says one line of JSON.
import json
import os
import tempfile
import traceback
from pathlib import Path

from comfy_api_simplified import ComfyApiWrapper, ComfyWorkflowWrapper

FOLDER = Path(tempfile.mkdtemp(prefix="atelier-application-"))
GRAPH = {
    "1": {"class_type": "EmptyImage", "inputs": {"width": 64, "height": 48, "batch_size": 1, "color": 255}},
    "2": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "tool"}},
}


def upload_run_and_read():
    api = ComfyApiWrapper(f"{os.environ['FLOWS_APPLICATION_URL']}/")
    path = FOLDER / "graph.json"
    titled = {key: {**node, "_meta": {"title": node["class_type"]}} for key, node in GRAPH.items()}
    path.write_text(json.dumps(titled))
    workflow = ComfyWorkflowWrapper(str(path))
    workflow.set_node_param("EmptyImage", "color", 1234)
    assert api.upload_image(str(path))["type"] == "input"
    pictures = api.queue_and_wait_images(workflow, "SaveImage")
    assert [bytes(each[1:4]) for each in pictures.values()] == [b"PNG"], pictures


try:
    upload_run_and_read()
    said = {"flow": "upload, queue, websocket, pictures", "ok": True}
except Exception:
    said = {"flow": "upload, queue, websocket, pictures", "ok": False, "note": traceback.format_exc()}
print(json.dumps(said), flush=True)
