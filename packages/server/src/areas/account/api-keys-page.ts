// What the API keys page shows. Names and scopes are text of users: everything goes through the html tag.
import {
  type ApiKey,
  defaultKeyScopes,
  type IdentityPrincipal,
  type Membership,
  type Person,
  type Scope,
  scopes,
} from "../../capabilities/identity/index.ts";
import { type Html, html } from "../../foundation/http/html.ts";
import type { Page } from "./page.ts";

export interface ApiKeysView {
  readonly person: Person;
  readonly principal: IdentityPrincipal;
  readonly memberships: readonly Membership[];
  readonly keys: readonly ApiKey[];
  readonly formToken: string;
  readonly now: Date;
  // The key that was just made; this page is the only place it is ever seen.
  readonly created: { readonly key: ApiKey; readonly secret: string } | null;
}

const scopeMeanings: Readonly<Record<Scope, string>> = {
  models: "run models",
  partners: "partner tasks",
  registry: "node registry",
  workflows: "workflows and assets",
  account: "manage keys and members",
};

export const expiryDays = [30, 90, 365] as const;

export function apiKeysPage(view: ApiKeysView): Page {
  const token = html`<input type="hidden" name="csrf" value="${view.formToken}">`;
  return {
    title: "API keys",
    aside: asideOf(view.person, token, view),
    content: html`<h1>API keys</h1>
${view.created === null ? null : createdNotice(view.created)}
<section aria-labelledby="new-key"><h2 id="new-key">New key</h2>${newKeyForm(token)}</section>
<section aria-labelledby="keys"><h2 id="keys">Keys of this workspace</h2>${keyList(view, token)}</section>`,
  };
}

// For a person who is signed in but in no workspace.
export function noWorkspacePage(person: Person, formToken: string): Page {
  const token = html`<input type="hidden" name="csrf" value="${formToken}">`;
  return {
    title: "API keys",
    aside: asideOf(person, token, null),
    content: html`<section><h1>No workspace yet</h1>
<p>You are not a member of any workspace. Give an owner your person id: <code>${person.id}</code></p></section>`,
  };
}

function asideOf(person: Person, token: Html, view: ApiKeysView | null): Html {
  return html`<div>
${view !== null && view.memberships.length > 1 ? workspaceForm(view, token) : null}
<form method="post" action="/profile/sign-out">${token}
<span class="soft">${person.name}</span> <button class="quiet" type="submit">Sign out</button></form>
</div>`;
}

function workspaceForm(view: ApiKeysView, token: Html): Html {
  const options = view.memberships.map(({ workspaceId, workspaceName }) =>
    workspaceId === view.principal.workspaceId
      ? html`<option value="${workspaceId}" selected>${workspaceName}</option>`
      : html`<option value="${workspaceId}">${workspaceName}</option>`,
  );
  return html`<form method="post" action="/profile/workspace">${token}
<label for="workspace" class="soft">Workspace</label><select id="workspace" name="workspace_id">${options}</select>
<button class="quiet" type="submit">Change</button></form>`;
}

function createdNotice({ key, secret }: { key: ApiKey; secret: string }): Html {
  return html`<section class="note" role="status"><h2>${key.name} is ready</h2>
<p><strong>Copy it now.</strong> It is not stored and cannot be shown again.</p>
<code class="secret">${secret}</code>
<p>For a <code>.env</code> file:</p>
<code class="secret">ATELIER_API_KEY=${secret}</code></section>`;
}

function newKeyForm(token: Html): Html {
  const boxes = scopes.map((scope) => {
    const label = html`<strong>${scope}</strong> <span class="soft">${scopeMeanings[scope]}</span>`;
    return defaultKeyScopes.includes(scope)
      ? html`<label><input type="checkbox" name="scopes" value="${scope}" checked> ${label}</label>`
      : html`<label><input type="checkbox" name="scopes" value="${scope}"> ${label}</label>`;
  });
  return html`<form method="post" action="/profile/api-keys">${token}
<label for="name">Name</label>
<input id="name" name="name" type="text" required maxlength="100" autocomplete="off" placeholder="What is it for?">
<fieldset><legend>May reach</legend>${boxes}</fieldset>
<label for="expires">Expires</label>
<select id="expires" name="expires"><option value="">never</option>${expiryDays.map(
    (days) => html`<option value="${days}">in ${days} days</option>`,
  )}</select>
<button type="submit">Create key</button>
</form>`;
}

function keyList(view: ApiKeysView, token: Html): Html {
  if (view.keys.length === 0) return html`<p class="soft">None yet.</p>`;
  return html`<ul class="keys">${view.keys.map((key) => keyEntry(view, key, token))}</ul>`;
}

function keyEntry(view: ApiKeysView, key: ApiKey, token: Html): Html {
  const mayRevoke = view.principal.role === "owner" || key.createdBy === view.person.id;
  const revocation = html`<details><summary>Revoke…</summary>
<form method="post" action="/profile/api-keys/${key.id}/revoke">${token}
<p>Programs that use <strong>${key.name}</strong> stop working within five seconds. This cannot be undone.</p>
<button class="danger" type="submit">Revoke this key</button></form></details>`;
  return html`<li><h3>${key.name}</h3>
<code>${key.prefix}…</code> ${stateOf(key, view.now)}
<dl>
<div><dt>May reach</dt><dd>${key.scopes.join(", ")}</dd></div>
<div><dt>Role</dt><dd>${key.role}</dd></div>
<div><dt>Created</dt><dd>${timeOf(key.createdAt)}</dd></div>
<div><dt>Last used</dt><dd>${key.lastUsedAt === null ? "never" : timeOf(key.lastUsedAt)}</dd></div>
<div><dt>Expires</dt><dd>${key.expiresAt === null ? "never" : timeOf(key.expiresAt)}</dd></div>
</dl>${key.revokedAt === null && mayRevoke ? revocation : null}</li>`;
}

function stateOf(key: ApiKey, now: Date): Html | null {
  if (key.revokedAt !== null) return html`<span class="warn">revoked ${timeOf(key.revokedAt)}</span>`;
  if (key.expiresAt !== null && key.expiresAt <= now) return html`<span class="warn">expired</span>`;
  return null;
}

function timeOf(moment: Date): Html {
  const text = moment.toISOString();
  return html`<time datetime="${text}">${text.slice(0, 16).replace("T", " ")} UTC</time>`;
}
