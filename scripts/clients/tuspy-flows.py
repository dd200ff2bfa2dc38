# What programs do with tuspy, unmodified. Each flow says one line of JSON.
import hashlib
import io
import json
import os
import traceback
from base64 import b64encode

import requests
from tusclient import client as tus

BASE = os.environ["COMFY_BASE_URL"]
KEY = os.environ.get("COMFY_API_KEY")
HEADERS = {"X-API-Key": KEY} if KEY else {}
CLIENT = tus.TusClient(f"{BASE}/api/v2/uploads", headers=HEADERS)


def asset_bytes(address):
    head = requests.head(address, headers={**HEADERS, "Tus-Resumable": "1.0.0"})
    asset = requests.get(f"{BASE}{head.headers['location']}", headers=HEADERS).json()
    return requests.get(requests.compat.urljoin(BASE, asset["url"]), headers=HEADERS).content


def uploader(data, **options):
    return CLIENT.uploader(file_stream=io.BytesIO(data), chunk_size=200_000, **options)


def pieces():
    data = os.urandom(700_000)
    up = uploader(data, metadata={"filename": "tuspy.bin"})
    up.upload()
    assert asset_bytes(up.url) == data


def checksums():
    data = os.urandom(700_000)
    up = uploader(data, metadata={"filename": "sums.bin"}, upload_checksum=True)
    assert up.checksum_algorithm_name == "sha1"
    up.upload()
    assert asset_bytes(up.url) == data


def mismatch():
    # Its own checksum of other bytes, as if the wire had changed them.
    data = os.urandom(300_000)
    up = uploader(data, metadata={"filename": "changed.bin"}, upload_checksum=True, retries=0)
    up.set_url(up.create_url())
    sent = requests.patch(
        up.url,
        data=b"x" * 1000,
        headers={
            **up.get_headers(),
            "Upload-Offset": "0",
            "Content-Type": "application/offset+octet-stream",
            "Upload-Checksum": f"sha1 {b64encode(hashlib.sha1(b'y' * 1000).digest()).decode()}",
        },
    )
    assert sent.status_code == 460, sent.status_code
    up.upload()
    assert asset_bytes(up.url) == data


def resumed():
    data = os.urandom(700_000)
    first = uploader(data, metadata={"filename": "resumed.bin"})
    first.upload_chunk()
    second = uploader(data, url=first.url)
    assert second.offset == 200_000, second.offset
    second.upload()
    assert asset_bytes(first.url) == data


FLOWS = {
    "tus: a file in pieces, without a content type": pieces,
    "tus: a checksum with every piece": checksums,
    "tus: a piece that changed on the way is refused and sent again": mismatch,
    "tus: stopped on the way and resumed": resumed,
}

for flow, run in FLOWS.items():
    try:
        run()
        print(json.dumps({"flow": flow, "ok": True}), flush=True)
    except Exception:
        print(json.dumps({"flow": flow, "ok": False, "note": traceback.format_exc()[-900:]}), flush=True)
