// What the console must know before its first request: public facts about the server that serves it.
import type { ConsoleConfig } from "@atelier/sdk";
import { queryOptions } from "@tanstack/react-query";
import { faultOf } from "./fault.ts";
import { addressOf } from "./operation.ts";
import { operations } from "./operations.ts";

export type { ConsoleConfig };

export const configQuery = queryOptions({
  queryKey: ["console", "config"],
  staleTime: Number.POSITIVE_INFINITY,
  // The document contains it.
  initialData: (): ConsoleConfig | undefined => {
    const text = document.getElementById("config")?.textContent;
    return text ? JSON.parse(text) : undefined;
  },
  queryFn: async (): Promise<ConsoleConfig> => {
    const response = await fetch(addressOf(operations.getConsoleConfig));
    if (!response.ok) throw await faultOf(response);
    return response.json();
  },
});
