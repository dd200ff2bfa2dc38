// Two rows of small pictures: what this person made, and the examples of the work.
import type { ModelDetail } from "@atelier/sdk";
import { File, Film, Volume2 } from "lucide-react";
import type { ReactNode } from "react";
import { runWork as words } from "#strings/works/run";
import kit from "../../ui/kit.module.css";
import styles from "./run-work.module.css";
import type { Made, Shown } from "./runs.ts";

export type WorkExample = NonNullable<ModelDetail["examples"]>[number];

export function MadeStrip(props: {
  readonly made: readonly Made[];
  readonly shown: Made | null;
  readonly isLink: boolean;
  readonly onShow: (made: Made) => void;
}): ReactNode {
  if (props.made.every(({ id }) => id === props.shown?.id)) return null;
  const { title, hint } = props.isLink ? words.history.ofTab : words.history.ofMember;
  return (
    <section className={styles.strip}>
      <h2>{title}</h2>
      <p className={kit.soft}>{hint}</p>
      <ul>
        {props.made.map((made, at) => (
          <li key={made.id}>
            <button
              type="button"
              aria-label={words.entry(props.made.length - at)}
              aria-pressed={made.id === props.shown?.id}
              onClick={() => props.onShow(made)}
            >
              <SmallMedium medium={made.media[0]} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function SmallMedium({ medium }: { readonly medium: Shown | undefined }): ReactNode {
  if (medium?.kind === "image") return <img src={medium.url} alt="" loading="lazy" />;
  const Icon = medium?.kind === "video" ? Film : medium?.kind === "audio" ? Volume2 : File;
  return (
    <span className={styles.icon}>
      <Icon aria-hidden="true" />
    </span>
  );
}

export function ExampleStrip(props: {
  readonly examples: readonly WorkExample[];
  readonly onTry: (example: WorkExample, position: number) => void;
}): ReactNode {
  if (props.examples.length === 0) return null;
  return (
    <section className={styles.strip}>
      <h2>{words.examples}</h2>
      <ul>
        {props.examples.map((example, at) => {
          const title = example.title ?? words.example(at + 1);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: an entry is its position
            <li key={at}>
              <button type="button" title={words.tryExample(title)} onClick={() => props.onTry(example, at + 1)}>
                <SmallMedium medium={shownAt(example.urls[0])} />
                <span className={styles.caption}>{title}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

// Without a type; most works make pictures, and what is none shows its name.
const shownAt = (url: string | undefined): Shown | undefined =>
  url === undefined ? undefined : { url, kind: "image", name: "" };
