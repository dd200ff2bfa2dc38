// What the gallery and the playground do with films, sounds and several files at once, and how uploads resume.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { startSandboxApplication } from "@atelier/sandbox";
import type { Page } from "playwright-core";
import { type Entry, fromBuffer, type ZipFile } from "yauzl";
import { textOf } from "../support/app-client.ts";
import { proxyApp } from "../support/proxy-app.ts";
import { adminOf } from "./every-page.ts";
import { pictureOf } from "./gallery.pages.ts";
import { until } from "./jobs.pages.ts";
import type { LookName, Scene, Visit } from "./scene.ts";

// One second of a low tone.
function toneFile(): Buffer {
  const rate = 8_000;
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + rate, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36);
  head.writeUInt32LE(rate, 40);
  return Buffer.concat([head, Buffer.from(Array.from({ length: rate }, (_, at) => 128 + 60 * Math.sin(at / 6)))]);
}

// A short film, as this browser records it.
async function filmFile(page: Page): Promise<Buffer> {
  const text = await page.evaluate<string>(`(async () => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 64;
    const pen = canvas.getContext("2d");
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: "video/webm;codecs=vp8" });
    const parts = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.start();
    for (let at = 0; at < 12; at++) {
      pen.fillStyle = "hsl(" + at * 30 + " 80% 50%)";
      pen.fillRect(0, 0, 64, 64);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    await new Promise((resolve) => { recorder.onstop = resolve; recorder.stop(); });
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    let out = "";
    for (const byte of bytes) out += String.fromCharCode(byte);
    return btoa(out);
  })()`);
  return Buffer.from(text, "base64");
}

async function upload({ page }: Visit, name: string, mimeType: string, buffer: Buffer): Promise<void> {
  await page.getByLabel("Files to upload").setInputFiles({ name, mimeType, buffer });
  await page.locator("[data-upload=done], [data-upload=here]").filter({ hasText: name }).waitFor();
}

// Reads the zip to its end: the reader checks sizes and checksums.
async function textsIn(bytes: Buffer): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const zip = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(bytes, { lazyEntries: true }, (fault, opened) => (fault ? reject(fault) : resolve(opened))),
  );
  const ended = new Promise((resolve, reject) => zip.once("end", resolve).once("error", reject));
  zip.on("entry", (entry: Entry) =>
    zip.openReadStream(entry, async (fault, stream) => {
      if (fault) return void zip.emit("error", fault);
      const parts: Buffer[] = [];
      for await (const part of stream) parts.push(part);
      found[entry.fileName] = Buffer.concat(parts).toString("utf8");
      zip.readEntry();
    }),
  );
  zip.readEntry();
  await ended;
  return found;
}

export function openedPages(scene: () => Scene): void {
  describe("what the gallery opens", () => {
    for (const look of ["light", "dark", "phone"] satisfies LookName[])
      test(`${look}: video and sound are played`, async () => {
        const visit = await scene().visit(look);
        const { page } = visit;
        await visit.open("/console/gallery?source=upload");
        await upload(visit, `film-${look}.webm`, "video/webm", await filmFile(page));
        await upload(visit, `tone-${look}.wav`, "audio/wav", toneFile());
        // A film that breaks off shows its type and size instead of its length, and is spoken so.
        await upload(visit, `cut-${look}.webm`, "video/webm", (await filmFile(page)).subarray(0, 64));
        await page.getByRole("link", { name: `cut-${look}.webm, WEBM 64 B, Video` }).waitFor();
        await page
          .getByRole("link", { name: new RegExp(`^film-${look}.webm`) })
          .first()
          .click();
        const film = `document.querySelector("dialog video")`;
        await until(visit, `(${film}?.videoWidth ?? 0) === 64`);
        await page.evaluate(`${film}.play()`);
        await until(visit, `${film}.currentTime > 0`);
        await visit.picture("opened-film");
        await visit.requireAccessible();
        await page.keyboard.press("Escape");
        // Its tile shows how long it is once it knows, and its name says so too.
        await until(visit, `document.querySelector("[data-tile] video")?.readyState > 0`);
        await visit.requireAccessible();
        await page
          .getByRole("link", { name: new RegExp(`^tone-${look}.wav`) })
          .first()
          .click();
        await until(visit, `(document.querySelector("dialog audio")?.duration ?? 0) === 1`);
        await visit.picture("opened-sound");
        await visit.requireAccessible();
        await visit.close();
      });

    test("several files come as one zip, byte for byte and under their own names", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      // As in browsers without a save dialog, which no test could answer.
      await page.addInitScript("delete window.showSaveFilePicker");
      await visit.open("/console/gallery?source=upload");
      const texts = { "one.txt": "the first", "two.txt": "the second ü" };
      for (const [name, text] of Object.entries(texts)) await upload(visit, name, "text/plain", Buffer.from(text));
      for (const name of Object.keys(texts))
        await page
          .getByRole("link", { name: new RegExp(`^${name}`) })
          .first()
          .click({ modifiers: ["Control"] });
      const coming = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download zip" }).click();
      assert.deepEqual(await textsIn(await readFile(await (await coming).path())), texts);
      await page.getByText("The zip contains 2 files.").waitFor();
      await visit.close();
    });

    test("holding space flips two pictures; three and four are shown side by side", async () => {
      const ids = [];
      for (const color of [0x112233, 0x445566, 0x778899, 0xaabbcc])
        ids.push(await pictureOf(scene(), color, `c${color}`));
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open(`/console/gallery?compare=${ids[0]},${ids[1]}&mode=flip`);
      await page.getByRole("button", { name: "Flip" }).click();
      const second = page.getByRole("dialog").locator("img").nth(1);
      await second.waitFor({ state: "attached" });
      assert.equal(await second.isVisible(), false);
      await page.keyboard.down(" ");
      await second.waitFor({ state: "visible" });
      await page.keyboard.up(" ");
      await second.waitFor({ state: "hidden" });
      const held = page.getByRole("button", { name: "hold here" });
      await held.hover();
      await page.mouse.down();
      await second.waitFor({ state: "visible" });
      await page.mouse.up();
      for (const count of [3, 4]) {
        await visit.open(`/console/gallery?compare=${ids.slice(0, count).join(",")}`);
        await page
          .getByRole("dialog")
          .locator("img")
          .nth(count - 1)
          .waitFor();
        await visit.requireAccessible();
        await visit.picture(`opened-compare-${count}`);
        assert.equal(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), true);
      }
      await visit.close();
    });

    test("a pasted picture is uploaded under its own new name", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/gallery?source=upload");
      await page.evaluate(`{
        const data = new DataTransfer();
        data.items.add(new File(["a pasted thing " + Date.now()], "image.png", { type: "image/png" }));
        document.body.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, clipboardData: data }));
      }`);
      await page
        .locator("[data-upload=done]")
        .filter({ hasText: /pasted-.*\.png/ })
        .waitFor();
      await page
        .getByRole("link", { name: /^pasted-/ })
        .first()
        .waitFor();
      await visit.close();
    });

    test("a paused upload resumes where it stopped", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/gallery?source=upload");
      // A slow connection, so that there is time to press the button.
      const line = await page.context().newCDPSession(page);
      const pace = (bytes: number) =>
        line.send("Network.emulateNetworkConditions", {
          offline: false,
          latency: 0,
          downloadThroughput: -1,
          uploadThroughput: bytes,
        });
      await line.send("Network.enable");
      await pace(4_000_000);
      const buffer = Buffer.alloc(24 * 1024 * 1024, Math.floor(Math.random() * 255));
      buffer.writeDoubleLE(Math.random(), 0);
      await page
        .getByLabel("Files to upload")
        .setInputFiles({ name: "large.bin", mimeType: "application/x-test", buffer });
      const row = page.locator("[data-upload]").filter({ hasText: "large.bin" });
      await row
        .getByText(/^\d.* of 24/)
        .or(row.getByText(/of 25/))
        .first()
        .waitFor();
      await page.getByRole("button", { name: "Pause large.bin" }).click();
      await row.getByText(/^Paused at/).waitFor();
      const sent: number[] = [];
      page.on("request", (request) => {
        if (request.method() === "PATCH") sent.push(Number(request.headers()["upload-offset"] ?? -1));
      });
      await pace(-1);
      await page.getByRole("button", { name: "Resume large.bin" }).click();
      await page.locator("[data-upload=done]").filter({ hasText: "large.bin" }).waitFor();
      assert.ok((sent[0] ?? 0) > 0, `it went on from ${sent[0]}`);
      await visit.close();
    });
  });

  describe("what the playground opens", () => {
    test("a model's video is shown", async () => {
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/models/sandbox/video-1");
      await page.getByRole("textbox", { name: "Prompt" }).fill("a short film of the sea");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.locator('section[data-phase="done"]').locator("video, img").first().waitFor();
      await visit.picture("opened-film-of-model");
      await visit.close();
    });

    test("a queued call can be cancelled while it waits, and costs nothing", async () => {
      const { server } = scene();
      const admin = await adminOf(scene());
      const account = (await server.call({ path: "/account" })).json();
      const path = `/admin/workspaces/${textOf(account, "workspace", "id")}/limits/concurrency`;
      const visit = await scene().visit();
      const { page } = visit;
      await visit.open("/console/models/sandbox/image-1-queued?how=queued");
      await page.getByRole("textbox", { name: "Prompt" }).fill(`cancelled ${Date.now()}`);
      // One slot, with other calls ahead in the queue.
      const limited = await server.call({ method: "PUT", path, headers: admin, body: { value: 1, reason: "a test" } });
      assert.equal(limited.status, 200, limited.text);
      try {
        for (const prompt of ["first", "second", "third"])
          await server.call({ method: "POST", path: "/v1/models/sandbox/video-1/requests", body: { prompt } });
        await page.getByRole("button", { name: "Run", exact: true }).click();
        await page.getByRole("button", { name: "Cancel call" }).click();
        await page
          .locator('section[data-phase="failed"]')
          .getByText(/cancell?ed/i)
          .first()
          .waitFor();
        await visit.requireAccessible();
        await visit.picture("opened-cancelled");
        const id = new URL(page.url()).searchParams.get("request");
        await visit.open(`/console/requests/${id}`);
        await page
          .getByText(/^Cancell?ed$/)
          .first()
          .waitFor();
      } finally {
        await server.call({ method: "DELETE", path, headers: admin });
      }
      await visit.close();
    });
  });

  describe("the console of a proxy", () => {
    test("a token signs a person in, is never kept in storage, and a wrong one is reported", async () => {
      const home = await mkdtemp(join(tmpdir(), "atelier-application-"));
      const application = await startSandboxApplication({ home });
      const token = "a-token-of-the-operator-0123456789";
      const proxy = await proxyApp({ applicationUrl: application.url, env: { ATELIER_PROXY_TOKEN: token } });
      const visit = await scene().visit("light", { signedIn: false, through: proxy.url });
      const { page } = visit;
      try {
        await page.goto("/console/jobs");
        await page.getByRole("heading", { name: "Enter the token of this server" }).waitFor();
        await visit.requireAccessible();
        await visit.picture("opened-token");
        await page.getByLabel("Token").fill("not-the-token-of-the-operator");
        await page.keyboard.press("Enter");
        await page.getByText("This is not the token that the operator set.").waitFor();
        await page.getByLabel("Token").fill(token);
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { level: 1, name: "Jobs" }).waitFor();
        await page.getByText("No jobs yet").waitFor();
        assert.ok(!(await page.evaluate<string>("JSON.stringify([localStorage, sessionStorage])")).includes(token));
        await visit.picture("opened-proxy");
        await visit.close();
      } finally {
        await proxy.close();
        await application.close();
        await rm(home, { recursive: true, force: true });
      }
    });
  });
}
