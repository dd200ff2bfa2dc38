// `npm run test:long -- clients`: public clients of the ecosystem, unmodified from their registries, against a server and a proxy as
// shipped with the dialect. Prints a table of client, flow and surface; fails if one flow does.
//   npm run test:long -- clients              every client
//   npm run test:long -- clients python    only those whose name holds one of these words
// The application's partner nodes take part if ATELIER_TEST_APPLICATION names a checkout of it (clients/partner-nodes.mjs).
import { spawn } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { generatedGo, generatedPython } from "./clients/generated.mjs";
import { CannotInstall, nodeWith, pythonWith, wheelOf } from "./clients/install.mjs";
import { startServers } from "./clients/servers.mjs";

const here = (name) => fileURLToPath(new URL(`./clients/${name}`, import.meta.url));
const words = process.argv.slice(2);

// A client is what to install, and the program of its flows: its arguments, or those and an environment. It prints one line of
// JSON per flow: flow, ok, and a note if it failed.
const clients = [
  {
    name: "TypeScript SDK",
    surfaces: ["cloud", "self-hosted"],
    program: () => besidePackage("typescript", "@comfyorg/sdk", "typescript-flows.mjs"),
  },
  {
    name: "Python SDK",
    surfaces: ["cloud", "self-hosted"],
    program: () => [pythonWith("python", ["comfy-sdk"]), here("python-flows.py")],
  },
  {
    name: "comfy-cli",
    surfaces: ["cloud"],
    program: () => [pythonWith("comfy-cli", ["comfy-cli"]), here("comfy-cli-flows.py")],
  },
  {
    name: "comfy_api_simplified",
    surfaces: ["cloud"],
    program: () => [pythonWith("application", ["comfy_api_simplified"]), here("application-flows.py")],
  },
  {
    name: "@stable-canvas/comfyui-client",
    surfaces: ["cloud"],
    program: () => besidePackage("stable-canvas", "@stable-canvas/comfyui-client", "stable-canvas-flows.mjs"),
  },
  {
    name: "Open WebUI's image client",
    surfaces: ["cloud"],
    program() {
      const python = pythonWith("open-webui", ["aiohttp", "pydantic"]);
      return { command: [python, here("open-webui-flows.py")], env: { FLOWS_WHEEL: wheelOf("open-webui", python) } };
    },
  },
  {
    name: "openai and ai",
    surfaces: ["cloud"],
    program: () => besidePackage("openai", "openai", "openai-flows.mjs", ["ai", "@ai-sdk/openai-compatible"]),
  },
  {
    name: "openai for Python",
    surfaces: ["cloud"],
    program: () => [pythonWith("openai-python", ["openai"]), here("openai-flows.py")],
  },
  {
    name: "tus-js-client",
    surfaces: ["cloud", "self-hosted"],
    program: () => besidePackage("tus-js", "tus-js-client", "tus-js-flows.mjs"),
  },
  {
    name: "tuspy",
    surfaces: ["cloud", "self-hosted"],
    program: () => [pythonWith("tuspy", ["tuspy"]), here("tuspy-flows.py")],
  },
  { name: "Generated Python client", surfaces: ["cloud"], program: generatedPython },
  { name: "Generated Go client", surfaces: ["cloud"], program: generatedGo },
  ...partnerNodes(),
].filter(({ name }) => words.length === 0 || words.some((word) => name.toLowerCase().includes(word.toLowerCase())));

// A module resolves packages from where it is itself.
function besidePackage(name, packageName, flows, besides = []) {
  const script = join(nodeWith(name, packageName, { besides }), "flows.mjs");
  copyFileSync(here(flows), script);
  return [process.execPath, script];
}

// The application is not a package: the environment names a checkout of it, and a Python with its dependencies.
function partnerNodes() {
  const { ATELIER_TEST_APPLICATION: checkout, ATELIER_TEST_PYTHON: python = "python3" } = process.env;
  if (checkout === undefined) {
    const program = () => {
      throw new CannotInstall("ATELIER_TEST_APPLICATION is not a checkout of the application.");
    };
    return [{ name: "Application's partner nodes", surfaces: [], program }];
  }
  const program = () => [process.execPath, here("partner-nodes.mjs"), checkout, python];
  return [{ name: "Application's partner nodes", surfaces: ["cloud"], program }];
}

// Installed once for all surfaces; null if it is not available here.
function prepared(client) {
  try {
    const made = client.program();
    return Array.isArray(made) ? { command: made, env: {} } : made;
  } catch (thrown) {
    if (!(thrown instanceof CannotInstall)) throw thrown;
    skipped.push(`${client.name}: ${thrown.message}`);
    process.stderr.write(`SKIPPED ${client.name}: ${thrown.message}\n`);
    return null;
  }
}

async function run(client, program, surface, { url, key, application }) {
  const [command, ...args] = program.command;
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env["PATH"] ?? "",
      FLOWS_SURFACE: surface,
      COMFY_BASE_URL: url,
      COMFY_ROUTER_BASE_URL: url,
      FLOWS_APPLICATION_URL: application,
      FLOWS_WORDS: process.env["FLOWS_WORDS"] ?? "",
      ...(key === undefined ? {} : { COMFY_API_KEY: key }),
      ...program.env,
    },
  });
  const rows = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith("{")) continue;
    const said = JSON.parse(line);
    rows.push({ client: client.name, surface, ...said });
    process.stderr.write(`${said.ok ? "ok  " : "FAIL"} ${client.name}, ${surface}: ${said.flow}\n`);
    if (!said.ok) process.stderr.write(`${said.note}\n`);
  }
  if (rows.length === 0) rows.push({ client: client.name, surface, flow: "starts", ok: false });
  return rows;
}

const servers = startServers();
const rows = [];
const skipped = [];
try {
  const wanted = new Set(clients.flatMap(({ surfaces }) => surfaces));
  const addresses = {
    cloud: wanted.has("cloud") ? await servers.cloud() : null,
    "self-hosted": wanted.has("self-hosted") ? await servers.selfHosted() : null,
  };
  for (const client of clients) {
    const program = prepared(client);
    if (program === null) continue;
    for (const surface of client.surfaces) rows.push(...(await run(client, program, surface, addresses[surface])));
  }
} finally {
  await servers.stop();
}
const flows = [...new Map(rows.map(({ client, flow }) => [`${client}\u0000${flow}`, { client, flow }])).values()];
const mark = (client, flow, surface) => {
  const row = rows.find((one) => one.client === client && one.flow === flow && one.surface === surface);
  return row === undefined ? "–" : row.ok ? "ok" : "FAIL";
};
process.stdout.write("| Client | Flow | Cloud | Self-hosted |\n|---|---|---|---|\n");
for (const { client, flow } of flows)
  process.stdout.write(
    `| ${client} | ${flow} | ${mark(client, flow, "cloud")} | ${mark(client, flow, "self-hosted")} |\n`,
  );
const failed = rows.filter(({ ok }) => !ok).length;
process.stdout.write(`\n${rows.length - failed} passed, ${failed} failed, ${skipped.length} skipped\n`);
for (const reason of skipped) process.stdout.write(`skipped: ${reason}\n`);
process.exitCode = failed === 0 && rows.length > 0 ? 0 : 1;
