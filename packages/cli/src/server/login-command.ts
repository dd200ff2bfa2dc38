// `atelier login <address>`: asks for a key without showing it, tries it, and stores both for this user. `logout` forgets them,
// `whoami` shows who the server thinks you are. A key is never an argument here, because shells keep a history.
import type { Account, Atelier } from "@atelier/sdk";
import type { Command, CommandInput, CommandResult } from "@atelier/server/commands";
import { readCall } from "../read-call.ts";
import { readSecret } from "../terminal/read-secret.ts";
import { ClientProblem } from "./client-problem.ts";
import { type Asked, connection, overHttp, readAnswer } from "./over-http.ts";
import { forgetSignedIn, signedInFile, writeSignedIn } from "./signed-in.ts";
import { checkedUrl, namedBaseUrl, whichServer } from "./which-server.ts";

export const loginCommand: Command = {
  async run(listed, input) {
    const call = readCall(listed, input.arguments);
    const [address] = call.words;
    const baseUrl = checkedUrl(
      address ?? namedBaseUrl(call, input.env) ?? (await whichServer(call, input.env, undefined)).baseUrl,
    );
    const key = await readKey(baseUrl, input);
    const { atelier, problemOf } = connection({ baseUrl, key, isAdmin: false });
    const account = await fetchAccount(atelier).catch((error: unknown) => {
      throw problemOf(error);
    });
    const file = writeSignedIn(input.env, { baseUrl, key });
    input.say(`  saved in ${file}, readable only by you; remove it with atelier logout`);
    return { data: { base_url: baseUrl, file, ...account }, text: `✓ ${describe(baseUrl, account).join("\n  ")}` };
  },
};

export const logoutCommand: Command = {
  async run(listed, input) {
    readCall(listed, input.arguments);
    const wasThere = forgetSignedIn(input.env);
    const text = wasThere ? `Deleted ${signedInFile(input.env)}` : "You were not logged in.";
    return { data: { forgotten: wasThere }, text };
  },
};

export const whoamiCommand = overHttp(async ({ atelier, baseUrl }: Asked): Promise<CommandResult> => {
  const account = await fetchAccount(atelier);
  return { data: { base_url: baseUrl, ...account }, text: describe(baseUrl, account).join("\n") };
});

const fetchAccount = (atelier: Atelier): Promise<Account> => readAnswer(atelier.request("/account"));

function describe(baseUrl: string, { workspace, role, scopes, key }: Account): string[] {
  return [
    `${workspace.name} at ${baseUrl}, as ${role}`,
    ...(key
      ? [`key ${key.name} (${key.hint}…), ${key.expires_at === null ? "does not expire" : `expires ${key.expires_at}`}`]
      : []),
    `scopes ${scopes.join(", ")}`,
  ];
}

async function readKey(baseUrl: string, input: CommandInput): Promise<string> {
  const key = (await readSecret(`API key for ${baseUrl}: `, input)).trim();
  if (!/^\S{8,4096}$/.test(key))
    throw new ClientProblem("usage", "usage", "This is not an API key.", {
      hint: "keys start with service-; create one in the console at /profile/api-keys, or as an operator with atelier keys create",
    });
  return key;
}
