// What the console must know before its first request: public facts about the server that serves it.
import { queryOptions } from "@tanstack/react-query";
import { faultOf } from "./fault.ts";

export interface ConsoleConfig {
  readonly version: string;
  // `cloud`: people sign in, and everything is there. `self_hosted`: the v2 API in front of one's own application, no account.
  readonly surface: "cloud" | "self_hosted";
  // How requests are authorised: by a person's session, by a token that the operator set, or not at all.
  readonly auth: "session" | "token" | "none";
  // The prefix of paths in snippets.
  readonly base_url: string;
  // Where user content is served.
  readonly content_url: string | null;
  readonly sign_in: { readonly links: boolean; readonly oidc: { readonly name: string; readonly url: string } | null };
}

export const configQuery = queryOptions({
  queryKey: ["console", "config"],
  staleTime: Number.POSITIVE_INFINITY,
  // The document contains it.
  initialData: (): ConsoleConfig | undefined => {
    const text = document.getElementById("config")?.textContent;
    return text ? JSON.parse(text) : undefined;
  },
  queryFn: async (): Promise<ConsoleConfig> => {
    const response = await fetch("/console/config.json");
    if (!response.ok) throw await faultOf(response);
    return response.json();
  },
});
