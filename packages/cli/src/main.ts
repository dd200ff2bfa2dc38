// The process's edge: arguments, environment, streams and the exit code. Everything else is dispatch.ts.
import { readFileSync } from "node:fs";
import { dispatch } from "./dispatch.ts";

process.exitCode = await dispatch({
  arguments: process.argv.slice(2),
  env: process.env,
  isTerminal: process.stdout.isTTY === true,
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
