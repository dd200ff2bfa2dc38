// Commands of the registry, as people type them. Those that stand alone bring the command line along.
import { cliCommand, keyGuard } from "../../ui/snippets/clients.ts";
import { shellWord } from "../../ui/snippets/literals.ts";

export const installNode = (base: string, nodeId: string): string =>
  `${cliCommand(base)} nodes install ${nodeId} --base-url ${shellWord(base)} -o custom_nodes/`;

export const publishNode = (base: string, nodeId: string, publisherId: string): string =>
  [
    keyGuard(base),
    `export ATELIER_URL=${shellWord(base)}`,
    `atelier() { ${cliCommand(base)} "$@"; }`,
    `atelier nodes init ${nodeId} --publisher ${publisherId}`,
    `atelier nodes validate ${nodeId}`,
    `atelier nodes publish ${nodeId}`,
  ].join("\n");

// Beside the folder of a node.
export const publishWithToken = (base: string, token: string): string =>
  `ATELIER_PUBLISHER_TOKEN=${token} \\\n  ${cliCommand(base)} nodes publish my-node --base-url ${shellWord(base)}`;

export const publishSteps = (server: string, publisherId: string) => ({
  login: `atelier login ${server}`,
  init: `atelier nodes init my-node --publisher ${publisherId}`,
  validate: "atelier nodes validate my-node",
  dryRun: "atelier nodes publish my-node --dry-run",
  publish: "atelier nodes publish my-node",
  review: "atelier nodes review my-node@0.1.0",
});
