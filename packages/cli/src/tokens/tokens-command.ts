// `atelier tokens`: tokens for browsers, phones and agents, made from your key. The token is printed once.
import type { AccountToken, NewToken } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { take } from "../files/take.ts";
import { given } from "../given.ts";
import { wrongCall } from "../read-call.ts";
import { type Asked, overHttp } from "../server/over-http.ts";
import { confirm } from "../terminal/confirm.ts";

export const tokensCommand = overHttp({ create, ls: list, revoke });

const usualCapabilities = ["call_models"];

async function create({ call, atelier, input }: Asked): Promise<CommandResult> {
  const creditsMax = call.text("credits");
  if (creditsMax !== undefined && !/^(0|[1-9]\d{0,12})(\.\d{1,6})?$/.test(creditsMax))
    throw wrongCall("tokens", ["--credits is what the token may spend, such as 5 or 0.25."]);
  const can = call.texts("can");
  const minutes = call.whole("minutes", 1, 24 * 60);
  const data = await atelier.tokens.create({
    // The server names the ones that exist if one does not.
    capabilities: (can.length === 0 ? usualCapabilities : can) as NewToken["capabilities"],
    ...given({
      models: some(call.words),
      origins: some(call.texts("origin")),
      addresses: some(call.texts("address")),
      creditsMax,
      expiresInSeconds: minutes === undefined ? undefined : minutes * 60,
      endUser: call.text("end-user"),
      label: call.text("label"),
    }),
  });
  if (!input.json)
    input.say(
      `  ${data.capabilities.join(", ")} for ${data.models.join(", ") || "no model"}, up to ${data.credits_max ?? "no"} credits, until ${data.expires_at}. The token is not shown again.`,
    );
  return { data, text: data.token };
}

const some = (values: readonly string[]) => (values.length === 0 ? undefined : values);

async function list({ call, atelier }: Asked): Promise<CommandResult> {
  const limit = call.whole("limit", 1, 10_000) ?? 50;
  const data = await take(atelier.tokens.list({ pageSize: Math.min(100, limit) }), limit);
  const rows = data.map((token) => [
    token.id,
    token.label ?? token.end_user,
    token.models.join(" "),
    token.credits_max === null ? token.credits_spent : `${token.credits_spent} of ${token.credits_max}`,
    stateOf(token),
    new Date(token.expires_at),
  ]);
  const empty = "No tokens. Make one: atelier tokens create sandbox/image-1 --credits 5";
  return { data, text: { columns: ["id", "for", "models", "spent", "state", "until"], rows, empty } };
}

function stateOf({ revoked_at, expires_at }: AccountToken): string {
  if (revoked_at !== null) return "revoked";
  return new Date(expires_at) <= new Date() ? "ended" : "works";
}

async function revoke({ call, atelier, input }: Asked): Promise<CommandResult> {
  await confirm("Revoke this token and everything made from it?", call, input);
  const data = await atelier.tokens.revoke(call.words[0] ?? "");
  return { data, text: "The token has ended, and everything made from it." };
}
