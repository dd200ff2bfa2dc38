// The address of this server as programs elsewhere name it, without a slash at its end.
import { useQuery } from "@tanstack/react-query";
import { configQuery } from "../../api/config.ts";
import { baseOf } from "./clients.ts";

export function useBase(): string {
  const { data } = useQuery(configQuery);
  return baseOf(data?.base_url ?? location.origin);
}
