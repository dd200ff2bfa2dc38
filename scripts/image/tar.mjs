// Writes a tar whose bytes depend only on names, contents and modes: entries come in the given order, owners and times are
// fixed, and no field reveals where or when it was made.
const block = 512;

// entries: { path, type: "file" | "folder" | "link", mode, uid, gid, target?, body? }; a body is a Buffer or read when its turn
// comes. Paths are relative; a folder's path has no trailing slash.
export function* tarOf(entries, seconds) {
  for (const entry of entries) {
    const body =
      entry.type === "file" ? (typeof entry.body === "function" ? entry.body() : entry.body) : Buffer.alloc(0);
    const name = entry.type === "folder" ? `${entry.path}/` : entry.path;
    const short = splitName(name);
    if (short === null || (entry.target ?? "").length > 100) yield* extended(entry, name, seconds);
    yield header({ ...entry, ...(short ?? { name: "long", prefix: "" }), size: body.length, seconds });
    yield body;
    if (body.length % block !== 0) yield Buffer.alloc(block - (body.length % block));
  }
  yield Buffer.alloc(2 * block);
}

// A record before the entry, for what its own fields are too short for.
function* extended(entry, name, seconds) {
  const lines = [record("path", name), ...(entry.target === undefined ? [] : [record("linkpath", entry.target)])];
  const body = Buffer.from(lines.join(""));
  const type = "extended";
  yield header({ type, name: "long", prefix: "", mode: 0o644, uid: 0, gid: 0, size: body.length, seconds });
  yield Buffer.concat([body, Buffer.alloc((block - (body.length % block)) % block)]);
}

// Its length counts itself.
function record(key, value) {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest;
  while (String(length).length + rest !== length) length = String(length).length + rest;
  return `${length} ${key}=${value}\n`;
}

function splitName(name) {
  if (Buffer.byteLength(name) !== name.length) return null;
  if (name.length <= 100) return { name, prefix: "" };
  for (let at = name.indexOf("/"); at !== -1 && at <= 155; at = name.indexOf("/", at + 1)) {
    const rest = name.slice(at + 1);
    if (rest.length > 0 && rest.length <= 100) return { name: rest, prefix: name.slice(0, at) };
  }
  return null;
}

const flags = { file: "0", link: "2", folder: "5", extended: "x" };

function header({ name, prefix, type, mode, uid, gid, size, target = "", seconds }) {
  const bytes = Buffer.alloc(block);
  const octal = (value, at, width) => bytes.write(`${value.toString(8).padStart(width - 1, "0")}\0`, at, "latin1");
  bytes.write(name, 0, 100, "latin1");
  octal(mode, 100, 8);
  octal(uid, 108, 8);
  octal(gid, 116, 8);
  octal(size, 124, 12);
  octal(seconds, 136, 12);
  bytes.write("        ", 148, "latin1");
  bytes.write(flags[type], 156, "latin1");
  bytes.write(target.slice(0, 100), 157, 100, "latin1");
  bytes.write("ustar\x0000", 257, "latin1");
  bytes.write(prefix, 345, 155, "latin1");
  const sum = bytes.reduce((all, byte) => all + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return bytes;
}
