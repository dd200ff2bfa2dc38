// An application without a socket that answers from a script: exactly what goes over the wire, and rules for versions
// that no longer exist.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { afterEach, test } from "node:test";
import { gzipSync } from "node:zlib";
import { systemClock } from "../../foundation/clock.ts";
import { silentLog } from "../../foundation/log.ts";
import { decodeNodes } from "../jobs/index.ts";
import { type Application, ApplicationProblem } from "./application.ts";
import { jobOf, picture, run, start, until } from "./applications.fixture.ts";
import { openApplication } from "./open-application.ts";

type Reply =
  | { readonly status?: number; readonly body?: unknown }
  // Written by hand, to the last byte.
  | { readonly answer: (response: ServerResponse) => void };
type Script = (path: string, body: string, method: string) => Reply | undefined;

let server: Server | null = null;
let application: Application | null = null;

afterEach(shut);

async function shut(): Promise<void> {
  await application?.close();
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
  server = null;
  application = null;
}

interface Call {
  readonly path: string;
  readonly body: string;
}

async function scripted(
  script: Script,
  onUpgrade?: (socket: Duplex) => void,
): Promise<{ readonly application: Application; readonly calls: Call[] }> {
  const calls: Call[] = [];
  const listening = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = request.url ?? "";
      const body = Buffer.concat(chunks).toString("utf8");
      calls.push({ path, body });
      const reply = script(path, body, request.method ?? "") ?? usual(path);
      if ("answer" in reply) return reply.answer(response);
      const { status = 200, body: answer } = reply;
      response.writeHead(status, { "content-type": "application/json" });
      response.end(answer === undefined ? "" : typeof answer === "string" ? answer : JSON.stringify(answer));
    });
  });
  if (onUpgrade) {
    listening.on("upgrade", (request, socket) => {
      const key = `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
      const accept = createHash("sha1").update(key).digest("base64");
      const lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"];
      socket.on("error", () => undefined).on("end", () => socket.destroy());
      socket.resume();
      socket.write([...lines, `Sec-WebSocket-Accept: ${accept}`, "", ""].join("\r\n"));
      onUpgrade(socket);
    });
  }
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const address = listening.address();
  assert.ok(typeof address === "object" && address !== null);
  server = listening;
  const opened = openApplication({ url: `http://127.0.0.1:${address.port}/`, clock: systemClock, log: silentLog });
  application = opened;
  return { application: opened, calls };
}

function usual(path: string): Reply {
  if (path === "/queue") return { body: { queue_running: [], queue_pending: [] } };
  if (path.startsWith("/history/")) return { body: {} };
  if (path === "/prompt") return { body: { exec_info: { queue_remaining: 0 } } };
  return { status: 404 };
}

const quick = { timing: { askBlindEveryMs: 20, graceMs: [5, 10], awayMsMax: 500 } };
const job = jobOf(picture());
const success = { status: { status_str: "success", completed: true, messages: [] }, outputs: {}, meta: {} };

test("a graph goes as it is, with our ids, all digits of its integers and the credential of the job alone", async () => {
  let submitted = "";
  const { application } = await scripted((path, body, method) => {
    if (path === "/prompt" && method === "POST") {
      submitted = body;
      return { body: { prompt_id: JSON.parse(body).prompt_id, number: 1, node_errors: {} } };
    }
    const id = submitted === "" ? "" : JSON.parse(submitted).prompt_id;
    return id !== "" && path === `/history/${id}` ? { body: { [id]: success } } : undefined;
  });
  const text = '{"1":{"class_type":"Seed","inputs":{"seed":18446744073709551615,"b":[1.5,"x"]}}}';
  const job = { ...jobOf({}), workflow: Buffer.from(text), extraData: { api_key_service: "secret" } };
  assert.equal((await start(application, job, quick).ending).kind, "succeeded");
  assert.match(submitted, /"seed":18446744073709551615[,}]/);
  const sent = JSON.parse(submitted);
  assert.equal(sent.prompt_id, job.lease.jobId);
  assert.deepEqual(sent.extra_data, { api_key_comfy_org: "secret" });
  assert.ok(typeof sent.client_id === "string" && sent.client_id.length > 10);
  submitted = "";
  await start(application, { ...jobOf({}), workflow: Buffer.from(text) }, quick).ending;
  assert.ok(!submitted.includes("extra_data"), "nothing is sent for a job without one");
});

test("an application that gives its own ids is followed by them", async () => {
  const { application } = await scripted((path, _body, method) => {
    if (path === "/prompt" && method === "POST") return { body: { prompt_id: "own/..id", number: 1, node_errors: {} } };
    return path === "/history/own%2F..id" ? { body: { "own/..id": success } } : undefined;
  });
  assert.equal((await run(application, picture(), quick).ending).kind, "succeeded");
});

test("a submission whose answer was lost is looked for and not repeated", async () => {
  let submissions = 0;
  let id = "";
  const { application } = await scripted((path, body, method) => {
    if (path === "/prompt" && method === "POST") {
      submissions += 1;
      id = JSON.parse(body).prompt_id;
      return { status: 500, body: "Server got itself in trouble" };
    }
    return id !== "" && path === `/history/${id}` ? { body: { [id]: success } } : undefined;
  });
  assert.equal((await run(application, picture(), quick).ending).kind, "succeeded");
  assert.equal(submissions, 1);
});

test("a version that cannot interrupt one prompt alone is never asked to interrupt", async () => {
  for (const [version, isAsked] of [
    ["0.3.56", false],
    ["0.3.57", true],
    [null, false],
  ] as const) {
    const { application, calls } = await scripted((path) => {
      if (path === "/queue") return { body: { queue_running: [[0, "p", {}, {}, []]], queue_pending: [] } };
      if (path === "/system_stats") return { body: { system: version === null ? {} : { comfyui_version: version } } };
      return path === "/interrupt" ? { body: "" } : undefined;
    });
    assert.equal(await application.cancel("p"), isAsked);
    const interrupts = calls.filter(({ path }) => path === "/interrupt");
    assert.deepEqual(
      interrupts.map(({ body }) => JSON.parse(body)),
      isAsked ? [{ prompt_id: "p" }] : [],
    );
    await shut();
  }
});

test("answers of any size and shape are bounded and typed", async () => {
  const { application } = await scripted((path) => {
    if (path === "/history/big") return { body: `"${"x".repeat(65 * 1024 * 1024)}"` };
    if (path === "/history/list") return { body: [] };
    if (path === "/queue") return { body: { queue_running: {}, queue_pending: [] } };
    return undefined;
  });
  for (const ask of [() => application.history("big"), () => application.history("list"), application.queue]) {
    await assert.rejects(ask(), (error) => error instanceof ApplicationProblem && error.code === "garbage");
  }
});

test("an application without a socket is up when it answers, and its jobs are followed by asking", async () => {
  const { application } = await scripted((path) =>
    path === "/object_info"
      ? { body: { Thing: { input: { required: {} }, output: [], output_node: true } } }
      : undefined,
  );
  assert.ok(await application.whenUp(60_000));
  assert.equal(application.isSocketOpen(), false);
  await until(() => application.classes() !== null, "its classes are known");
  assert.ok(application.classes()?.described.has("Thing"));
});

test("an application that forgets every graph is not asked for ever", async () => {
  let submissions = 0;
  const { application } = await scripted((path, body, method) => {
    if (path !== "/prompt" || method !== "POST") return undefined;
    submissions += 1;
    return { body: { prompt_id: JSON.parse(body).prompt_id, number: 1, node_errors: {} } };
  });
  const ending = await run(application, picture(), quick).ending;
  assert.ok(ending.kind === "failed");
  assert.deepEqual([ending.problem.code, ending.isRetryable, submissions], ["application_restarted", true, 4]);
});

test("a truncated file is fetched again, and a missing one is reported", async () => {
  const outputs = { "2": { images: [{ filename: "a.png", subfolder: "", type: "output" }] } };
  let isGone = false;
  let views = 0;
  const { application } = await scripted((path) => {
    if (path.startsWith("/history/")) {
      const id = path.slice("/history/".length);
      return { body: { [id]: { ...success, outputs } } };
    }
    if (!path.startsWith("/view")) return undefined;
    views += 1;
    return isGone ? { status: 404 } : views === 1 ? { status: 500, body: "trouble" } : { body: "bytes" };
  });
  const ended = () => start(application, jobOf(picture(), { attempt: 2 }), quick);
  const again = ended();
  assert.equal((await again.ending).kind, "succeeded");
  assert.deepEqual(
    again.outputs.map(({ nodeId, index, bytes }) => [nodeId, index, bytes.toString()]),
    [["2", 0, "bytes"]],
  );
  isGone = true;
  const { ending } = ended();
  const gone = await ending;
  assert.ok(gone.kind === "failed");
  assert.deepEqual([gone.problem.code, gone.isRetryable], ["output_unavailable", false]);
});

test("a connection that is closed ends what still runs over it", async () => {
  const { application, calls } = await scripted((path, body, method) =>
    path === "/prompt" && method === "POST"
      ? { body: { prompt_id: JSON.parse(body).prompt_id, number: 1, node_errors: {} } }
      : path === "/queue"
        ? { body: { queue_running: [[0, job.lease.jobId, {}, {}, []]], queue_pending: [] } }
        : undefined,
  );
  const { ending } = start(application, job, quick);
  await until(() => calls.some(({ path }) => path === "/queue"), "it is followed");
  await application.close();
  const ended = await ending;
  assert.ok(ended.kind === "failed" && ended.isRetryable);
});

// Accepts every graph and reports it done immediately, with one picture.
const taking: Script = (path, body, method) => {
  if (path === "/prompt" && method === "POST")
    return { body: { prompt_id: JSON.parse(body).prompt_id, number: 1, node_errors: {} } };
  const outputs = { "2": { images: [{ filename: "a.png", subfolder: "", type: "output" }] } };
  if (path.startsWith("/history/")) return { body: { [path.slice("/history/".length)]: { ...success, outputs } } };
  return path.startsWith("/view") ? { body: "bytes" } : undefined;
};

test("redirects are never followed, on any call", async () => {
  let visits = 0;
  const elsewhere = createServer((_request, response) => {
    visits += 1;
    response.end("{}");
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  const address = elsewhere.address();
  assert.ok(typeof address === "object" && address !== null);
  const location = `http://127.0.0.1:${address.port}/`;
  try {
    for (const prefix of ["/", "/history", "/view"]) {
      const { application } = await scripted((path, body, method) =>
        path.startsWith(prefix)
          ? { answer: (response) => void response.writeHead(302, { location }).end() }
          : taking(path, body, method),
      );
      const ending = await run(application, picture(), quick).ending;
      assert.ok(ending.kind === "failed", prefix);
      assert.deepEqual([ending.problem.code, ending.isRetryable], ["application_error", true], prefix);
      await shut();
    }
    assert.equal(visits, 0);
  } finally {
    elsewhere.closeAllConnections();
    await new Promise((resolve) => elsewhere.close(resolve));
  }
});

test("a file or an answer that announces two gigabytes and ends is neither kept nor waited for", async () => {
  for (const prefix of ["/view", "/history"]) {
    const { application } = await scripted((path, body, method) =>
      path.startsWith(prefix)
        ? {
            answer: (response) => {
              response.writeHead(200, { "content-length": String(2 * 1024 ** 3) });
              response.write("{", () => response.destroy());
            },
          }
        : taking(path, body, method),
    );
    const { ending, outputs } = run(application, picture(), quick);
    const ended = await ending;
    assert.ok(ended.kind === "failed", prefix);
    assert.deepEqual([ended.problem.code, ended.isRetryable, outputs], ["application_unreachable", true, []], prefix);
    await shut();
  }
});

test("an answer that is packed, and unpacks to a gigabyte, is not unpacked", async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, " "));
  const { application } = await scripted((path, body, method) =>
    path.startsWith("/history") || path === "/object_info"
      ? { answer: (response) => void response.writeHead(200, { "content-encoding": "gzip" }).end(bomb) }
      : taking(path, body, method),
  );
  const ending = await run(application, picture(), quick).ending;
  assert.ok(ending.kind === "failed" && ending.problem.code === "application_error");
  assert.equal(application.classes(), null);
});

test("a socket that says half of everything, and no goodbye, keeps no job from ending and no line open", async () => {
  let lines = 0;
  const open = (socket: Duplex, frame: readonly number[]) => {
    lines += 1;
    socket.on("close", () => (lines -= 1));
    socket.write(Buffer.from(frame));
  };

  const frames: readonly (readonly number[])[] = [
    // A text of a thousand bytes, of which only ten come.
    [0x81, 126, 0x03, 0xe8, ..."0123456789".split("").map((digit) => digit.charCodeAt(0))],
    // The first part of a message whose second never comes.
    [0x01, 0x02, 0x7b, 0x22],
    // An impossible length, an unknown kind, a masked answer, and half a header.
    [0x82, 127, 0x3f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    [0x83, 0x00],
    [0x81, 0x82, 1, 2, 3, 4, 5, 6],
    [0x81],
  ];
  for (const frame of frames) {
    const { application } = await scripted(taking, (socket) => open(socket, frame));
    assert.ok(await application.whenUp(60_000));
    const { ending, outputs } = run(application, picture(), { timing: { ...quick.timing, askEveryMs: 20 } });
    assert.equal((await ending).kind, "succeeded", JSON.stringify(frame));
    assert.equal(outputs.length, 1);
    await application.close();
    await until(() => lines === 0, "we have gone");
    await shut();
  }
});

function frameOf(opcode: 1 | 2, payload: Buffer): Buffer {
  assert.ok(payload.length < 65_536);
  const head = payload.length < 126 ? [payload.length] : [126, payload.length >> 8, payload.length & 255];
  return Buffer.concat([Buffer.from([0x80 | opcode, ...head]), payload]);
}

test("a prompt's last preview and progress are reported, however soon its end follows", async () => {
  let socket: Duplex | null = null;
  let hasEnded = false;
  const text = (type: string, data: object) => frameOf(1, Buffer.from(JSON.stringify({ type, data })));
  const preview = (prompt_id: string, shown: string) => {
    const metadata = Buffer.from(JSON.stringify({ node_id: "2", prompt_id, image_type: "image/png" }));
    const head = Buffer.alloc(8);
    head.writeUInt32BE(4, 0);
    head.writeUInt32BE(metadata.length, 4);
    return frameOf(2, Buffer.concat([head, metadata, Buffer.from(shown)]));
  };
  const states = (prompt_id: string, first: string) =>
    text("progress_state", { prompt_id, nodes: { "1": { value: 1, max: 1, state: first } } });
  const { application } = await scripted(
    (path, body, method) => {
      const { jobId } = job.lease;
      if (hasEnded && path === `/history/${jobId}`) return { body: { [jobId]: success } };
      if (path !== "/prompt" || method !== "POST") return undefined;
      hasEnded = true;
      const { prompt_id } = JSON.parse(body);
      socket?.write(
        Buffer.concat([
          states(prompt_id, "running"),
          preview(prompt_id, "first"),
          preview(prompt_id, "second"),
          preview(prompt_id, "last"),
          states(prompt_id, "finished"),
          text("execution_success", { prompt_id }),
          text("executing", { node: null, prompt_id }),
        ]),
      );
      return { body: { prompt_id, number: 1, node_errors: {} } };
    },
    (upgraded) => {
      socket = upgraded;
    },
  );
  await until(async () => application.isSocketOpen(), "the socket is open");
  const { ending, previews, boards } = start(application, job, quick);
  assert.equal((await ending).kind, "succeeded");
  assert.deepEqual(
    previews.map(({ bytes }) => bytes.toString()),
    ["first", "last"],
  );
  assert.notEqual(decodeNodes(boards[0]?.picture(1) ?? "")?.nodes[0]?.ms, null, "its end was heard");
});
