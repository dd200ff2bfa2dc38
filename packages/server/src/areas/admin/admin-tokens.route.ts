import { CreateAdminToken, operations } from "@atelier/contract";
import { type AdminCaller, type AdminTokens, actingAsAdmin } from "../../capabilities/tokens/index.ts";
import { type Route, route } from "../../foundation/http/area.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import { freshAnswer } from "./fresh-answer.ts";
import { presentEnvironmentToken, presentToken } from "./present.ts";
import { requireMoment } from "./require-field.ts";

export function listAdminTokensRoute({ tokens }: { readonly tokens: AdminTokens }): Route<AdminCaller> {
  return route(operations.listAdminTokens, async () => {
    const environment = tokens.environment();
    const listed = (await tokens.list()).map(presentToken);
    return freshAnswer(200, {
      data: environment === null ? listed : [presentEnvironmentToken(environment), ...listed],
    });
  });
}

export function createAdminTokenRoute({ tokens }: { readonly tokens: AdminTokens }): Route<AdminCaller> {
  return route(operations.createAdminToken, async (incoming) => {
    const { name, expires_at } = requireValid(CreateAdminToken, await incoming.json());
    const expiresAt = expires_at === undefined || expires_at === null ? null : requireMoment("expires_at", expires_at);
    const made = await tokens.create({ name, expiresAt }, actingAsAdmin(incoming.caller, incoming.requestId));
    return freshAnswer(201, { ...presentToken(made.token), secret: made.secret });
  });
}

export function revokeAdminTokenRoute({ tokens }: { readonly tokens: AdminTokens }): Route<AdminCaller> {
  return route(operations.revokeAdminToken, async (incoming) => {
    await tokens.revoke(incoming.params["tokenId"] ?? "", actingAsAdmin(incoming.caller, incoming.requestId));
    return { status: 204 };
  });
}
