// nginx with the same files, if it is installed; otherwise a line says that it was left out. Once with the packaged
// configuration, in which the kernel moves the bytes from the file to the socket (sendfile), and once without, so that nginx
// reads and writes them, which is the best a program can do that looks at what it sends.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Started } from "./processes.ts";
import { freePort, leftOut, nginxProgram, startOnPort } from "./router-peers.ts";

export interface FileServers {
  readonly sendfile: Started;
  readonly readAndWrite: Started;
}

export async function startNginxOn(
  folder: string,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<FileServers | null> {
  const program = nginxProgram();
  if (program === undefined) return leftOut("nginx", "it is not installed");
  const root = join(folder, "root");
  mkdirSync(root, { recursive: true, mode: 0o755 });
  for (const [name, bytes] of files) writeFileSync(join(root, name), bytes, { mode: 0o644 });
  const start = async (sendfile: "on" | "off") => {
    const home = join(folder, sendfile);
    mkdirSync(home, { recursive: true });
    const port = await freePort();
    writeFileSync(join(home, "nginx.conf"), configOf({ home, root, port, sendfile }));
    return startOnPort([program, "-p", home, "-c", join(home, "nginx.conf")], port);
  };
  const sendfile = await start("on");
  try {
    return { sendfile, readAndWrite: await start("off") };
  } catch (thrown) {
    await sendfile.stop();
    throw thrown;
  }
}

function configOf(site: { home: string; root: string; port: number; sendfile: "on" | "off" }): string {
  const { home, root, port, sendfile } = site;
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${home};`);
  // Workers of an unprivileged user could not read our private folder.
  const user = process.getuid?.() === 0 ? "user root;" : "";
  return `daemon off; ${user} worker_processes 1; pid ${home}/nginx.pid; error_log ${home}/error.log;
events { worker_connections 256; }
http { access_log off; sendfile ${sendfile}; tcp_nopush on; keepalive_requests 1000000000; ${temporary.join(" ")}
  default_type application/octet-stream;
  server { listen 127.0.0.1:${port}; root ${root}; } }
`;
}
