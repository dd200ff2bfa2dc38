// `atelier sandbox`: models, partners and an application to try things against, reachable from this machine only. A server does
// not need it: `atelier serve` brings its own models.
import { join, resolve } from "node:path";
import { type Command, readCommand } from "./command.ts";
import { stayRunning } from "./stay-running.ts";

export const sandboxCommand: Command = {
  async run(listed, input) {
    const { config, options } = readCommand(listed, input);
    return stayRunning(config.logLevel, input, async (life) => {
      const { startSandbox, startSandboxApplication } = await import("@atelier/sandbox");
      const home = resolve(join(config.home, "sandbox-application"));
      const application = await startSandboxApplication({
        port: config.sandboxApplicationPort,
        home,
        version: options["old"] === true ? "old" : "new",
      });
      life.onStop("application", () => application.close());
      const models = await startSandbox();
      life.onStop("models", () => models.close());
      const partners = { "partner-a": `${models.url}/partner-a`, "partner-b": `${models.url}/partner-b` };
      return {
        data: { application_url: application.url, models_url: models.url, partner_urls: partners, home },
        text: `ready ${application.url}  (models ${models.url}/v1, partners ${Object.values(partners).join(" ")}, files in ${home})`,
      };
    });
  },
};
