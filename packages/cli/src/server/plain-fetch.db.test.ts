import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer, type RequestListener } from "node:http";
import { test } from "node:test";
import { promisify } from "node:util";
import { plainFetch } from "./plain-fetch.ts";

async function against(answer: RequestListener, run: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  try {
    await run(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

test("a request and its answer equal those of the platform's own fetch", async () => {
  const listener: RequestListener = async (request, response) => {
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece;
    const { authorization, "content-type": type, "content-length": length } = request.headers;
    response
      .writeHead(418, { "x-twice": ["a", "b"] })
      .end(JSON.stringify([request.method, authorization, type, length, body]));
  };
  await against(listener, async (url) => {
    const init = {
      method: "POST",
      headers: { authorization: "Bearer k", "content-type": "application/json" },
      body: "ü{}",
    };
    const [ours, theirs] = [await plainFetch(url, init), await fetch(url, init)];
    assert.deepEqual([ours.ok, ours.status, ours.statusText], [theirs.ok, theirs.status, theirs.statusText]);
    assert.equal(ours.headers.get("X-Twice"), theirs.headers.get("x-twice"));
    assert.equal(ours.headers.get("absent"), null);
    assert.equal(await ours.text(), await theirs.text());
  });
});

test("a body arrives piece by piece as it is sent, and a premature end is an error", async () => {
  const pieces: RequestListener = (request, response) => {
    response.write("one");
    if (request.url === "/cut") setTimeout(() => response.destroy(), 30);
    else setTimeout(() => response.end("two"), 30);
  };
  await against(pieces, async (url) => {
    const read = async (path: string) => {
      const heard: string[] = [];
      const { body } = await plainFetch(`${url}${path}`);
      for await (const piece of body ?? []) heard.push(Buffer.from(piece).toString());
      return heard.join(" ");
    };
    assert.equal(await read("/"), "one two");
    await assert.rejects(read("/cut"));
    await assert.rejects((await plainFetch(`${url}/cut`)).text());
  });
});

test("a signal ends the wait for an answer and for a body with its own reason", async () => {
  const slow: RequestListener = (request, response) => {
    if (request.url === "/body") response.write("one");
  };
  await against(slow, async (url) => {
    const stop = new AbortController();
    const asking = plainFetch(url, { signal: stop.signal });
    stop.abort(new Error("enough"));
    await assert.rejects(asking, /enough/);
    await assert.rejects(plainFetch(url, { signal: stop.signal }), /enough/);
    const later = new AbortController();
    const answer = await plainFetch(`${url}/body`, { signal: later.signal });
    const reading = answer.text();
    later.abort(new Error("enough"));
    await assert.rejects(reading);
  });
});

test("redirects and binary bodies are left to the platform", async () => {
  const elsewhere: RequestListener = (request, response) => {
    if (request.url === "/old") response.writeHead(307, { location: "/new" }).end();
    else request.resume().on("end", () => response.end(`${request.method} ${request.url}`));
  };
  await against(elsewhere, async (url) => {
    assert.equal(await (await plainFetch(`${url}/old`)).text(), "GET /new");
    assert.equal((await plainFetch(`${url}/old`, { redirect: "manual" })).status, 307);
    const form = new FormData();
    form.set("file", new Blob(["x"]));
    assert.equal(await (await plainFetch(`${url}/form`, { method: "POST", body: form })).text(), "POST /form");
  });
});

test("an unread answer does not keep the program from ending", { timeout: 900_000 }, async () => {
  const listener: RequestListener = (request, response) => {
    request.resume();
    if (request.url === "/none") response.writeHead(204).end();
    else response.end("something small");
  };
  await against(listener, async (url) => {
    const program = `
      import { plainFetch } from ${JSON.stringify(new URL("./plain-fetch.ts", import.meta.url).href)};
      await plainFetch("${url}/head", { method: "HEAD" });
      await plainFetch("${url}/none", { method: "DELETE" });
      await plainFetch("${url}/some", { method: "POST", body: "{}" });
      console.log("done");`;
    // Otherwise this ends with a timeout.
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
      timeout: 900_000,
    });
    assert.equal(stdout, "done\n");
  });
});

test("an unreachable server is an error with its code", async () => {
  await assert.rejects(plainFetch("http://127.0.0.1:1/"), { code: "ECONNREFUSED" });
});
