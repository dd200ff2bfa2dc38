// `atelier serve`: starts the gateway, returns when it is ready (the command line prints that one line), and keeps the
// process running until it is told to stop.
import { chmod, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isLoopback } from "../foundation/http/loopback-guard.ts";
import { Secret } from "../foundation/settings.ts";
import { type Command, type CommandInput, readCommand } from "./command.ts";
import { type Gateway, startGateway } from "./gateway.ts";
import { providerSecrets } from "./provider-credentials.ts";
import { stayRunning } from "./stay-running.ts";

export const serveCommand: Command = {
  async run(listed, input) {
    const { config } = readCommand(listed, input);
    return stayRunning(config.logLevel, input, async (life, log) => {
      const gateway = await startGateway({
        config,
        life,
        log,
        credentials: providerSecrets(input.env, (text) => new Secret(text)),
      });
      if (!isLoopback(config.host))
        log.warn({ host: config.host }, "listening beyond loopback: put TLS in front, and set ATELIER_BASE_URL");
      await tellFirstStart(gateway, input, config.home);
      const keysUrl = `${gateway.platformUrl}/profile/api-keys`;
      return {
        data: { base_url: gateway.baseUrl, docs_url: `${gateway.baseUrl}/docs`, keys_url: keysUrl },
        text: `ready ${gateway.baseUrl}  (API reference ${gateway.baseUrl}/docs, keys ${keysUrl})`,
      };
    });
  },
};

// Decisions, section 7: link and key are printed to a terminal only, never into a log. The file, which its owner alone
// reads, is written in both cases: the commands of a second terminal find the key there.
async function tellFirstStart(gateway: Gateway, input: CommandInput, home: string): Promise<void> {
  if (!gateway.bootstrapped.fresh) return;
  const link = `${gateway.platformUrl}/sign-in/${gateway.bootstrapped.signInToken}`;
  const words = [
    `API key:  ${gateway.bootstrapped.key}`,
    `Sign in:  ${link}   (works once, for 10 minutes; atelier keys link makes another)`,
  ];
  const file = join(resolve(home), "first-key.txt");
  await writeFile(file, `${words.join("\n")}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  if (input.isTerminal && !input.json)
    input.say(
      ["", `This is the first start. Your first workspace has one key, kept in ${file}`, ...words, ""].join("\n"),
    );
  else input.say(`This is the first start. The first API key and a sign-in link are in ${file}`);
}
