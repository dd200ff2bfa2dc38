// Reports to its parent where it finds our packages, and what it was given.
import { parentPort } from "node:worker_threads";
import { keepCompiledCode } from "../../src/own-code.ts";

const report = {
  found: ["@atelier/contract", "@atelier/engine", "@atelier/sdk", "@atelier/server", "@atelier/sandbox"].map((name) =>
    import.meta.resolve(name),
  ),
  environment: { ...process.env },
};

keepCompiledCode();
if (parentPort) parentPort.postMessage(report);
else process.send?.(report);
