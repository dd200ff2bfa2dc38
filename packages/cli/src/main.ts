// The edge of the process: arguments, environment, streams and the exit code. Everything else is in dispatch.ts.
import { readFileSync } from "node:fs";
import { dispatch } from "./dispatch.ts";

// A reader that closes the pipe early (`atelier config | head -1`) has seen enough, so that is not an error. A full disk is.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") return;
  process.stderr.write(`✕ Cannot write to standard output (${error.code}).\n`);
  process.exit(1);
});
process.stderr.on("error", () => undefined);

const { version }: { version: string } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

process.exitCode = await dispatch({
  arguments: process.argv.slice(2),
  env: process.env,
  platform: process.platform,
  version,
  isTerminal: process.stdout.isTTY === true,
  isTalkTerminal: process.stderr.isTTY === true,
  columns: () => process.stdout.columns,
  talkColumns: () => process.stderr.columns,
  now: () => new Date(),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  exit: (code) => process.exit(code),
  readFile(name) {
    try {
      return readFileSync(name, "utf8");
    } catch {
      return null;
    }
  },
});
