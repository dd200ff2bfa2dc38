// An image as an archive in the layout of the Open Container Initiative: one layer, its configuration, a manifest and an index,
// each named by the hash of its bytes. `podman load -i`, `docker load -i`, `skopeo copy oci-archive:` and `crane push` read it.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readlinkSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createGzip } from "node:zlib";
import { tarOf } from "./tar.mjs";

const hashOf = (bytes) => createHash("sha256").update(bytes).digest("hex");

// Every file below the folder, sorted by path; `ownerOf` gives the owner and mode of paths that differ.
export function entriesOf(folder, ownerOf = () => ({})) {
  const entries = [];
  walk("");
  return entries;

  function walk(path) {
    for (const name of readdirSync(join(folder, path)).sort()) {
      const each = path === "" ? name : `${path}/${name}`;
      const full = join(folder, each);
      const facts = lstatSync(full);
      const own = { uid: 0, gid: 0, ...ownerOf(each) };
      if (facts.isSymbolicLink()) {
        entries.push({ path: each, type: "link", mode: 0o777, target: readlinkSync(full), ...own });
      } else if (facts.isDirectory()) {
        entries.push({ path: each, type: "folder", mode: 0o755, ...own });
        walk(each);
      } else {
        // Of a file's mode we keep only whether it is executable.
        const mode = facts.mode & 0o100 ? 0o755 : 0o644;
        entries.push({ path: each, type: "file", mode, body: () => readFileSync(full), ...own });
      }
    }
  }
}

export async function writeImage(file, { entries, seconds, architecture, name, config, annotations }) {
  const plain = createHash("sha256");
  const layer = await compressed(tarOf(entries, seconds), plain);
  const created = new Date(seconds * 1000).toISOString();
  const description = Buffer.from(
    JSON.stringify({
      created,
      architecture,
      os: "linux",
      config,
      rootfs: { type: "layers", diff_ids: [`sha256:${plain.digest("hex")}`] },
      history: [{ created, created_by: "scripts/build-image.mjs" }],
    }),
  );
  const part = (bytes, mediaType) => ({ mediaType, digest: `sha256:${hashOf(bytes)}`, size: bytes.length });
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: "application/vnd.oci.image.manifest.v1+json",
      config: part(description, "application/vnd.oci.image.config.v1+json"),
      layers: [part(layer, "application/vnd.oci.image.layer.v1.tar+gzip")],
      annotations,
    }),
  );
  const index = {
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.index.v1+json",
    manifests: [
      {
        ...part(manifest, "application/vnd.oci.image.manifest.v1+json"),
        platform: { architecture, os: "linux" },
        annotations: { "org.opencontainers.image.ref.name": name },
      },
    ],
  };
  // The same in the format of `docker load`, which looks for it before it looks for an index.
  const pathOf = (bytes) => `blobs/sha256/${hashOf(bytes)}`;
  const older = [{ Config: pathOf(description), RepoTags: [name], Layers: [pathOf(layer)] }];
  const blobs = [description, layer, manifest].sort((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1));
  const own = { mode: 0o644, uid: 0, gid: 0 };
  const parts = [
    { path: "blobs", type: "folder", ...own, mode: 0o755 },
    { path: "blobs/sha256", type: "folder", ...own, mode: 0o755 },
    ...blobs.map((body) => ({ path: pathOf(body), type: "file", body, ...own })),
    { path: "index.json", type: "file", body: Buffer.from(JSON.stringify(index)), ...own },
    { path: "manifest.json", type: "file", body: Buffer.from(JSON.stringify(older)), ...own },
    { path: "oci-layout", type: "file", body: Buffer.from('{"imageLayoutVersion":"1.0.0"}'), ...own },
  ];
  const handle = openSync(file, "w");
  try {
    for (const piece of tarOf(parts, seconds)) writeSync(handle, piece);
  } finally {
    closeSync(handle);
  }
  return { digest: `sha256:${hashOf(manifest)}`, layerBytes: layer.length, bytes: statSync(file).size };
}

// Piece by piece: a whole file system in memory would be too much.
async function compressed(pieces, plain) {
  const gzip = createGzip({ level: 6 });
  const parts = [];
  gzip.on("data", (part) => parts.push(part));
  const ended = once(gzip, "end");
  for (const piece of pieces) {
    plain.update(piece);
    if (!gzip.write(piece)) await once(gzip, "drain");
  }
  gzip.end();
  await ended;
  return Buffer.concat(parts);
}
