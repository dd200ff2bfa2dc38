// What the console must know before it can ask for anything: public facts of the server that serves it.
import { queryOptions } from "@tanstack/react-query";
import { faultOf } from "./fault.ts";

export interface ConsoleConfig {
  readonly version: string;
  // `cloud`: people sign in, everything is there. `self_hosted`: the v2 API beside one's own application, and no account.
  readonly surface: "cloud" | "self_hosted";
  // How requests are let in: a person's session, a token that the operator set, or nothing at all.
  readonly auth: "session" | "token" | "none";
  // What stands in snippets before a path.
  readonly base_url: string;
  // Where bytes that users made are served.
  readonly content_url: string | null;
  readonly sign_in: { readonly links: boolean; readonly oidc: { readonly name: string; readonly url: string } | null };
}

export const configQuery = queryOptions({
  queryKey: ["console", "config"],
  staleTime: Number.POSITIVE_INFINITY,
  // The document holds it.
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
