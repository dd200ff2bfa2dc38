// How many calls a model takes, over all workspaces: beside each model of a provider, where operators set it.
import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { providers } from "#strings/providers";
import { call } from "../../../api/client.ts";
import { modelParams } from "../../../api/model-id.ts";
import { operations } from "../../../api/operations.ts";
import { Button } from "../../../ui/button.tsx";
import { CallLimitsForm, type Limits } from "../../../ui/call-limits/call-limits-form.tsx";
import { Dialog } from "../../../ui/dialog.tsx";

const words = providers.limits;
const none: Limits = { calls_per_minute: null, concurrency: null };

// By model. A model without limits is not in it.
export const modelLimitsQuery = queryOptions({
  queryKey: ["admin", "model-limits"],
  queryFn: async ({ signal }) => {
    const { data } = await call(operations.listModelLimits, { signal });
    return new Map<string, Limits>(data.map((each) => [each.model, each]));
  },
});

export const limitsLine = (limits: Limits = none): string => words.most(limits.calls_per_minute, limits.concurrency);

// `limits` is undefined until it is known.
export function ModelLimitsButton(props: {
  readonly model: string;
  readonly limits: ReadonlyMap<string, Limits> | undefined;
}): ReactNode {
  const { model, limits } = props;
  const [isOpen, setOpen] = useState(false);
  const queries = useQueryClient();
  return (
    <>
      <Button
        small
        does={operations.setModelLimits}
        aria-label={words.buttonOf(model)}
        disabled={limits === undefined}
        onClick={() => setOpen(true)}
      >
        {words.button}
      </Button>
      <Dialog title={words.buttonOf(model)} isOpen={isOpen} onClose={() => setOpen(false)}>
        <CallLimitsForm
          text={words.text}
          limits={limits?.get(model) ?? none}
          does={operations.setModelLimits}
          save={(json) => call(operations.setModelLimits, { params: modelParams(model), json })}
          onSaved={() => queries.invalidateQueries({ queryKey: modelLimitsQuery.queryKey })}
          onClose={() => setOpen(false)}
        />
      </Dialog>
    </>
  );
}
