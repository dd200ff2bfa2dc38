// Clients generated from our openapi.json: a Python one by openapi-python-client, a Go one by oapi-codegen. The generators are
// installed as published; their output is discarded and regenerated with every run.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CannotInstall, clientsFolder, pythonWith } from "./install.mjs";

const document = fileURLToPath(new URL("../../openapi.json", import.meta.url));
const here = (name) => fileURLToPath(new URL(`./${name}`, import.meta.url));

function outputOf(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: "utf8",
    timeout: 900_000,
    ...options,
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${error?.message ?? status}.\n${stderr}`);
  return `${stdout}${stderr}`;
}

// The flows learn which operations the generator left out, and know which may be missing.
export function generatedPython() {
  const python = pythonWith("generated-python", ["openapi-python-client", "httpx"]);
  const folder = join(clientsFolder, "generated-python", "written");
  rmSync(folder, { recursive: true, force: true });
  const words = ["-m", "openapi_python_client", "generate", "--path", document, "--output-path", folder];
  const said = outputOf(python, words, { env: { ...process.env, COLUMNS: "400" } });
  const omitted = [...said.matchAll(/parsing (\S+ \S+) within [^.]*\. +Endpoint will not be generated/g)];
  const env = { FLOWS_GENERATED: folder, FLOWS_OMITTED: omitted.map(([, operation]) => operation).join(",") };
  return { command: [python, here("generated-python-flows.py")], env };
}

export function generatedGo() {
  const folder = join(clientsFolder, "generated-go");
  mkdirSync(join(folder, "atelier"), { recursive: true });
  const generator = join(folder, "bin", "oapi-codegen");
  const install = (args, env = {}) => {
    const { status, stderr, error } = spawnSync("go", args, {
      cwd: folder,
      encoding: "utf8",
      timeout: 900_000,
      env: { ...process.env, ...env },
    });
    if (status !== 0) throw new CannotInstall(`go ${args.join(" ")}: ${error?.message ?? stderr.trim().slice(-300)}`);
  };
  if (!existsSync(generator))
    install(["install", "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@latest"], {
      GOBIN: join(folder, "bin"),
    });
  const written = join(folder, "atelier", "client.gen.go");
  outputOf(generator, ["-generate", "types,client", "-package", "atelier", "-o", written, document]);
  copyFileSync(here("generated-go/main.go"), join(folder, "main.go"));
  if (!existsSync(join(folder, "go.mod"))) writeFileSync(join(folder, "go.mod"), "module generated\n\ngo 1.22\n");
  install(["mod", "tidy"]);
  const program = join(folder, "flows");
  outputOf("go", ["build", "-o", program, "."], { cwd: folder });
  return { command: [program], env: {} };
}
