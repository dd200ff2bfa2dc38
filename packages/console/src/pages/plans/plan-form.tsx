// A plan, new or changed. The provider's price is its identity, so it is only asked for once.
import type { ReactNode } from "react";
import { plans } from "#strings/plans";
import type { Plan } from "../../api/admin.ts";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { ChangeForm } from "../../ui/calls/change-form.tsx";
import { useDraft } from "../../ui/calls/use-draft.ts";
import { CheckField, SelectField, TextField } from "../../ui/fields.tsx";
import { readMoney, writeMoney } from "./money.ts";
import { plansKey } from "./plan-queries.ts";

const words = plans.sales.form;

export function PlanForm({ of, onClose }: { readonly of: Plan | null; readonly onClose: () => void }): ReactNode {
  const {
    draft,
    change: set,
    field,
  } = useDraft({
    name: of?.name ?? "",
    kind: of?.kind ?? "subscription",
    credits: of?.credits ?? "",
    price: of === null ? "" : writeMoney(of.price_minor, of.currency),
    priceId: of?.price_id ?? "",
    rollsOver: of?.rolls_over ?? true,
    checkout: of?.checkout_url ?? "",
  });
  const money = readMoney(draft.price);
  const isWhole =
    draft.name.trim() !== "" && Number(draft.credits) > 0 && money !== null && draft.priceId.trim() !== "";
  return (
    <ChangeForm
      action={words.save}
      why={isWhole ? null : words.why}
      change={() => {
        const json = {
          name: draft.name.trim(),
          credits: draft.credits.trim(),
          price_minor: money?.minor ?? 0,
          currency: money?.currency ?? "",
          rolls_over: draft.rollsOver,
          checkout_url: draft.checkout.trim() === "" ? null : draft.checkout.trim(),
        };
        if (of !== null) return call(operations.changePlan, { params: { planId: of.id }, json });
        const kind = draft.kind === "once" ? "once" : "subscription";
        return call(operations.createPlan, { json: { ...json, kind, price_id: draft.priceId.trim() } });
      }}
      stale={[plansKey]}
      said={({ name }) => words.saved(name)}
      onClose={onClose}
    >
      <TextField label={words.name} {...field("name")} maxLength={100} />
      {of === null ? (
        <SelectField
          label={words.kind}
          choices={[
            { value: "subscription", label: words.kinds.subscription },
            { value: "once", label: words.kinds.once },
          ]}
          value={draft.kind}
          onChange={(event) => set({ kind: event.target.value === "once" ? "once" : "subscription" })}
        />
      ) : null}
      <TextField label={words.credits} hint={words.creditsHint} inputMode="decimal" {...field("credits")} />
      <TextField label={words.price} hint={words.priceHint} {...field("price")} />
      {of === null ? <TextField label={words.priceId} hint={words.priceIdHint} {...field("priceId")} /> : null}
      <TextField label={words.checkout} hint={words.checkoutHint} type="url" {...field("checkout")} />
      {draft.kind === "once" ? null : (
        <CheckField
          label={words.rollsOver}
          checked={draft.rollsOver}
          onChange={(event) => set({ rollsOver: event.target.checked })}
        />
      )}
    </ChangeForm>
  );
}
