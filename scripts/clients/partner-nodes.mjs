// Runs the application's own partner nodes, unmodified, to their end: we start its checkout as it is, point it at the server,
// and give it graphs whose pictures and videos it has to save. Prints one line of JSON for each node: flow, ok, note.
//   COMFY_BASE_URL=… COMFY_API_KEY=… node scripts/clients/partner-nodes.mjs CHECKOUT PYTHON
// CHECKOUT is a folder with the application's main.py, PYTHON an interpreter with its dependencies (torch for CPU is
// enough; its frontend and templates are not needed). Newer versions have no Moonvalley nodes: those are reported as absent.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import sharp from "sharp";

const [checkout, python = "python3"] = process.argv.slice(2);
const { COMFY_BASE_URL: server, COMFY_API_KEY: key } = process.env;
if (!checkout || !server || !key) {
  process.stderr.write("usage: COMFY_BASE_URL=… COMFY_API_KEY=… partner-nodes.mjs CHECKOUT PYTHON\n");
  process.exit(2);
}

const say = (flow, ok, note) => process.stdout.write(`${JSON.stringify({ flow, ok, ...(note ? { note } : {}) })}\n`);
const side = { width: 512, height: 384 };

const magnific = {
  creative: {
    class_type: "MagnificImageUpscalerCreativeNode",
    inputs: {
      ...{ image: ["one", 0], prompt: "a meadow", scale_factor: "2x", optimized_for: "standard", engine: "automatic" },
      ...{ creativity: 1, hdr: 2, resemblance: 0, fractality: 0, auto_downscale: false },
    },
  },
  precise: {
    class_type: "MagnificImageUpscalerPreciseV2Node",
    inputs: {
      ...{ image: ["one", 0], scale_factor: "2x", flavor: "photo", sharpen: 7, smart_grain: 7, ultra_detail: 30 },
      auto_downscale: false,
    },
  },
  style: {
    class_type: "MagnificImageStyleTransferNode",
    inputs: {
      ...{ image: ["one", 0], reference_image: ["two", 0], prompt: "", style_strength: 100, structure_strength: 50 },
      ...{ flavor: "faithful", engine: "balanced", fixed_generation: true, portrait_mode: "enabled" },
      ...{ "portrait_mode.portrait_style": "pop", "portrait_mode.portrait_beautifier": "none" },
    },
  },
  relight: {
    class_type: "MagnificImageRelightNode",
    inputs: {
      ...{ image: ["one", 0], reference_image: ["two", 0], prompt: "evening", light_transfer_strength: 100 },
      ...{ style: "standard", interpolate_from_original: false, change_background: true, preserve_details: true },
      advanced_settings: "disabled",
    },
  },
  skin: {
    class_type: "MagnificImageSkinEnhancerNode",
    inputs: { image: ["one", 0], sharpen: 0, smart_grain: 2, mode: "faithful", "mode.skin_detail": 80 },
  },
};

const common = { negative_prompt: "", seed: 9, steps: 80 };
const moonvalley = {
  "image to video": {
    class_type: "MoonvalleyImg2VideoNode",
    inputs: { image: ["one", 0], prompt: "a boat", resolution: "1:1 (1152 x 1152)", prompt_adherence: 4.5, ...common },
  },
  "text to video": {
    class_type: "MoonvalleyTxt2VideoNode",
    inputs: { prompt: "a lighthouse", resolution: "16:9 (1920 x 1080)", prompt_adherence: 4, ...common },
  },
  // The video of one is the other's control video.
  "video to video": {
    class_type: "MoonvalleyVideo2VideoNode",
    inputs: {
      ...{ prompt: "desert noon", video: ["text to video", 0], control_type: "Motion Transfer", motion_intensity: 100 },
      ...common,
    },
  },
};

const scratch = mkdtempSync(join(tmpdir(), "atelier-partner-nodes-"));
const port = await freePort();
const base = `http://127.0.0.1:${port}`;
const application = startApplication();
try {
  await until("the application answers", 300, () => fetch(`${base}/system_stats`).then(({ ok }) => ok));
  for (const name of ["one", "two"]) await upload(name);
  const known = await json("/object_info");
  await run(known, magnific, "SaveImage", (input) => ({ images: input }), judgePicture);
  const film = (input) => ({ video: input, format: "mp4", codec: "h264" });
  await run(known, moonvalley, "SaveVideo", film, judgeFilm);
} catch (thrown) {
  say("partner nodes", false, `${thrown}\n${readFileSync(join(scratch, "application.log"), "utf8").slice(-2000)}`);
} finally {
  application.kill("SIGKILL");
  rmSync(scratch, { recursive: true, force: true });
}

function startApplication() {
  for (const name of ["front", "base", "base/input", "base/output", "base/custom_nodes", "base/models", "base/user"])
    mkdirSync(join(scratch, name));
  writeFileSync(join(scratch, "front/index.html"), "<html></html>");
  const log = openSync(join(scratch, "application.log"), "w");
  const words = ["main.py", "--cpu", "--listen", "127.0.0.1", "--port", String(port), "--disable-auto-launch"];
  const folders = ["--base-directory", join(scratch, "base"), "--front-end-root", join(scratch, "front")];
  return spawn(python, [...words, ...folders, "--comfy-api-base", server], {
    cwd: checkout,
    stdio: ["ignore", log, log],
    env: { PATH: process.env.PATH ?? "", HOME: scratch },
  });
}

function freePort() {
  return new Promise((resolve) => {
    const taken = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = taken.address();
      taken.close(() => resolve(free));
    });
  });
}

async function until(what, seconds, look) {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    const found = await look().catch(() => null);
    if (found) return found;
    if (application.exitCode !== null) throw new Error(`The application ended with ${application.exitCode}.`);
    await pause(1000);
  }
  throw new Error(`${what}: not within ${seconds} seconds`);
}

async function json(path, body) {
  const options = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(`${base}${path}`, body ? options : {});
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function upload(name) {
  const dots = Buffer.from(Array.from({ length: 16 * 12 * 3 }, (_, at) => (at * (name === "one" ? 37 : 91)) % 256));
  const png = await sharp(dots, { raw: { width: 16, height: 12, channels: 3 } })
    .resize(side)
    .png()
    .toBuffer();
  const form = new FormData();
  form.set("image", new Blob([png], { type: "image/png" }), `${name}.png`);
  const answer = await fetch(`${base}/upload/image`, { method: "POST", body: form });
  if (!answer.ok) throw new Error(`upload: ${answer.status}`);
}

async function run(known, nodes, saver, saved, judge) {
  const graph = {};
  for (const name of ["one", "two"]) graph[name] = { class_type: "LoadImage", inputs: { image: `${name}.png` } };
  for (const [name, node] of Object.entries(nodes)) {
    if (!known[node.class_type]) {
      process.stderr.write(`ABSENT: this version of the application has no ${node.class_type}\n`);
      continue;
    }
    graph[name] = node;
    const prefix = name.replaceAll(" ", "-");
    graph[`save ${name}`] = { class_type: saver, inputs: { ...saved([name, 0]), filename_prefix: prefix } };
  }
  const asked = Object.keys(nodes).filter((name) => graph[name]);
  if (asked.length === 0) return;
  const { prompt_id: id } = await json("/prompt", { prompt: graph, extra_data: { api_key_comfy_org: key } });
  const ended = await until("the graph has ended", 900, async () => (await json(`/history/${id}`))[id]);
  const failure = ended.status.messages.find(([kind]) => kind === "execution_error")?.[1];
  for (const name of asked) {
    const [file] = ended.outputs[`save ${name}`]?.images ?? [];
    const note = file
      ? await judge(name, file)
      : `nothing was saved: ${failure?.node_type} ${failure?.exception_message}`;
    say(nodes[name].class_type, note === null, note);
  }
}

async function bytesOf({ filename, subfolder, type }) {
  const answer = await fetch(`${base}/view?${new URLSearchParams({ filename, subfolder, type })}`);
  return Buffer.from(await answer.arrayBuffer());
}

// Null if it is as it should be.
async function judgePicture(name, file) {
  const { width, height } = await sharp(await bytesOf(file)).metadata();
  const times = name === "creative" || name === "precise" ? 2 : 1;
  return width === side.width * times && height === side.height * times ? null : `${width} × ${height}`;
}

async function judgeFilm(_, file) {
  const path = join(scratch, "film.mp4");
  writeFileSync(path, await bytesOf(file));
  const entries = "stream=codec_name,pix_fmt,nb_frames";
  const { stdout } = spawnSync("ffprobe", ["-v", "error", "-show_entries", entries, "-of", "csv=p=0", path]);
  const said = String(stdout).trim();
  return /^h264,yuv420p,\d+$/.test(said) && Number(said.split(",")[2]) >= 16 ? null : `ffprobe says ${said}`;
}
