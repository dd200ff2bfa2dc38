// The stand-in in a separate process, so that it can be killed like a real one.
import { serveParent } from "../serve-parent.ts";
import { type SandboxApplicationOptions, startSandboxApplication } from "./start-application.ts";

export type ApplicationChildOptions = Omit<SandboxApplicationOptions, "crash">;

serveParent((options: ApplicationChildOptions) =>
  startSandboxApplication({ ...options, crash: () => void process.kill(process.pid, "SIGKILL") }),
);
