// What programs do with the packages openai, ai and @ai-sdk/openai-compatible. This file is copied next to the unmodified
// packages and run there; each flow prints one line of JSON.
import assert from "node:assert/strict";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateImage, generateText, streamText } from "ai";
import OpenAI, { toFile } from "openai";

const baseURL = `${process.env["COMFY_BASE_URL"]}/openai/v1`;
const apiKey = process.env["COMFY_API_KEY"];
const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const compatible = createOpenAICompatible({ name: "atelier", baseURL, apiKey, includeUsage: true });
const messages = [{ role: "user", content: "a quiet harbour at dawn" }];
const isPng = (bytes) => Buffer.from(bytes).subarray(1, 4).toString() === "PNG";
const size = "256x256";

const flows = {
  async "openai: models are listed and one is read"() {
    const ids = (await Array.fromAsync(await client.models.list())).map(({ id }) => id);
    for (const id of ["sandbox/image-1", "sandbox/text-1", "sandbox/voice-1"]) assert.ok(ids.includes(id), id);
    assert.equal((await client.models.retrieve("sandbox/text-1")).id, "sandbox/text-1");
  },
  async "openai: a picture as base64 and as a URL, with its cost"() {
    const asked = { model: "sandbox/image-1", prompt: "a lighthouse", size };
    const { data, response } = await client.images.generate({ ...asked, response_format: "b64_json" }).withResponse();
    assert.ok(isPng(Buffer.from(data.data[0].b64_json, "base64")));
    assert.equal(response.headers.get("x-litellm-response-cost"), "0");
    const linked = await client.images.generate({ ...asked, response_format: "url", n: 1 });
    assert.ok(isPng(await (await fetch(linked.data[0].url)).arrayBuffer()));
  },
  async "openai: pictures are edited, with a mask"() {
    const { data } = await client.images.generate({
      model: "sandbox/image-1",
      prompt: "sea",
      size,
      response_format: "b64_json",
    });
    const picture = () => toFile(Buffer.from(data[0].b64_json, "base64"), "sea.png", { type: "image/png" });
    const edited = await client.images.edit({
      model: "openai/gpt-image-1",
      image: [await picture(), await picture()],
      mask: await picture(),
      prompt: "with a boat",
      quality: "low",
    });
    assert.ok(edited.data[0].b64_json.length > 0);
  },
  async "openai: a chat, whole and as a stream with usage"() {
    const asked = { model: "sandbox/text-1", messages, seed: 7 };
    const whole = await client.chat.completions.create(asked);
    assert.ok(whole.choices[0].message.content.length > 20);
    assert.equal(whole.choices[0].finish_reason, "stop");
    const stream = await client.chat.completions.create({
      ...asked,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = "";
    let usage = null;
    let pieces = 0;
    for await (const chunk of stream) {
      const piece = chunk.choices[0]?.delta?.content ?? "";
      if (piece !== "") pieces += 1;
      text += piece;
      usage = chunk.usage ?? usage;
    }
    assert.equal(text, whole.choices[0].message.content);
    assert.ok(pieces > 5);
    assert.deepEqual(usage, whole.usage);
  },
  async "openai: speech"() {
    const speech = await client.audio.speech.create({
      model: "sandbox/voice-1",
      voice: "alloy",
      input: "good evening",
    });
    assert.equal(speech.headers.get("content-type"), "audio/wav");
    assert.equal(speech.headers.get("x-service-dropped-params"), "voice");
    assert.equal(
      Buffer.from(await speech.arrayBuffer())
        .subarray(0, 4)
        .toString(),
      "RIFF",
    );
  },
  async "openai: failures have their class"() {
    const fails = (call, expected) =>
      assert.rejects(call, (error) => error instanceof expected && error.requestID !== null);
    await fails(client.chat.completions.create({ model: "sandbox/nothing", messages }), OpenAI.NotFoundError);
    await fails(client.chat.completions.create({ model: "sandbox/text-1", messages: [] }), OpenAI.BadRequestError);
    await fails(
      new OpenAI({ baseURL, apiKey: "service-wrong", maxRetries: 0 }).models.list(),
      OpenAI.AuthenticationError,
    );
  },
  async "openai: a retry under one key is the same call"() {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const asked = { model: "sandbox/text-1", messages, stream: true };
    const once = async () => {
      const pieces = await Array.fromAsync(await client.chat.completions.create(asked, { headers }));
      return pieces.map((chunk) => chunk.choices[0]?.delta?.content ?? "").join("");
    };
    const first = await once();
    assert.equal(await once(), first);
  },
  async "ai: text, a stream and a picture"() {
    const model = compatible.chatModel("sandbox/text-1");
    const prompt = "a quiet harbour at dawn";
    assert.ok((await generateText({ model, prompt, maxRetries: 0 })).text.length > 20);
    const streamed = streamText({ model, prompt, maxRetries: 0 });
    let pieces = 0;
    for await (const _piece of streamed.textStream) pieces += 1;
    assert.ok(pieces > 5);
    assert.ok((await streamed.usage).outputTokens > 0);
    const { image } = await generateImage({
      model: compatible.imageModel("sandbox/image-1"),
      prompt,
      size,
      // It fetches no picture from a private address, and this server's are at one.
      providerOptions: { atelier: { response_format: "b64_json" } },
      maxRetries: 0,
    });
    assert.ok(isPng(image.uint8Array));
  },
};

for (const [flow, run] of Object.entries(flows)) {
  try {
    await run();
    console.log(JSON.stringify({ flow, ok: true }));
  } catch (error) {
    console.log(JSON.stringify({ flow, ok: false, note: String(error?.stack ?? error) }));
  }
}
