// haproxy in front of a fleet's gateways.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { endsWithUs } from "../support/ends-with-us.ts";
import { isListening } from "../support/is-listening.ts";
import { until } from "../support/server-process.ts";

const haproxy = "/usr/sbin/haproxy";
export const hasHaproxy = existsSync(haproxy);

export interface Balanced {
  readonly port: number;
  readonly contentPort: number;
  readonly gateways: readonly { readonly env: Readonly<Record<string, string>> }[];
}

// Readiness, checked twice a second, decides which gateways get work; a refused connection goes to the next.
export class Balancer {
  readonly #file: string;
  readonly #balanced: Balanced;
  #child: ChildProcess | null = null;

  constructor(file: string, balanced: Balanced) {
    this.#file = file;
    this.#balanced = balanced;
  }

  async start(): Promise<void> {
    const { port, contentPort } = this.#balanced;
    await writeFile(this.#file, this.#settings());
    this.#child = endsWithUs(spawn(haproxy, ["-db", "-f", this.#file], { stdio: "ignore" }));
    await until("haproxy listens", async () => (await isListening(port)) && (await isListening(contentPort)));
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }

  #settings(): string {
    const { port, contentPort, gateways } = this.#balanced;
    const backend = (setting: string, check: string) =>
      gateways.map(
        ({ env }, index) =>
          `  server gateway${index} 127.0.0.1:${env[setting]} check port ${env["ATELIER_PORT"]} ${check}`,
      );
    const check = [
      "  option httpchk",
      `  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host 127.0.0.1:${port}`,
      "  http-check expect status 200",
      "  option redispatch",
      "  retries 3",
      "  retry-on conn-failure",
      "  balance roundrobin",
    ];
    const often = "inter 500ms fall 1 rise 1";
    return [
      "defaults",
      "  mode http",
      "  timeout connect 2s",
      "  timeout client 120s",
      "  timeout server 120s",
      "  timeout check 2s",
      "frontend api",
      `  bind 127.0.0.1:${port}`,
      "  default_backend gateways",
      "backend gateways",
      ...check,
      ...backend("ATELIER_PORT", often),
      "frontend content",
      `  bind 127.0.0.1:${contentPort}`,
      "  default_backend contents",
      "backend contents",
      ...check,
      ...backend("ATELIER_CONTENT_PORT", often),
      "",
    ].join("\n");
  }
}
