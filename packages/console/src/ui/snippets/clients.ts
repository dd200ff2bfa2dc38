// How code that is copied from the console gets what it needs: the SDK and the command line come from this server itself, of its
// own version, and need nothing else from a registry.
import { shellWord } from "./literals.ts";

export type Language = "curl" | "typescript" | "python" | "cli";

// One order everywhere.
export const languages: readonly { readonly name: Language; readonly label: string }[] = [
  { name: "curl", label: "curl" },
  { name: "typescript", label: "TypeScript" },
  { name: "python", label: "Python" },
  { name: "cli", label: "CLI" },
];

export const baseOf = (url: string): string => url.replace(/\/$/, "");

export const sdkInstall = (base: string): string => `npm i --no-audit ${shellWord(`${base}/packages/sdk.tgz`)}`;

export const cliInstall = (base: string): string => `npm i -g --no-audit ${shellWord(`${base}/packages/cli.tgz`)}`;

// Fetched when it is first used, then kept by npm.
export const cliCommand = (base: string): string => `npx -y ${shellWord(`${base}/packages/cli.tgz`)}`;

// What a script is called when it is saved; with the SDK installed beside it, plain Node runs it.
export const scriptHead = "// Save as call.mjs beside the installed SDK, then: node call.mjs";

// Stops with these words where no key is set.
export const keyGuard = (base: string): string =>
  `: "\${ATELIER_API_KEY:?is not set. Make a key at ${base}/profile/api-keys and export it}"`;
