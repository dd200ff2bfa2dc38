// Whether this data folder's server runs, and if not, whether its ports are free.
import { findRunningServer } from "../home/server-note.ts";
import { type ListeningSettings, serverAt, tryPort } from "../home/who-listens.ts";
import { type Finding, problem, warning, well } from "./finding.ts";

type Ports = Pick<ListeningSettings, "host" | "port" | "contentPort">;

// A server running on this folder holds its ports, whatever the settings of this command say.
export async function lookAtServer(config: Ports & Pick<ListeningSettings, "home">): Promise<Finding[]> {
  const running = await findRunningServer(config.home);
  if (running === null) return lookAtPorts(config);
  const { hostname, port } = new URL(running.url);
  const state = await serverAt(hostname.replace(/^\[|\]$/g, ""), Number(port));
  const message = `this data folder's server is running at ${running.url} (process ${running.pid})`;
  if (state === "ready") return [well("server", `${message} and is ready`)];
  return [warning("server", `${message} and is not ready`, `see ${running.url}/readyz`)];
}

export async function lookAtPorts(config: Ports): Promise<Finding[]> {
  const { host, port } = config;
  const first = await lookAtPort(host, port, "ATELIER_PORT");
  // The content port is not checked here: unless it was configured, the content origin takes another if this one is taken.
  if (config.contentPort === null || config.contentPort === port) return [first];
  return [first, await lookAtPort(host, config.contentPort, "ATELIER_CONTENT_PORT")];
}

async function lookAtPort(host: string, port: number, setting: string): Promise<Finding> {
  const code = await tryPort(host, port);
  const name = "port";
  const address = `${host}:${port}`;
  if (code === null) return well(name, `${address} is free`);
  if (code !== "EADDRINUSE") {
    const mend =
      code === "EACCES"
        ? `ports below 1024 need privileges: choose another with ${setting}`
        : `choose another with ATELIER_HOST or ${setting}`;
    return problem(name, `${address} cannot be used (${code})`, mend);
  }
  // The server of this data folder was already looked for, so this is another one, and a start would be refused.
  const isServer = (await serverAt(host, port)) !== "other";
  const who = isServer ? "an Atelier server of another data folder" : "another program";
  const named = isServer ? "; if you meant that server, pass its folder with --home" : "";
  return problem(
    name,
    `${address} is in use by ${who}`,
    `choose another with ${setting}, or stop that program${named}`,
  );
}
