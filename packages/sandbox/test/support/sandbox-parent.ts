// Starts a sandbox, prints its process id, and waits to be killed.
import { spawnSandbox } from "../../src/spawn-sandbox.ts";

const { pid } = await spawnSandbox();
process.send?.(pid);
setInterval(() => {}, 1000);
