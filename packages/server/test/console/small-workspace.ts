// A separate workspace with one person in it, without credits, so that removing, forbidding or using up something there
// disturbs no other test. The person comes in by a link, like everyone.
import assert from "node:assert/strict";
import type { BrowserContext, Page } from "playwright-core";
import { textOf } from "../support/app-client.ts";
import { adminOf } from "./every-page.ts";
import type { LookName, Scene, Visit } from "./scene.ts";

const scopes = ["models", "partners", "workflows", "registry", "account"];

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;

export interface SmallWorkspace {
  readonly id: string;
  readonly name: string;
  // The person's id.
  readonly owner: string;
  // Signed in as that person, in this workspace.
  visit(look?: LookName): Promise<Visit>;
  // Sets the person's session from now on.
  keep(cookies: Cookies): void;
  // Calls as a program of this workspace.
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  status(path: string): Promise<number>;
  // Done by the operator.
  topUp(amount: string): Promise<void>;
  setLimit(name: string, value: number | null): Promise<void>;
  setModels(allowed: readonly string[] | null): Promise<void>;
  // Done by another owner.
  setRole(role: "owner" | "member"): Promise<void>;
  removeOwner(): Promise<void>;
}

export async function openSmallWorkspace(scene: Scene): Promise<SmallWorkspace> {
  const { server } = scene;
  const admin = await adminOf(scene);
  const name = `Small ${Date.now()}`;
  const as = async (headers: Record<string, string>, method: string, path: string, body?: unknown) => {
    const answer = await server.call({ method, path, headers, ...(body === undefined ? {} : { body }) });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.text === "" ? null : answer.json();
  };
  const first = textOf((await server.call({ path: "/account" })).json(), "workspace", "id");
  const add = (called: string) => as({}, "POST", `/account/workspaces/${first}/members`, { name: called });
  // Two, so that one can lose the role: a workspace keeps one owner.
  const [person, second] = [await add("Small owner"), await add("Second owner")];
  const owner = textOf(person, "id");
  const workspace = await as(admin, "POST", "/admin/workspaces", { name, owner_id: owner });
  const id = textOf(workspace, "id");
  const path = `/admin/workspaces/${id}`;
  let cookies = await signIn(scene, textOf(person, "sign_in", "url"), name);
  const members = `/account/workspaces/${id}/members`;
  await asBrowser(scene, cookies, "POST", members, { person_id: textOf(second, "id"), role: "owner" });
  const other = await signIn(scene, textOf(second, "sign_in", "url"), name);
  // A key of the one whose role stays: a person who loses a role takes it from their keys.
  const made = await asBrowser(scene, other, "POST", "/account/keys", { name: "a program", scopes });
  const key = { authorization: `Bearer ${textOf(made, "secret")}` };
  return {
    id,
    name,
    owner,
    async visit(look = "light") {
      const made = await scene.visit(look, { signedIn: false });
      await made.context.addCookies(cookies);
      return made;
    },
    keep(now) {
      cookies = now;
    },
    call: (method, at, body) => as(key, method, at, body),
    status: async (at) => (await server.call({ path: at, headers: key })).status,
    async topUp(amount) {
      await as({ ...admin, "idempotency-key": crypto.randomUUID() }, "POST", `${path}/credits`, { amount });
    },
    async setLimit(limit, value) {
      if (value === null) await as(admin, "DELETE", `${path}/limits/${limit}`);
      else await as(admin, "PUT", `${path}/limits/${limit}`, { value, reason: "a test" });
    },
    async setModels(entitlements) {
      await as(admin, "PUT", `${path}/models`, { router_enabled: true, entitlements });
    },
    async setRole(role) {
      await asBrowser(scene, other, "PATCH", `${members}/${owner}`, { role });
    },
    async removeOwner() {
      await asBrowser(scene, other, "DELETE", `${members}/${owner}`);
    },
  };
}

async function asBrowser(
  { baseUrl }: Scene,
  cookies: Cookies,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const headers = { cookie, origin: baseUrl, "content-type": "application/json" };
  const answer = await fetch(`${baseUrl}${path}`, { method, headers, body: JSON.stringify(body) });
  const text = await answer.text();
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

// By the link, then switches to the workspace by name, as a person does.
async function signIn(scene: Scene, url: string, workspace: string): Promise<Cookies> {
  const visit = await scene.visit("light", { signedIn: false });
  const { page } = visit;
  await page.goto(new URL(url).pathname);
  await page.waitForURL((now) => now.pathname === "/");
  await chooseWorkspace(page, workspace);
  await visit.open("/console/members");
  await page.getByRole("main").getByText(workspace).first().waitFor();
  const cookies = await visit.context.cookies();
  await visit.close();
  return cookies;
}

export async function chooseWorkspace(page: Page, name: string): Promise<void> {
  const moved = page.waitForResponse((answer) => answer.url().endsWith("/account/session") && answer.ok());
  await page.getByRole("combobox", { name: "Workspace" }).selectOption({ label: name });
  await moved;
}
