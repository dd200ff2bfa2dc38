// What an application was started with, as far as it decides results: precision, attention, memory, which packs load.
// Addresses, folders and looks differ between machines that give equal results, so they are left out.
const withoutEffect = new Set([
  "listen",
  "port",
  "tls-keyfile",
  "tls-certfile",
  "enable-cors-header",
  "max-upload-size",
  "base-directory",
  "extra-model-paths-config",
  "output-directory",
  "temp-directory",
  "input-directory",
  "user-directory",
  "auto-launch",
  "disable-auto-launch",
  "cuda-device",
  "default-device",
  "front-end-version",
  "front-end-root",
  "multi-user",
  "verbose",
  "log-stdout",
  "dont-print-server",
  "quick-test-for-ci",
  "windows-standalone-build",
  "database-url",
  "preview-method",
  "preview-size",
  "comfy-api-base",
  "enable-compress-response-body",
  "enable-manager",
  "enable-assets",
]);

const argumentsMax = 100;

// `argv` as the application reports it: its own file first.
export function effectiveArguments(argv: readonly string[]): string[] {
  const kept: string[] = [];
  for (const words of flagsOf(argv)) {
    const name = words[0]?.slice(2).split("=", 1)[0] ?? "";
    if (!withoutEffect.has(name)) kept.push(words.join(" ").slice(0, 200));
  }
  return [...new Set(kept)].sort((a, b) => (a < b ? -1 : 1)).slice(0, argumentsMax);
}

// Each flag with the values behind it.
function flagsOf(argv: readonly string[]): string[][] {
  const flags: string[][] = [];
  for (const word of argv.slice(1))
    if (word.startsWith("--")) flags.push([word]);
    else flags.at(-1)?.push(word);
  return flags;
}
