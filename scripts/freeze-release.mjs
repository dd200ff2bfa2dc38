// `node scripts/freeze-release.mjs`, once per release: keeps what was promised, so that every later change is compared with it.
// The OpenAPI document goes to packages/contract/released (later ones may only grow it), the packed SDK and the program that
// uses all of it to packages/sdk/released (both must keep running against every later server).
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { version } = JSON.parse(readFileSync(join(root, "packages/sdk/package.json"), "utf8"));

const contract = join(root, "packages/contract/released");
mkdirSync(contract, { recursive: true });
const document = JSON.stringify(JSON.parse(readFileSync(join(root, "openapi.json"), "utf8")));
writeFileSync(join(contract, `openapi-${version}.json.gz`), gzipSync(document, { level: 9 }));

const sdk = join(root, "packages/sdk/released", version);
rmSync(sdk, { recursive: true, force: true });
mkdirSync(sdk, { recursive: true });
execFileSync(process.execPath, [join(root, "scripts/build.mjs"), "sdk"], { stdio: "inherit", timeout: 120_000 });
const words = ["pack", "--ignore-scripts", "--silent", "--pack-destination", sdk];
execFileSync("npm", words, { cwd: join(root, "packages/sdk"), stdio: ["ignore", "ignore", 2], timeout: 60_000 });
renameSync(join(sdk, `atelier-sdk-${version}.tgz`), join(sdk, "sdk.tar.gz"));
for (const name of ["everything.mjs", "expected.json"])
  copyFileSync(join(root, "packages/sdk/test/runtimes", name), join(sdk, name));
process.stdout.write(`froze ${version}\n`);
