# What programs do with the package openai, unmodified. Each flow says one line of JSON.
import base64
import json
import os
import traceback
import uuid

import openai

BASE = f"{os.environ['COMFY_BASE_URL']}/openai/v1"
KEY = os.environ["COMFY_API_KEY"]
CLIENT = openai.OpenAI(base_url=BASE, api_key=KEY, max_retries=0)
MESSAGES = [{"role": "user", "content": "a quiet harbour at dawn"}]


def models():
    ids = [model.id for model in CLIENT.models.list()]
    assert "sandbox/image-1" in ids and "sandbox/text-1" in ids
    assert CLIENT.models.retrieve("sandbox/text-1").id == "sandbox/text-1"


def picture_bytes():
    made = CLIENT.images.generate(
        model="sandbox/image-1", prompt="a lighthouse", size="256x256", response_format="b64_json"
    )
    return base64.b64decode(made.data[0].b64_json)


def pictures():
    assert picture_bytes()[1:4] == b"PNG"
    raw = CLIENT.images.with_raw_response.generate(model="sandbox/image-1", prompt="a lighthouse", size="256x256")
    assert raw.headers["x-litellm-response-cost"] == "0"
    assert raw.parse().data[0].url.startswith("http")


def edits():
    edited = CLIENT.images.edit(
        model="openai/gpt-image-1", image=("sea.png", picture_bytes(), "image/png"), prompt="with a boat", quality="low"
    )
    assert edited.data[0].b64_json


def chat():
    whole = CLIENT.chat.completions.create(model="sandbox/text-1", messages=MESSAGES, seed=7)
    stream = CLIENT.chat.completions.create(
        model="sandbox/text-1", messages=MESSAGES, seed=7, stream=True, stream_options={"include_usage": True}
    )
    text, usage = "", None
    for chunk in stream:
        text += (chunk.choices[0].delta.content or "") if chunk.choices else ""
        usage = chunk.usage or usage
    assert text == whole.choices[0].message.content
    assert usage.total_tokens == whole.usage.total_tokens


def speech():
    assert CLIENT.audio.speech.create(model="sandbox/voice-1", voice="alloy", input="hello").content[:4] == b"RIFF"


def failures():
    for expected, call in [
        (openai.NotFoundError, lambda: CLIENT.chat.completions.create(model="sandbox/nothing", messages=MESSAGES)),
        (openai.BadRequestError, lambda: CLIENT.chat.completions.create(model="sandbox/text-1", messages=[])),
        (openai.AuthenticationError, lambda: openai.OpenAI(base_url=BASE, api_key="service-wrong").models.list()),
    ]:
        try:
            call()
        except expected:
            continue
        raise AssertionError(expected)


def retries():
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    once = lambda: CLIENT.chat.completions.create(model="sandbox/text-1", messages=MESSAGES, extra_headers=headers)
    assert once().choices[0].message.content == once().choices[0].message.content


FLOWS = {
    "models are listed and one is read": models,
    "a picture as base64 and as a URL, with its cost": pictures,
    "a picture is edited": edits,
    "a chat, whole and as a stream with usage": chat,
    "speech": speech,
    "failures have their class": failures,
    "a retry under one key is the same call": retries,
}

for flow, run in FLOWS.items():
    try:
        run()
        print(json.dumps({"flow": flow, "ok": True}), flush=True)
    except Exception:
        print(json.dumps({"flow": flow, "ok": False, "note": traceback.format_exc()}), flush=True)
