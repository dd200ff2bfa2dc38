// A picture that a model made in the playground or on the first page: its tags name the model and the request, and the
// person's history has the prompt.
import type { Asset } from "@atelier/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { SlidersHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import { galleryViewer } from "#strings/gallery-viewer";
import { inputOfRun, playgroundRunsQuery, wordsOfInput } from "../../api/model-calls/playground-runs.ts";
import { LinkButton } from "../../ui/button.tsx";
import { formatCredits } from "../../ui/figures.tsx";
import kit from "../../ui/kit.module.css";
import { Facts } from "../../ui/panel.tsx";
import { Scrollable } from "../../ui/scrollable.tsx";
import { inputLink } from "../../ui/work-form/input-link.ts";
import { type ModelCall, modelCallOf } from "./model-call.ts";
import styles from "./viewer/viewer.module.css";

const words = galleryViewer.details;

export function MadeByModel({ asset }: { readonly asset: Asset }): ReactNode {
  const made = modelCallOf(asset.tags);
  return made === null ? <p className={kit.soft}>{words.uploaded}</p> : <ByModel asset={asset} made={made} />;
}

function ByModel({ asset, made }: { readonly asset: Asset; readonly made: ModelCall }): ReactNode {
  const { data: runs } = useQuery({ ...playgroundRunsQuery(made.model), retry: 0 });
  const run = runs?.find(
    ({ request_id, asset_ids }) =>
      asset_ids.includes(asset.id) || (request_id !== null && request_id === made.requestId),
  );
  const input = run === undefined ? {} : inputOfRun(run);
  const prompt = wordsOfInput(input);
  const { seed } = input;
  const [provider = "", model = ""] = made.model.split("/");
  return (
    <>
      {prompt === "" ? null : (
        <section>
          <h3>{words.prompt}</h3>
          <Scrollable as="figure" label={words.prompt} className={styles.prompt}>
            {prompt}
          </Scrollable>
        </section>
      )}
      <section>
        <h3>{words.madeBy}</h3>
        <Facts
          of={[
            [
              words.model,
              <Link key="model" to="/console/models/$provider/$model" params={{ provider, model }}>
                {made.model}
              </Link>,
            ],
            ...(seed === undefined ? [] : [[words.seed, String(seed)] as const]),
            ...(run?.credits ? [[words.charge, words.creditsOf(formatCredits(run.credits))] as const] : []),
            ...(made.requestId === null
              ? []
              : [
                  [
                    words.request,
                    <Link key="request" to="/console/requests/$requestId" params={{ requestId: made.requestId }}>
                      {made.requestId.slice(0, 8)}…{made.requestId.slice(-4)}
                    </Link>,
                  ] as const,
                ]),
          ]}
        />
      </section>
      <section className={kit.actions}>
        <LinkButton
          small
          look="primary"
          to="/console/models/$provider/$model"
          params={{ provider, model }}
          {...(run === undefined ? {} : { hash: inputLink(input) ?? "" })}
        >
          <SlidersHorizontal aria-hidden="true" />
          {words.runWithChanges}
        </LinkButton>
      </section>
    </>
  );
}
