// One call of an operation, with input it accepts, and the app it is made against.
import type { AppRequest } from "./app-client.ts";
import type { Tenant } from "./app-people.ts";
import type { TestApp } from "./test-app.ts";

export interface Scene {
  readonly app: TestApp;
  readonly owner: Tenant;
}

export interface ExampleCall {
  readonly status: number;
  make(scene: Scene): AppRequest | Promise<AppRequest>;
}
