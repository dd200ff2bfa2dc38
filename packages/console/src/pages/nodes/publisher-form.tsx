import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { type ReactNode, useState } from "react";
import { nodes } from "#strings/nodes";
import { call } from "../../api/client.ts";
import { asFault } from "../../api/fault.ts";
import { operations } from "../../api/operations.ts";
import { readQuery } from "../../api/read-query.ts";
import { useSettled } from "../../api/use-settled.ts";
import { Button } from "../../ui/button.tsx";
import { useField } from "../../ui/calls/use-draft.ts";
import { CheckField, TextField } from "../../ui/fields.tsx";
import kit from "../../ui/kit.module.css";
import { Stack } from "../../ui/panel.tsx";
import { FaultNote } from "../../ui/states.tsx";
import { myPublishersQuery } from "./registry-queries.ts";

const words = nodes.publisher;

export function PublisherForm({ onMade }: { readonly onMade: (id: string) => void }): ReactNode {
  const [name, nameField] = useField("");
  const [typedId, setId] = useState<string | null>(null);
  const [isPrivate, setPrivate] = useState(false);
  const queries = useQueryClient();
  const id = typedId ?? idOf(name);
  const free = useFree(id);
  const make = useMutation({
    mutationFn: () =>
      call(operations.createPublisher, {
        json: { id, name: name.trim(), ...(isPrivate ? { visibility: "workspace" } : {}) },
      }),
    onSuccess: async (made) => {
      await queries.invalidateQueries(myPublishersQuery);
      onMade(made.id);
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <Stack>
        <TextField label={words.name} required maxLength={100} {...nameField} hint={words.nameHint} />
        <TextField
          label={words.id}
          required
          maxLength={64}
          value={id}
          spellCheck={false}
          onChange={(event) => setId(event.target.value)}
          wrong={free.wrong}
          hint={
            free.isFree ? (
              <span style={{ display: "inline-flex", gap: "0.3rem", alignItems: "center" }}>
                <Check aria-hidden="true" size={14} /> {words.idFree}
              </span>
            ) : (
              words.idHint
            )
          }
        />
        <CheckField
          label={words.isPrivate}
          hint={words.isPrivateHint}
          checked={isPrivate}
          onChange={(event) => setPrivate(event.target.checked)}
        />
        {make.error ? <FaultNote fault={make.error} /> : null}
        <div className={kit.actions}>
          <Button
            does={operations.createPublisher}
            type="submit"
            look="primary"
            disabled={make.isPending || name.trim() === "" || id === "" || free.wrong !== null}
          >
            {words.createAction}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

function idOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[-0-9]+|-+$/g, "")
    .slice(0, 64);
}

// Asks after a short pause; the server says why an id is not available.
function useFree(id: string): { readonly isFree: boolean; readonly wrong: string | null } {
  const asked = useSettled(id, 300);
  const { data, error } = useQuery({
    ...readQuery(["registry", "publishers", "free", asked], operations.validatePublisherId, {
      query: { username: asked },
    }),
    enabled: asked !== "",
    retry: false,
  });
  if (asked !== id) return { isFree: false, wrong: null };
  return { isFree: data !== undefined, wrong: error ? asFault(error).message : null };
}
