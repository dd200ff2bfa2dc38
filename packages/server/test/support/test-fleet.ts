// `npm run test:long -- fleet`: the contract's promises hold however many gateways answer. Each test app is then several gateways
// behind a front that gives every request to the next one. They share the database, the blob store and the key ring, and
// each has its own empty home.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { roundRobinFront } from "./round-robin-front.ts";

// How many gateways a test app has.
export const fleetSize = Number(process.env["ATELIER_TEST_FLEET"] ?? "1");

// Skips a test about the state of a single process; the reason says which state.
export const notInFleet = (reason: string): { readonly skip?: string } =>
  fleetSize > 1 ? { skip: `not in a fleet: ${reason}` } : {};

// The origin of a deployment's absolute links.
export const deploymentOrigin = ({ baseUrl, port }: { readonly baseUrl: string; readonly port: number }): string =>
  fleetSize > 1 ? originOfDeployments(port) : baseUrl;

const originOfDeployments = (port: number) => `http://localhost:${port}`;

export interface FleetGateway {
  readonly port: number;
  readonly contentPort: number;
}

export interface TestFleet {
  readonly port: number;
  readonly baseUrl: string;
  // Settings for every gateway.
  readonly env: Readonly<Record<string, string>>;
  // Extra settings for each gateway but the first.
  furtherEnv(): Promise<Readonly<Record<string, string>>>;
  answers(gateways: readonly FleetGateway[]): void;
  close(): Promise<void>;
}

// `home` is the first gateway's, which makes the key ring.
export async function testFleet(home: string): Promise<TestFleet> {
  const [api, content] = [await roundRobinFront(), await roundRobinFront()];
  const homes: string[] = [];
  const baseUrl = `http://127.0.0.1:${api.port}`;
  return {
    port: api.port,
    baseUrl,
    env: {
      ATELIER_BASE_URL: baseUrl,
      ATELIER_CONTENT_URL: `http://127.0.0.1:${content.port}`,
      ATELIER_DEPLOYMENT_URL: originOfDeployments(api.port),
      ATELIER_ALLOWED_HOSTS: `localhost:${api.port},[::1]:${api.port}`,
      ATELIER_BLOBS: `file:${join(home, "blobs")}`,
      ATELIER_DATABASE_POOL_SIZE: "4",
    },
    async furtherEnv() {
      const own = await mkdtemp(join(tmpdir(), "atelier-app-"));
      homes.push(own);
      return { ATELIER_HOME: own, ATELIER_SECRETS_FILE: join(home, "secrets.json") };
    },
    answers(gateways) {
      api.to(gateways.map(({ port }) => port));
      content.to(gateways.map(({ contentPort }) => contentPort));
    },
    async close() {
      await api.close();
      await content.close();
      for (const own of homes) await rm(own, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
