import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { createServer } from "node:http";
import { after, before, beforeEach, describe, test } from "node:test";
import sharp from "sharp";
import { brightness, fineEnergy, mostDifference } from "../../test/support/measure.ts";
import {
  face,
  faceSize,
  type PartnerClient,
  partnerClient,
  type Receiver,
  receiver,
  secrets,
} from "../../test/support/partner-client.ts";
import { portrait } from "../../test/support/portrait.ts";
import { at, bodyOf } from "../../test/support/sandbox-client.ts";

const relightPath = "/partner-a/v1/ai/image-relight";
const skinPath = "/partner-a/v1/ai/skin-enhancer";
const hasEnded = (body: Record<string, unknown>) =>
  ["COMPLETED", "FAILED"].includes(String(at(body, "data", "status")));

let sandbox: PartnerClient;
let hook: Receiver;
before(async () => {
  sandbox = await partnerClient();
  hook = await receiver();
});
after(async () => {
  await sandbox.close();
  await hook.close();
});
beforeEach(() => {
  hook.letters.length = 0;
  hook.answers.length = 0;
});

const begun = async (path: string, body: object, headers?: Record<string, string>) => {
  const answer = await sandbox.post(path, body, headers);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return String(at(JSON.parse(text), "data", "task_id"));
};
const resultOf = async (readPath: string, id: string) => {
  const ended = await sandbox.until(`${readPath}/${id}`, hasEnded);
  assert.equal(at(ended, "data", "status"), "COMPLETED");
  const url = String(at(ended, "data", "generated", 0));
  const file = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  assert.equal(file.headers.get("content-type"), "image/png");
  const { data, info } = await sharp(Buffer.from(await file.arrayBuffer()))
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: info.channels, pixels: new Uint8Array(data) };
};

describe("a task", () => {
  test("is answered as started, and read until it is completed with a picture", async () => {
    const answer = await bodyOf(
      await sandbox.post(relightPath, { image: await face(), prompt: "light from the left" }),
    );
    const { data } = answer;
    assert.match(String(at(data, "task_id")), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual([at(data, "status"), at(data, "generated")], ["CREATED", []]);
    const picture = await resultOf(relightPath, String(at(data, "task_id")));
    assert.deepEqual([picture.width, picture.height, picture.channels], [faceSize.width, faceSize.height, 3]);
    const original = { ...faceSize, pixels: portrait(faceSize.width, faceSize.height) };
    const leaning = (seen: typeof original) => brightness(seen, "left") / brightness(seen, "right");
    assert.ok(leaning(picture) > leaning(original) * 1.15);
  });

  test("goes through CREATED and IN_PROGRESS, moved by hand here", async () => {
    const id = await begun(relightPath, { image: await face(), simulate: "held" });
    const status = async () => at(await bodyOf(await sandbox.get(`${relightPath}/${id}`)), "data", "status");
    assert.equal(await status(), "CREATED");
    await sandbox.control("POST", `/v1/partner-tasks/${id}`, { to: "running" });
    await sandbox.until(`${relightPath}/${id}`, (body) => at(body, "data", "status") === "IN_PROGRESS");
    assert.equal((await sandbox.control("POST", `/v1/partner-tasks/${id}`, { to: "completed" })).status, 200);
    assert.ok((await resultOf(relightPath, id)).pixels.length > 0);
    assert.equal((await sandbox.control("POST", `/v1/partner-tasks/${id}`, { to: "failed" })).status, 409);
  });

  test("every mode of the skin enhancer works on one status route, and follows its numbers", async () => {
    const image = await face();
    const made = async (mode: string, more: object) =>
      resultOf(skinPath, await begun(`${skinPath}/${mode}`, { image, ...more }));
    const [soft, grainy] = [await made("flexible", { smart_grain: 0 }), await made("flexible", { smart_grain: 90 })];
    assert.ok(fineEnergy(grainy) > fineEnergy(soft) * 1.5);
    assert.ok((await made("creative", {})).pixels.length > 0);
    assert.ok((await made("faithful", { skin_detail: 10, sharpen: 50 })).pixels.length > 0);
  });

  test("is only found under its own tool, and an unknown one is 404 without a body", async () => {
    const id = await begun(relightPath, { image: await face() });
    assert.equal((await sandbox.get(`${skinPath}/${id}`)).status, 404);
    const unknown = await sandbox.get(`${relightPath}/00000000-0000-4000-8000-000000000000`);
    assert.deepEqual([unknown.status, await unknown.text()], [404, ""]);
    assert.equal((await sandbox.get(`${skinPath}/flexible`)).status, 404);
  });
});

describe("callbacks", () => {
  // Written out, without any code of the sandbox.
  const verified = (letter: Receiver["letters"][number], secret: string) => {
    const [id, timestamp] = [letter.headers["webhook-id"], letter.headers["webhook-timestamp"]];
    const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), letter.raw]);
    const expected = createHmac("sha256", Buffer.from(secret, "utf8")).update(signed).digest("base64");
    assert.ok(Math.abs(Number(timestamp) - Date.now() / 1000) < 60);
    return letter.headers["webhook-signature"] === `v1,${expected}`;
  };

  test("report every change in order, unwrapped and signed", async () => {
    const id = await begun(relightPath, { image: await face(), webhook_url: hook.url });
    const letters = await hook.received(2);
    assert.deepEqual(
      letters.map(({ body }) => [body["task_id"], body["status"], body["data"]]),
      [
        [id, "IN_PROGRESS", undefined],
        [id, "COMPLETED", undefined],
      ],
    );
    assert.ok(letters.every((letter) => verified(letter, secrets["partner-a"]) && !verified(letter, "another")));
    const [first, second] = letters;
    assert.notEqual(first?.headers["webhook-id"], second?.headers["webhook-id"]);
    const read = await bodyOf(await sandbox.get(`${relightPath}/${id}`));
    assert.deepEqual(second?.body, read["data"]);
  });

  test("are repeated under the same id until a 2xx, at most four times", async () => {
    hook.answers.push(500, 302);
    const id = await begun(relightPath, { image: await face(), webhook_url: hook.url, simulate: "skip" });
    const letters = await hook.received(3);
    assert.equal(new Set(letters.map(({ headers }) => headers["webhook-id"])).size, 1);
    const log = await bodyOf(await sandbox.control("GET", `/v1/partner-tasks/${id}`));
    assert.deepEqual(
      [at(log, "callbacks", 0, "response_status"), at(log, "callbacks", 1, "response_status")],
      [500, 302],
    );
    hook.letters.length = 0;
    hook.answers.push(500, 500, 500, 500, 500);
    const hopeless = await begun(relightPath, { image: await face(), webhook_url: hook.url, simulate: "skip" });
    await sandbox.until(`/v1/partner-tasks/${hopeless}`, (body) => at(body, "callbacks", 3) !== undefined);
    assert.equal(hook.letters.length, 4);
  });
});

describe("pictures", () => {
  test("come as base64, as a data URL, from this machine, and from the sandbox's own files", async () => {
    const image = await face();
    let fetched = 0;
    const server = createServer((_request, response) => {
      fetched += 1;
      response.writeHead(200, { "content-type": "image/png" }).end(Buffer.from(image, "base64"));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    assert.ok(typeof address === "object" && address !== null);
    const settings = { prompt: "sunset", advanced_settings: { fixed_generation: true } };
    const made = async (source: string) =>
      resultOf(relightPath, await begun(relightPath, { image: source, ...settings }));
    const inline = await made(image);
    for (const source of [`data:image/png;base64,${image}`, `http://127.0.0.1:${address.port}/a.png`])
      assert.equal(mostDifference((await made(source)).pixels, inline.pixels), 0);
    assert.equal(fetched, 1);
    await new Promise((resolve) => server.close(resolve));
    const ended = await sandbox.until(
      `${relightPath}/${await begun(relightPath, { image, light_transfer_strength: 0 })}`,
      hasEnded,
    );
    const own = await made(String(at(ended, "data", "generated", 0)));
    assert.ok(mostDifference(own.pixels, inline.pixels) <= 6);
  });

  test("from elsewhere are replaced by a placeholder per address, and nothing is dialled", async () => {
    const settings = { light_transfer_strength: 0, change_background: false };
    const made = async (image: string) => resultOf(relightPath, await begun(relightPath, { image, ...settings }));
    // Names that cannot exist: dialling them would fail the task.
    const addresses = ["https://pictures.invalid/a.png", "http://pictures.invalid/b.png"];
    const [one, other] = await Promise.all(addresses.map(made));
    assert.ok(one && other && mostDifference(one.pixels, other.pixels) > 0);
  });

  test("from special addresses are refused at once, and so are other callbacks", async () => {
    const image = await face();
    for (const wrong of [
      "http://10.0.0.1/a.png",
      "https://user:word@example.com/a.png",
      "https://studio.localhost/a.png",
      "https://[fd00::1]/a.png",
      "ftp://127.0.0.1/a",
      "no picture",
    ])
      assert.equal((await sandbox.post(relightPath, { image: wrong })).status, 400, wrong);
    for (const wrong of [
      "https://example.com/hook",
      "http://user:word@127.0.0.1/",
      "http://169.254.169.254/",
      "file:///etc/passwd",
    ])
      assert.equal((await sandbox.post(relightPath, { image, webhook_url: wrong })).status, 400, wrong);
  });

  test("that cannot be decoded or read end as FAILED", async () => {
    for (const image of [Buffer.alloc(400, 7).toString("base64"), `${sandbox.url}/files/none.png`]) {
      const ended = await sandbox.until(`${relightPath}/${await begun(relightPath, { image })}`, hasEnded);
      assert.deepEqual([at(ended, "data", "status"), at(ended, "data", "generated")], ["FAILED", []]);
    }
  });

  test("keep their transparency and are upright", async () => {
    const cut = await sharp({
      create: { width: 64, height: 40, channels: 4, background: { r: 200, g: 120, b: 80, alpha: 0.5 } },
    })
      .png()
      .toBuffer();
    const made = await resultOf(relightPath, await begun(relightPath, { image: cut.toString("base64") }));
    assert.deepEqual([made.channels, made.pixels[3]], [4, 128]);
    const lying = await sharp({ create: { width: 64, height: 40, channels: 3, background: "#888" } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const upright = await resultOf(relightPath, await begun(relightPath, { image: lying.toString("base64") }));
    assert.deepEqual([upright.width, upright.height], [40, 64]);
  });

  test("of more than four megapixels come back with the same aspect ratio, scaled down", async () => {
    const large = await sharp({ create: { width: 3000, height: 2000, channels: 3, background: "#567" } })
      .jpeg()
      .toBuffer();
    const made = await resultOf(
      `${skinPath}`,
      await begun(`${skinPath}/faithful`, { image: large.toString("base64") }),
    );
    assert.ok(made.width * made.height <= 4_194_304 && Math.abs(made.width / made.height - 1.5) < 0.01);
  });
});

describe("the entrance", () => {
  test("needs the key in the vendor's header", async () => {
    const body = { image: await face() };
    for (const headers of [
      { "x-partner-a-api-key": "wrong" },
      { "x-partner-a-api-key": "", authorization: "Bearer own" },
    ]) {
      const answer = await sandbox.post(relightPath, body, headers);
      assert.equal(answer.status, 401);
      assert.equal(typeof (await bodyOf(answer))["message"], "string");
    }
  });

  test("every invalid member is named, and nothing runs", async () => {
    const image = await face();
    const wrong = await sandbox.post(
      relightPath,
      {
        image,
        light_transfer_strength: 101,
        style: "loud",
        change_background: "yes",
        transfer_light_from_reference_image: image,
        transfer_light_from_lightmap: image,
        advanced_settings: { whites: -1, engine: "steam" },
      },
      { "x-request-reference": "wrong-members" },
    );
    assert.equal(wrong.status, 400);
    const named = (await bodyOf(wrong))["invalid_params"];
    assert.ok(Array.isArray(named));
    assert.deepEqual(named.map((problem: unknown) => at(problem, "field")).sort(), [
      "advanced_settings.engine",
      "advanced_settings.whites",
      "change_background",
      "light_transfer_strength",
      "style",
      "transfer_light_from_lightmap",
    ]);
    assert.equal((await bodyOf(await sandbox.control("GET", "/v1/references/wrong-members")))["runs"], 0);
    for (const body of ["{", "[]", "{}"]) assert.equal((await sandbox.post(relightPath, body)).status, 400);
  });

  test("a reference counts every run; an idempotency key joins", async () => {
    const body = { image: await face() };
    const ids = [
      await begun(relightPath, body, { "x-request-reference": "counted" }),
      await begun(relightPath, body, { "x-request-reference": "counted" }),
    ];
    assert.equal(new Set(ids).size, 2);
    const counted = await bodyOf(await sandbox.control("GET", "/v1/references/counted"));
    assert.deepEqual([counted["submissions"], counted["runs"], counted["task_id"]], [2, 2, ids[1]]);
    const seen = await bodyOf(await sandbox.control("GET", "/v1/partner-tasks?reference=counted"));
    assert.equal(at(seen, "tasks", 1, "id"), ids[1]);
    const joined = [
      await begun(relightPath, body, { "idempotency-key": "joined" }),
      await begun(relightPath, body, { "idempotency-key": "joined" }),
    ];
    assert.equal(new Set(joined).size, 1);
    assert.deepEqual([(await bodyOf(await sandbox.control("GET", "/v1/references/joined")))["runs"]], [1]);
    assert.equal(
      (await sandbox.post(relightPath, { ...body, prompt: "x" }, { "idempotency-key": "joined" })).status,
      422,
    );
  });

  test("received bytes are known by their hash", async () => {
    const text = `{ "image" : "${await face()}" , "unknown": 1e400 }`;
    const id = String(at(await bodyOf(await sandbox.post(relightPath, text)), "data", "task_id"));
    const log = await bodyOf(await sandbox.control("GET", `/v1/partner-tasks/${id}`));
    assert.deepEqual(
      [at(log, "request", "sha256"), at(log, "request", "bytes")],
      [createHash("sha256").update(text).digest("hex"), text.length],
    );
  });

  test("the control needs the sandbox's own credential", async () => {
    for (const path of ["/v1/partner-faults", "/v1/partner-tasks/x"])
      assert.equal((await sandbox.get(path, { authorization: "Bearer key b" })).status, 401);
  });
});
