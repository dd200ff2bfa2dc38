// `atelier bench`: runs the benchmark from the checkout. It is not part of the packages, because it needs the sources, the load
// generators and a machine to itself.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "@atelier/server/commands";
import { exitCodes } from "./exit-codes.ts";
import { readCall } from "./read-call.ts";
import { ClientProblem } from "./server/client-problem.ts";

export const benchCommand: Command = {
  async run(listed, input) {
    const call = readCall(listed, input.arguments);
    const root = join(import.meta.dirname, "../../..");
    const script = join(root, "scripts/bench.ts");
    if (!existsSync(script))
      throw new ClientProblem(
        "not_there",
        "not_there",
        "The benchmark comes with the source code, not with the installed packages.",
        {
          hint: "run it in a source checkout: npm run bench -- --quick",
        },
      );
    const flags = ["quick", "write"].filter((name) => call.has(name)).map((name) => `--${name}`);
    // With --json its findings become our data; otherwise it prints them itself.
    const words = ["--conditions=atelier-source", script, ...call.words, ...flags, ...(input.json ? ["--json"] : [])];
    const child = spawn(process.execPath, words, { cwd: root, stdio: ["ignore", input.json ? "pipe" : 1, 2] });
    let out = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    const code = await new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (status) => resolve(status ?? 1));
    });
    const problem = "The benchmark missed a goal or failed.";
    return {
      data: input.json ? JSON.parse(out || "null") : null,
      text: "",
      ...(code === 0 ? {} : { exitCode: exitCodes.check_failed, problem }),
    };
  },
};
