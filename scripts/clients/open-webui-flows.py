# Open WebUI's image client for an application, its own module from the published package, unmodified. Only what that module imports
# of the program around it (a session, a JSON codec, a setting) is given here. Each flow says one line of JSON.
import asyncio
import base64
import importlib.util
import json
import os
import sys
import traceback
import types
import zipfile

import aiohttp

BASE = os.environ["FLOWS_APPLICATION_URL"]
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEUlEQVQImWNQWOCAFTEMLQkA+jBAAYR5lLMAAAAASUVORK5CYII="
)
SESSIONS = []


def module(name, **members):
    made = types.ModuleType(name)
    made.__dict__.update(members)
    sys.modules[name] = made


async def get_session():
    if not SESSIONS:
        SESSIONS.append(aiohttp.ClientSession())
    return SESSIONS[0]


def load():
    for name in ("open_webui", "open_webui.utils"):
        module(name)
    module("open_webui.env", AIOHTTP_CLIENT_SESSION_SSL=False)
    module("open_webui.utils.json_codec", JSONCodec=json)
    module("open_webui.utils.session_pool", get_session=get_session)
    target = os.path.join(os.path.dirname(os.environ["FLOWS_WHEEL"]), "comfyui.py")
    with zipfile.ZipFile(os.environ["FLOWS_WHEEL"]) as wheel, open(target, "wb") as out:
        out.write(wheel.read("open_webui/utils/images/comfyui.py"))
    spec = importlib.util.spec_from_file_location("comfyui", target)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


CLIENT = load()


async def pictures(last, image=None):
    source = (
        {"class_type": "EmptyImage", "inputs": {"width": 64, "height": 64, "batch_size": 1, "color": 255}}
        if image is None
        else {"class_type": "LoadImage", "inputs": {"image": image}}
    )
    graph = {"1": source, "2": {"class_type": last, "inputs": {"images": ["1", 0]}}}
    if last == "SaveImage":
        graph["2"]["inputs"]["filename_prefix"] = "owui"
    workflow = CLIENT.ComfyUIWorkflow(workflow=json.dumps(graph), nodes=[])
    asked = {"workflow": workflow, "prompt": "", "width": 64, "height": 64}
    if image is None:
        made = await CLIENT.comfyui_create_image(
            "", CLIENT.ComfyUICreateImageForm(**asked), "flows", BASE, ""
        )
    else:
        made = await CLIENT.comfyui_edit_image(
            "", CLIENT.ComfyUIEditImageForm(**asked, image=image), "flows", BASE, ""
        )
    session = await get_session()
    for one in made["data"]:
        # As the program fetches what it shows.
        async with session.get(one["url"], headers={"Authorization": "Bearer "}) as answer:
            assert answer.status == 200 and (await answer.read())[1:4] == b"PNG", answer.status
    return len(made["data"])


async def saved():
    assert await pictures("SaveImage") == 1


async def previewed():
    assert await pictures("PreviewImage") == 1


async def edited():
    name = (await CLIENT.comfyui_upload_image(("image", ("edit.png", PICTURE, "image/png")), BASE, ""))["name"]
    assert await pictures("SaveImage", name) == 1


FLOWS = {
    "a picture by `SaveImage`, with an empty bearer": saved,
    "a picture by `PreviewImage`": previewed,
    "a picture is uploaded and edited": edited,
}


async def main():
    for flow, run in FLOWS.items():
        try:
            await run()
            print(json.dumps({"flow": flow, "ok": True}), flush=True)
        except Exception:
            print(json.dumps({"flow": flow, "ok": False, "note": traceback.format_exc()[-900:]}), flush=True)
    for session in SESSIONS:
        await session.close()


asyncio.run(main())
