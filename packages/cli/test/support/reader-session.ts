// A reader's terminal: a fresh folder with the checkout's command and examples, and one shell that runs the blocks of a
// page in order. Commands that run until stopped are started in the background, as in a second terminal; the next command
// runs once they are ready. A status of 400 or more is a failure, unless a comment on that line names the status.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { programMsMax } from "../../../server/test/support/limits.ts";
import { bin, checkout, ownEnvironment } from "./command-line.ts";
import type { Block } from "./document-blocks.ts";

interface SessionOptions {
  readonly folder: string;
  // The running server's data folder.
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  // Maps the ports that pages name to free ports on this machine.
  readonly ports: Readonly<Record<string, number>>;
}

export interface Session {
  readonly out: string;
  readonly problems: readonly string[];
}

export async function readPage(blocks: readonly Block[], options: SessionOptions): Promise<Session> {
  const { folder, home, env, ports } = options;
  mkdirSync(join(folder, ".bin"), { recursive: true });
  symlinkSync(home, join(folder, ".atelier"));
  symlinkSync(join(checkout, "examples"), join(folder, "examples"));
  symlinkSync(join(checkout, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const statuses = join(folder, ".bin/statuses");
  writeFileSync(statuses, "");
  program(join(folder, "atelier"), command(ports));
  program(join(folder, ".bin/atelier"), 'exec "$READER/atelier" "$@"');
  // Records the status of every response, however the page calls curl.
  program(join(folder, ".bin/curl"), `exec /usr/bin/curl -w '%{stderr}@status %{http_code}\\n' "$@" 2>>"${statuses}"`);
  const script = join(folder, ".bin/page.sh");
  writeFileSync(script, scriptOf(blocks, folder, ports));
  const path = [join(folder, ".bin"), dirname(process.execPath), env["PATH"] ?? process.env["PATH"] ?? ""];
  const child = spawn("bash", [script], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    env: { ...ownEnvironment, ...env, HOME: folder, READER: folder, STATUSES: statuses, PATH: path.join(delimiter) },
  });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  const giveUp = setTimeout(() => endGroup(child.pid), programMsMax);
  const [code] = await once(child, "exit");
  clearTimeout(giveUp);
  endGroup(child.pid);
  // Background commands share the shell's pipes, and may take a while to end on a busy machine.
  child.stdout.destroy();
  child.stderr.destroy();
  const stopped = code === 0 ? [] : [`${err.trim().split("\n").slice(-8).join("\n")} (exit ${code})`];
  return { out, problems: [...stopped, ...unexpected(blocks, readFileSync(statuses, "utf8"))] };
}

// `proxy start` returns on its own, so it runs in the foreground.
const command = (ports: SessionOptions["ports"]) => `
exec_it() { exec ${quoted(process.execPath)} --conditions=atelier-source ${quoted(bin)} "$@"; }
case "$1 $2" in
  "proxy start"|"proxy stop"|"proxy status") exec_it "$@" ;;
  "webhooks listen") set -- "$@" --port ${ports["8765"] ?? 0} ;;
  serve*|sandbox*|proxy*|worker\\ *|deployment\\ *) ;;
  *) exec_it "$@" ;;
esac
log=$(mktemp "$READER/.bin/beside.XXXXXX")
exec_it "$@" >"$log" 2>&1 &
for turn in $(seq 6000); do
  grep -qE "^ready|http://127" "$log" && { cat "$log"; exit 0; }
  kill -0 $! 2>/dev/null || { cat "$log" >&2; exit 1; }
  sleep 0.1
done
cat "$log" >&2; exit 1`;

function program(path: string, text: string): void {
  writeFileSync(path, `#!/bin/bash\n${text}\n`);
  chmodSync(path, 0o755);
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

// One shell for the whole page, so that a block sees what earlier blocks set. Code in several pieces runs where its last
// piece is.
function scriptOf(blocks: readonly Block[], folder: string, ports: SessionOptions["ports"]): string {
  const local = (text: string) =>
    Object.entries(ports).reduce(
      (now, [port, free]) => now.replaceAll(new RegExp(`\\b${port}\\b`, "g"), `${free}`),
      text,
    );
  const lines = ["set -eu -o pipefail", `trap 'echo "stopped at: $BASH_COMMAND" >&2' ERR`];
  for (const [index, block] of blocks.entries()) {
    const { page, line, language, file, text } = block;
    const mark = `echo "@@ ${page}:${line}"`;
    lines.push(mark, `${mark} >&2`, `${mark} >> "$STATUSES"`);
    if (file !== null) {
      const kept = join(folder, `.bin/block-${index}`);
      writeFileSync(kept, local(text));
      lines.push(`mkdir -p ${quoted(dirname(file))}; cp ${quoted(kept)} ${quoted(file)}`);
    } else if (language === "sh") lines.push(local(text));
    else if (isLastOf(blocks, index)) {
      const code = blocks.filter((each) => each.language === language && each.file === null).map((each) => each.text);
      const node = `${quoted(process.execPath)} --conditions=atelier-source --disable-warning=ExperimentalWarning`;
      const [ending, runner] = language === "python" ? ["py", "python3"] : [language, node];
      lines.push(runCode(folder, `page.${ending}`, local(code.join("\n")), runner));
    }
  }
  return `${lines.join("\n")}\n`;
}

function isLastOf(blocks: readonly Block[], index: number): boolean {
  const { language } = blocks[index] ?? { language: "" };
  const isCode = ["ts", "js", "python"].includes(language);
  return isCode && !blocks.slice(index + 1).some((each) => each.language === language && each.file === null);
}

function runCode(folder: string, name: string, code: string, runner: string): string {
  writeFileSync(join(folder, name), code);
  return `${runner} ${name}`;
}

// The statuses that no comment of their block announces. A comment announces one like this: # 401, the router's body
function unexpected(blocks: readonly Block[], statuses: string): string[] {
  const problems: string[] = [];
  let at = "";
  for (const line of statuses.split("\n")) {
    if (line.startsWith("@@ ")) {
      at = line.slice(3);
      continue;
    }
    const [, status] = /@status ([45]\d\d)$/.exec(line) ?? [];
    if (status === undefined) continue;
    const block = blocks.find((each) => `${each.page}:${each.line}` === at);
    const foreseen = [...(block?.text ?? "").matchAll(/#.*?\b([45]\d\d)\b/g)].map(([, said]) => said);
    if (!foreseen.includes(status)) problems.push(`${at}: an answer of ${status}`);
  }
  return problems;
}

// Ends everything that was started beside the shell, by process group.
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGTERM");
  } catch {}
}
