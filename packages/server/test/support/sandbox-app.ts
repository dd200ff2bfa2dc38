// Whole apps that share one sandbox, as several processes share a provider.
import { raiseRates } from "./app-people.ts";
import { type SandboxProvider, sandboxProvider } from "./sandbox-provider.ts";
import { type TestApp, type TestAppOptions, testApp } from "./test-app.ts";

export interface SandboxApps extends Omit<SandboxProvider, "close"> {
  open(options?: TestAppOptions): Promise<TestApp>;
  close(): Promise<void>;
}

export async function sandboxApps(): Promise<SandboxApps> {
  const provider = await sandboxProvider();
  const apps: TestApp[] = [];
  return {
    ...provider,
    async open(options = {}) {
      const app = await testApp({ ...options, env: { ATELIER_PROVIDERS: provider.file, ...options.env } });
      await raiseRates(app, app.workspaceId);
      apps.push(app);
      return app;
    },
    async close() {
      for (const app of apps.reverse()) await app.close();
      await provider.close();
    },
  };
}
