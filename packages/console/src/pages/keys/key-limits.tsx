// How many calls a key may make, below its caps. Only owners set it.
import type { AccountKey } from "@atelier/sdk";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { keys as words } from "#strings/keys";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { readQuery } from "../../api/read-query.ts";
import { CallLimitsForm } from "../../ui/call-limits/call-limits-form.tsx";
import { FaultNote, Skeleton } from "../../ui/states.tsx";

const limitsQuery = (keyId: string) =>
  readQuery(["keys", keyId, "limits"], operations.getKeyLimits, { params: { keyId } });

export function LimitsOf({ of, onClose }: { readonly of: AccountKey; readonly onClose: () => void }): ReactNode {
  const { data, error, refetch } = useQuery(limitsQuery(of.id));
  const queries = useQueryClient();
  if (error) return <FaultNote fault={error} retry={refetch} />;
  if (data === undefined) return <Skeleton height="9rem" />;
  return (
    <CallLimitsForm
      text={words.limitsText}
      limits={data}
      inFlight={data.in_flight}
      does={operations.setKeyLimits}
      save={(json) => call(operations.setKeyLimits, { params: { keyId: of.id }, json })}
      onSaved={(now) => queries.setQueryData(limitsQuery(of.id).queryKey, now)}
      onClose={onClose}
    />
  );
}
