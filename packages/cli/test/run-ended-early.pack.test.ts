// `atelier run` that is interrupted: by a person, by a server that is away, by a pipe without a reader.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type ServerProcess, startServerProcess, until } from "../../server/test/support/server-process.ts";
import { atelier, bin, temporaryFolder } from "./support/command-line.ts";
import { openRelay } from "./support/relay.ts";
import { hasTmux, openScreen } from "./support/tmux-screen.ts";

const folder = temporaryFolder();
const home = join(folder.path, "home");
let server: ServerProcess;
before(async () => {
  server = await startServerProcess({ home, env: { ATELIER_SANDBOX: "auto", ATELIER_DRAIN_SECONDS: "1" } });
});
after(async () => {
  await server.kill("SIGTERM");
  folder.remove();
});

// The relay is not the folder's server, so the key is passed by hand.
const ownKey = () => /^API key: +(\S+)$/m.exec(readFileSync(join(home, "first-key.txt"), "utf8"))?.[1] ?? "";
const file = (name: string, graph: unknown): string => {
  const path = join(folder.path, name);
  writeFileSync(path, JSON.stringify(graph));
  return path;
};

const slowGraph = {
  "1": {
    class_type: "AtelierModelImage",
    inputs: {
      model: "sandbox/image-1",
      prompt: "x",
      width: 64,
      height: 64,
      seed: 1,
      parameters: JSON.stringify({ simulate_seconds: 600 }),
    },
  },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "slow" } },
};

test("a real terminal shows the progress and the running node; Ctrl-C cancels the job on the server", {
  skip: !hasTmux,
}, async () => {
  const words = ["run", file("slow.json", slowGraph), "--label", "in-a-terminal", "-o", join(folder.path, "slow")];
  const screen = openScreen([process.execPath, bin, ...words], {
    ATELIER_URL: server.baseUrl,
    ATELIER_HOME: home,
    LANG: "C.UTF-8",
  });
  try {
    const line = await until(
      "the line shows the node",
      () => /^▶ .*AtelierModelImage.*$/m.exec(screen.text())?.[0] ?? null,
    );
    assert.match(line, /▶ AtelierModelImage\S* +[━─]{28} +\d+% {3}node 1 of 2 {3}\d+\.\d s/);
    // One line is redrawn: the seconds count on and nothing is added, even in a narrow terminal.
    await until("it is drawn again", () => !screen.text().includes(line));
    assert.equal(screen.text().match(/▶/g)?.length, 1);
    screen.resize(60);
    await until("it fits", () => /^▶ \S+ [━─]{5,20} .* s$/m.test(screen.text()));
    const narrow = screen.text();
    await until("it is drawn again", () => screen.text() !== narrow);
    assert.ok((screen.text().match(/▶/g)?.length ?? 0) <= 2, screen.text());
    screen.press("C-c");
    await until("it ends", () => screen.text().includes("EXIT 130"));
    assert.match(screen.text(), /Canceling the job on the server/);
    assert.match(screen.text(), /✕ canceled/);
  } finally {
    screen.close();
  }
  const listed = await atelier(["jobs", "ls", "--label", "in-a-terminal"], {
    env: { ATELIER_URL: server.baseUrl, ATELIER_HOME: home },
  });
  assert.equal(listed.out.split("\t")[1], "canceled");
  assert.equal(existsSync(join(folder.path, "slow")), false);
});

test("detaching from a job with Ctrl-C leaves it running and says how to come back", {
  skip: !hasTmux,
}, async () => {
  const env = { ATELIER_URL: server.baseUrl, ATELIER_HOME: home };
  const made = await atelier(["run", file("slow.json", slowGraph), "--no-wait"], { env });
  const id = made.out.trim();
  const screen = openScreen([process.execPath, bin, "jobs", "watch", id], env);
  try {
    await until("it watches", () => /^> /m.test(screen.text()));
    screen.press("C-c");
    await until("it leaves", () => screen.text().includes("EXIT 130"));
    assert.match(screen.text(), /The job is still running\./);
  } finally {
    screen.close();
  }
  const canceled = await atelier(["jobs", "cancel", id], { env });
  assert.equal(canceled.code, 0, canceled.err + canceled.out);
});

const labelled = async (label: string): Promise<string | undefined> => {
  const listed = await atelier(["jobs", "ls", "--label", label], {
    env: { ATELIER_URL: server.baseUrl, ATELIER_HOME: home },
  });
  return listed.out.split("\t")[1];
};

test("Ctrl-C during the submission cancels the job it creates", async () => {
  const relay = await openRelay(server.baseUrl);
  try {
    const waiting = relay.hold((request) => request.method === "POST" && request.url === "/api/v2/jobs");
    const words = ["run", file("slow.json", slowGraph), "--label", "held", "--base-url", relay.url, "--key", ownKey()];
    const ran = atelier(words, {
      folder: folder.path,
      async started(child, printed) {
        await waiting;
        child.kill("SIGINT");
        await until("it says so", () => printed.err.includes("Canceling the job as soon as"));
        relay.letGo();
      },
    });
    const { code, err } = await ran;
    assert.equal(code, 130, err);
    assert.match(err, /✕ canceled/);
    assert.equal(await labelled("held"), "canceled");
  } finally {
    await relay.close();
  }
});

test("an unreachable server is waited for, and the job continues as if nothing had happened", async () => {
  const relay = await openRelay(server.baseUrl);
  try {
    const words = ["run", file("slow.json", slowGraph), "--label", "away", "--base-url", relay.url, "--key", ownKey()];
    const { code, err } = await atelier(words, {
      folder: folder.path,
      async started(child, printed) {
        await until("it runs", () => printed.err.includes("running 0%"));
        relay.leave();
        await until("it waits", () => printed.err.includes("is not responding; waiting"));
        relay.comeBack();
        // The server reports the state again once it is back.
        await until("it goes on", () => /waiting up to[\s\S]*\nrunning/.test(printed.err));
        child.kill("SIGINT");
      },
    });
    assert.equal(code, 130, err);
    assert.match(err, /✕ canceled/);
    assert.equal(await labelled("away"), "canceled");
  } finally {
    await relay.close();
  }
});

test("a pipe without a reader ends what would otherwise go on for ever", async () => {
  const env = { ATELIER_URL: server.baseUrl, ATELIER_HOME: home };
  const { code, err } = await atelier(["requests", "tail"], {
    env,
    async started(child, printed) {
      await until("it watches", () => printed.err.includes("watching"));
      child.stdout?.destroy();
      assert.equal((await atelier(["models", "run", "sandbox/text-1", "-i", "prompt=x"], { env })).code, 0);
    },
  });
  assert.equal(code, 0, err);
});

test("unwritable standard output is reported without a stack trace", {
  skip: !existsSync("/dev/full"),
}, async () => {
  const shell: [string, ...string[]] = ["sh", "-c", '"$@" > /dev/full', "sh", process.execPath, bin];
  const ran = await atelier(["--version"], { program: shell });
  assert.equal(ran.code, 1);
  assert.equal(ran.err, "✕ Cannot write to standard output (ENOSPC).\n");
});
