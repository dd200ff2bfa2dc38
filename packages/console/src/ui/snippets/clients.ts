// How code copied from the console gets what it needs: the SDK and the command line come from this server, in its version, and
// need nothing else from a registry.
import { shellWord } from "./literals.ts";

export type Language = "curl" | "typescript" | "python" | "cli";

// The same order everywhere.
export const languages: readonly { readonly name: Language; readonly label: string }[] = [
  { name: "curl", label: "curl" },
  { name: "typescript", label: "TypeScript" },
  { name: "python", label: "Python" },
  { name: "cli", label: "CLI" },
];

export const baseOf = (url: string): string => url.replace(/\/$/, "");

export const sdkInstall = (base: string): string => `npm i --no-audit ${shellWord(`${base}/packages/sdk.tgz`)}`;

export const cliInstall = (base: string): string => `npm i -g --no-audit ${shellWord(`${base}/packages/cli.tgz`)}`;

// Downloaded on first use, then cached by npm.
export const cliCommand = (base: string): string => `npx -y ${shellWord(`${base}/packages/cli.tgz`)}`;

// The name for a saved script; with the SDK installed next to it, plain Node runs it.
export const scriptHead = "// Save as call.mjs beside the installed SDK, then: node call.mjs";

// Stops with this message if no key is set.
export const keyGuard = (base: string): string =>
  `: "\${ATELIER_API_KEY:?is not set. Make a key at ${base}/profile/api-keys and export it}"`;
