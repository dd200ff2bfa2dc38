// Starts one of our images as a container engine would, but without one: the layer unpacked, the root read-only, with the
// image's user, entry point, environment and working folder. Only /tmp and the home are writable. Mounts and processes
// have their own namespaces. The network is the machine's; tests use its loopback.
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface ImageConfig {
  readonly User: string;
  readonly WorkingDir: string;
  readonly Entrypoint: readonly string[];
  readonly Env: readonly string[];
}

export interface ImageRoot {
  readonly folder: string;
  readonly config: ImageConfig;
  // Writes a file below the root, owned by root and readable by the group of the image's user, as orchestrators mount
  // secrets.
  lay(path: string, text: string): void;
  start(words: readonly string[], env?: Readonly<Record<string, string>>, entrance?: readonly string[]): ChildProcess;
  remove(): void;
}

export const lacksNamespaces =
  (process.getuid?.() !== 0 && "starting an image takes root") ||
  (spawnSync("unshare", ["--mount", "true"]).status !== 0 && "this machine gives no mount namespace");

const enter = `set -e
root=$1; home=$2; folder=$3; user=$4; shift 4
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t tmpfs -o mode=0755 tmpfs "$root/dev"
for device in null urandom; do : > "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"; done
mount --bind "$home" "$root/var/lib/atelier"
mount -o remount,bind,ro "$root"
exec unshare --root "$root" --wd "$folder" --setgid "$user" --setuid "$user" "$@"
`;

export function unpackImage(archive: string): ImageRoot {
  const scratch = mkdtempSync(join(tmpdir(), "atelier-image-root-"));
  const [layout, folder, home] = [join(scratch, "layout"), join(scratch, "root"), join(scratch, "home")];
  for (const each of [layout, folder, home]) mkdirSync(each);
  execFileSync("tar", ["-xf", archive, "-C", layout]);
  const blob = (digest: string) => join(layout, "blobs", digest.replace(":", "/"));
  const { manifests } = JSON.parse(readFileSync(join(layout, "index.json"), "utf8"));
  const manifest = JSON.parse(readFileSync(blob(manifests[0].digest), "utf8"));
  assert.equal(manifest.layers.length, 1);
  execFileSync("tar", ["-xzpf", blob(manifest.layers[0].digest), "-C", folder, "--same-owner"]);
  const { config }: { config: ImageConfig } = JSON.parse(readFileSync(blob(manifest.config.digest), "utf8"));
  const user = Number(config.User.split(":")[0]);
  chownSync(home, user, user);
  const script = join(scratch, "enter.sh");
  writeFileSync(script, enter);
  return {
    folder,
    config,
    lay(path, text) {
      writeFileSync(join(folder, path), text, { mode: 0o440 });
      chownSync(join(folder, path), 0, user);
    },
    start(words, env = {}, entrance = config.Entrypoint) {
      const inside = [folder, home, config.WorkingDir, String(user), ...entrance, ...words];
      const given = Object.fromEntries(config.Env.map((each) => each.split("=", 2)));
      return spawn("unshare", ["--mount", "--pid", "--fork", "--kill-child", "sh", script, ...inside], {
        stdio: ["ignore", "pipe", "pipe"],
        env: { PATH: process.env["PATH"] ?? "", ...given, ...env },
      });
    },
    remove: () => rmSync(scratch, { recursive: true, force: true }),
  };
}

// The first process inside. Signals must go to it, because the process that starts it does not forward them.
export function firstInside(starter: ChildProcess): number {
  const children = readFileSync(`/proc/${starter.pid}/task/${starter.pid}/children`, "utf8").trim();
  return Number(children.split(" ")[0]);
}
