// A child that tries everything it must not, and reports what worked. It runs our code only where a real one would: first.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { connect, type NetConnectOpts } from "node:net";
import type { Escape } from "../../src/isolation/levels.ts";
import { dieWithParent } from "../../src/own-code.ts";

export interface Targets {
  readonly keyRing: string;
  readonly dataFolder: string;
  readonly outside: string;
  readonly parent: number;
  readonly port: number;
  readonly socket: string;
  readonly secret: string;
}

export type HostileMessage = {
  readonly kind: "tried";
  readonly worked: readonly Escape[];
  readonly wroteWithin: boolean;
};

dieWithParent(process.ppid);
process.on("disconnect", () => process.exit(0));
process.on("message", async ({ kind, ...targets }: Targets & { kind: string }) => {
  if (kind === "loop") for (;;);
  const tries: Record<Escape, () => unknown> = {
    inherit_secrets: () => hasSecret(JSON.stringify(process.env) + openFiles(), targets.secret),
    read_keys: () => readFileSync(targets.keyRing).length > 0,
    read_data: () => readdirSync(targets.dataFolder).length > 0,
    read_parent: () => hasSecret(readFileSync(`/proc/${targets.parent}/environ`, "latin1"), "PATH="),
    write_outside: () => writeFileSync(targets.outside, "x") === undefined,
    dial_address: () => canConnect({ host: "127.0.0.1", port: targets.port }),
    dial_socket: () => canConnect({ path: targets.socket }),
    start_program: () => execFileSync("/bin/sh", ["-c", "echo started"], { encoding: "utf8" }) === "started\n",
    signal_parent: () => targets.parent !== process.pid && process.kill(targets.parent, 0),
  };
  const worked: Escape[] = [];
  for (const [name, attempt] of Object.entries(tries)) {
    try {
      if (await attempt()) worked.push(name as Escape);
    } catch {}
  }
  process.send?.({ kind: "tried", worked, wroteWithin: canWrite("out/within") });
});
process.send?.({ kind: "ready" });

const hasSecret = (text: string, secret: string) => text.includes(secret);

function openFiles(): string {
  try {
    return readdirSync("/proc/self/fd")
      .map((name) => {
        try {
          return `${readlinkSync(`/proc/self/fd/${name}`)}\n`;
        } catch {
          return "";
        }
      })
      .join("");
  } catch {
    return "";
  }
}

function canConnect(to: NetConnectOpts): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(to, () => resolve(true));
    socket.on("error", () => resolve(false));
  }).then((could) => could === true);
}

function canWrite(path: string): boolean {
  try {
    writeFileSync(path, "x");
    return true;
  } catch {
    return false;
  }
}
