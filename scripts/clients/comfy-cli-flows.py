# What people do with the public command line, unmodified: graphs on the cloud surface and over the application's API on
# loopback, partner models, and the registry, which it looks for at http://localhost:8080 and nowhere else. Each flow says one
# line of JSON. Nothing outside this machine is asked: whatever tries goes to a proxy that is not there.
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import urllib.parse
import urllib.request
import zlib
from pathlib import Path

URL = os.environ["COMFY_BASE_URL"]
KEY = os.environ["COMFY_API_KEY"]
APPLICATION = urllib.parse.urlsplit(os.environ["FLOWS_APPLICATION_URL"])
FOLDER = Path(tempfile.mkdtemp(prefix="atelier-comfy-cli-"))
WORDS = [word for word in os.environ.get("FLOWS_WORDS", "").split(",") if word]
NOWHERE = "http://127.0.0.1:9"
ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "HOME": str(FOLDER),
    "DO_NOT_TRACK": "1",
    "ENVIRONMENT": "dev",
    # Tables are cut to it.
    "COLUMNS": "300",
    "COMFY_CLOUD_BASE_URL": URL,
    "COMFY_CLOUD_API_KEY": KEY,
    "COMFY_API_BASE_URL": URL,
    "COMFY_API_KEY": KEY,
    "HTTPS_PROXY": NOWHERE,
    "HTTP_PROXY": NOWHERE,
    "NO_PROXY": "127.0.0.1,localhost",
}
LOCAL = ["--where", "local", "--host", APPLICATION.hostname, "--port", str(APPLICATION.port)]
GRAPH = {
    "1": {"class_type": "EmptyImage", "inputs": {"width": 64, "height": 48, "batch_size": 1, "color": 255}},
    "2": {"class_type": "ImageInvert", "inputs": {"image": ["1", 0]}},
    "3": {"class_type": "SaveImage", "inputs": {"images": ["2", 0], "filename_prefix": "cli"}},
}
flows = {}


def flow(name):
    def keep(run):
        if not WORDS or any(word in name for word in WORDS):
            flows[name] = run
        return run

    return keep


# The last envelope that a command printed.
def comfy(*words, cwd=FOLDER, must_work=True, seconds=600):
    command = [str(Path(sys.executable).parent / "comfy"), "--skip-prompt", "--json", *words]
    done = subprocess.run(command, cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, timeout=seconds)
    assert not must_work or done.returncode == 0, f"{words}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
    envelopes = [line for line in done.stdout.splitlines() if line.startswith("{")]
    return json.loads(envelopes[-1]) if envelopes else {"data": {}, "error": {"message": done.stdout + done.stderr}}


def file_of(name, graph):
    path = FOLDER / name
    path.write_text(json.dumps(graph))
    return str(path)


def picture(red):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes([red, 10, 10]) * 16 for _ in range(16))
    head = struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def until(what, look, seconds=180):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(1)
    raise AssertionError(f"waited in vain: {what}")


def saved(prompt_id, where):
    folder = FOLDER / f"out-{prompt_id}"
    comfy("download", prompt_id, "--out-dir", str(folder), *where)
    files = sorted(folder.glob("*.png"))
    assert files and files[0].read_bytes()[1:4] == b"PNG", list(folder.iterdir())


@flow("`run --where cloud`, its picture saved")
def run_on_cloud():
    ran = comfy("run", "--workflow", file_of("graph.json", GRAPH), "--where", "cloud", "--wait")
    assert ran["data"]["status"] == "completed", ran
    saved(ran["data"]["prompt_id"], ["--where", "cloud"])


@flow("`run --host --port` over the websocket, its picture saved")
def run_on_loopback():
    ran = comfy("run", "--workflow", file_of("graph.json", GRAPH), *LOCAL, "--wait", "--timeout", "120")
    assert ran["data"]["status"] == "completed" and "3" in ran["data"]["outputs_by_node"], ran
    saved(ran["data"]["prompt_id"], ["--where", "local"])


@flow("`upload`, and a graph that loads it")
def upload():
    path = FOLDER / "photo.png"
    path.write_bytes(picture(200))
    [name] = [each["cloud_name"] for each in comfy("upload", str(path), "--where", "cloud")["data"]["uploads"]]
    graph = {**GRAPH, "1": {"class_type": "LoadImage", "inputs": {"image": name}}}
    ran = comfy("run", "--workflow", file_of("load.json", graph), "--where", "cloud", "--wait")
    assert ran["data"]["status"] == "completed", ran


@flow("`jobs ls`, `status`, `cancel`")
def jobs():
    ran = comfy("run", "--workflow", file_of("graph.json", GRAPH), "--where", "cloud", "--wait")["data"]
    listed = comfy("jobs", "ls", "--where", "cloud")["data"]["jobs"]
    assert ran["prompt_id"] in [job["prompt_id"] for job in listed], listed
    assert comfy("jobs", "status", ran["prompt_id"], "--where", "cloud")["data"]["status"] == "completed"
    slow = {**GRAPH, "1": {"class_type": "EmptyImage", "inputs": {"width": 2048, "height": 2048, "batch_size": 1, "color": 9}}}
    # Many of them, so that it still runs when the command that cancels it has started.
    for node in range(2, 42):
        blur = {"image": [str(node - 1), 0], "blur_radius": 31, "sigma": 9.0}
        slow[str(node)] = {"class_type": "ImageBlur", "inputs": blur}
    slow["42"] = {"class_type": "SaveImage", "inputs": {"images": ["41", 0], "filename_prefix": "slow"}}
    begun = comfy("run", "--workflow", file_of("slow.json", slow), "--where", "cloud")["data"]
    comfy("jobs", "cancel", begun["prompt_id"], "--where", "cloud")
    status = lambda: comfy("jobs", "status", begun["prompt_id"], "--where", "cloud", must_work=False)
    said = {}
    try:
        until("it is cancelled", lambda: said.update(status()) or "cancel" in json.dumps(said))
    except AssertionError as waited:
        raise AssertionError(f"{waited}: {json.dumps(said)[:400]}") from waited


@flow("a graph that cannot run is refused, node by node")
def refused():
    graph = {**GRAPH, "1": {"class_type": "LoadImage", "inputs": {"image": "nowhere.png"}}}
    for where in (["--where", "cloud"], LOCAL):
        ran = comfy("run", "--workflow", file_of("bad.json", graph), *where, "--wait", must_work=False)
        assert not ran.get("ok") and "nowhere.png" in json.dumps(ran), ran


@flow("`generate`: a file is hosted, a film is made")
def generate():
    path = FOLDER / "hosted.png"
    path.write_bytes(picture(90))
    comfy("generate", "upload", str(path))
    film = FOLDER / "film.mp4"
    comfy("generate", "moonvalley-t2v", "--prompt_text", "a fox", "--yes", "--download", str(film))
    assert film.stat().st_size > 0


def call(path, body):
    request = urllib.request.Request(URL + path, json.dumps(body).encode(), {"content-type": "application/json"})
    request.add_header("X-API-Key", KEY)
    return json.load(urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request))


# What arrives at the one address that the registry commands know goes to the server.
def forward():
    try:
        listener = socket.create_server(("127.0.0.1", 8080))
    except OSError as taken:
        raise RuntimeError("Port 8080 is taken, and the registry commands know no other. Stop the server there.") from taken
    target = urllib.parse.urlsplit(URL)

    def pump(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def serve():
        while True:
            caller, _ = listener.accept()
            server = socket.create_connection((target.hostname, target.port))
            for pair in ((caller, server), (server, caller)):
                threading.Thread(target=pump, args=pair, daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()


PYPROJECT = """[project]
name = "cli-flow-node"
description = "A node"
version = "{version}"
license = {{ text = "MIT" }}
dependencies = ["comfyui-frontend-package>=1.10.0"]
[project.urls]
Repository = "https://example.com/cli-flow-node"
[tool.comfy]
PublisherId = "cli-flows"
DisplayName = "CLI flows"
requires-comfyui = ">=0.3.0"
"""


def git(folder, *words):
    who = ["-c", "user.email=flows@example.com", "-c", "user.name=flows"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


@flow("`node init`, `validate`, `publish`; `registry-list`, `registry-install` of the newest and of a named version, `outdated`")
def registry():
    forward()
    call("/publishers", {"id": "cli-flows", "name": "CLI flows"})
    token = call("/publishers/cli-flows/tokens", {"name": "flows", "description": "flows"})["token"]
    node = FOLDER / "node"
    node.mkdir()
    git(node, "init", "-q", ".")
    comfy("node", "init", cwd=node)
    (node / "__init__.py").write_text("NODE_CLASS_MAPPINGS = {}\n")

    def publish(version):
        (node / "pyproject.toml").write_text(PYPROJECT.format(version=version))
        git(node, "add", "-A")
        git(node, "commit", "-qm", version)
        comfy("node", "validate", cwd=node)
        comfy("node", "publish", "--token", token, cwd=node)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        look = lambda: json.load(opener.open(f"{URL}/nodes/cli-flow-node/versions/{version}"))
        until(f"{version} is checked", lambda: look()["status"] == "NodeVersionStatusActive")
        assert look()["supported_comfyui_version"] == ">=0.3.0"
        assert look()["supported_comfyui_frontend_version"] == ">=1.10.0"

    publish("1.0.0")
    workspace = FOLDER / "ComfyUI"
    (workspace / "custom_nodes").mkdir(parents=True)
    for name in ("main.py", "requirements.txt"):
        (workspace / name).write_text("")
    git(workspace, "init", "-q", ".")
    git(workspace, "remote", "add", "origin", "https://github.com/comfyanonymous/ComfyUI.git")
    git(workspace, "add", "-A")
    git(workspace, "commit", "-qm", "workspace")
    assert "cli-flow-node" in json.dumps(comfy("node", "registry-list"))
    comfy("--workspace", str(workspace), "node", "registry-install", "cli-flow-node")
    [installed] = list((workspace / "custom_nodes").glob("*/__init__.py"))
    assert installed.parent.name == "cli-flow-node", installed
    publish("1.1.0")
    packs = comfy("--workspace", str(workspace), "outdated")["data"]["packs"]
    assert "1.1.0" in json.dumps(packs), packs
    older = FOLDER / "older" / "ComfyUI"
    shutil.copytree(workspace, older, ignore=shutil.ignore_patterns("cli-flow-node"))
    comfy("--workspace", str(older), "node", "registry-install", "cli-flow-node", "--version", "1.0.0")
    assert 'version = "1.0.0"' in (older / "custom_nodes" / "cli-flow-node" / "pyproject.toml").read_text()


for name, run in flows.items():
    try:
        run()
        said = {"flow": name, "ok": True}
    except Exception:
        said = {"flow": name, "ok": False, "note": traceback.format_exc()}
    print(json.dumps(said), flush=True)
