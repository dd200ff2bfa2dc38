// The folder with the clients that a server offers for download: sdk.tar.gz, cli.tar.gz and the Python client's wheel.
import { join } from "node:path";
import { ensureBuilt, packageFolder } from "./ensure-built.ts";
import type { ConsoleOptions } from "./ensure-console.ts";

export interface ClientPackages {
  readonly folder: string;
}

export function ensureClients({ spareFolder }: ConsoleOptions = {}): Promise<ClientPackages> {
  const own = { folder: join(packageFolder, "dist/clients"), building: join(packageFolder, "building-clients") };
  return ensureBuilt({
    name: "The packages of the SDKs and the command line",
    script: join(packageFolder, "../../scripts/pack-clients.mjs"),
    tool: "esbuild",
    sources: [
      "../sdk/src",
      "../sdk/package.json",
      "../cli/src",
      "../cli/bin",
      "../cli/package.json",
      "../python/src",
      "../python/pyproject.toml",
      "../python/README.md",
      "../../scripts/pack-clients.mjs",
      "../../scripts/python-package.mjs",
      "../../scripts/image/tar.mjs",
      "../../scripts/compile.mjs",
    ],
    locations:
      spareFolder === undefined
        ? [own]
        : [own, { folder: join(spareFolder, "clients"), building: join(spareFolder, "building-clients") }],
  });
}
