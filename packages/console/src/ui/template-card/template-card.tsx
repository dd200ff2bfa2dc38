// A card of something to start from: its picture, what it is, and the two ways on.
import { parseJson } from "@atelier/sdk";
import { useMutation } from "@tanstack/react-query";
import { Link, type LinkProps, useNavigate } from "@tanstack/react-router";
import { Play } from "lucide-react";
import type { ReactNode } from "react";
import { templateCard as words } from "#strings/ui/template-card";
import { submitJob } from "../../api/jobs.ts";
import { isRecord } from "../../api/json-record.ts";
import { operations } from "../../api/operations.ts";
import { Button, buttonClass } from "../button.tsx";
import { toast, toastFault } from "../toast-store.ts";
import styles from "./template-card.module.css";

export function useSubmit(title: string, load: () => Promise<string>) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async () => {
      const workflow = parseJson(await load());
      return submitJob({ workflow: isRecord(workflow) ? workflow : {}, metadata: title }, crypto.randomUUID());
    },
    onSuccess: ({ id }) => {
      toast(words.submitted);
      void navigate({ to: "/console/jobs/$jobId", params: { jobId: id } });
    },
    onError: (thrown) => toastFault(thrown, words.notRun(title)),
  });
}

export function TemplateCard(props: {
  readonly title: string;
  readonly about?: string | undefined;
  readonly picture: ReactNode;
  readonly why?: string | null;
  readonly isBusy: boolean;
  // Absent: it can only be opened.
  readonly onRun?: () => void;
  readonly open: LinkProps;
  // What it needs here, and what it costs.
  readonly state?: ReactNode;
}): ReactNode {
  const { title } = props;
  return (
    <li className={styles.card} data-template={title}>
      <div className={styles.picture}>{props.picture}</div>
      <div className={styles.about}>
        <h3>{title}</h3>
        {props.about ? <p>{props.about}</p> : null}
      </div>
      {props.state ? <div className={styles.state}>{props.state}</div> : null}
      <div className={styles.actions}>
        {props.onRun ? (
          <Button
            does={operations.submitJob}
            small
            aria-label={words.runs(title)}
            disabled={props.isBusy}
            why={props.why}
            onClick={props.onRun}
          >
            <Play aria-hidden="true" />
            {props.isBusy ? words.starting : words.run}
          </Button>
        ) : null}
        <Link
          className={buttonClass(props.onRun ? { small: true, look: "quiet" } : { small: true })}
          aria-label={words.opens(title)}
          {...props.open}
        >
          {words.open}
        </Link>
      </div>
    </li>
  );
}
