// What a model makes, at a glance. The sandbox's models show what they made (scripts/model-samples.ts); the others a quiet shape
// in a colour of their own, drawn from the id.
import type { ReactNode } from "react";
import type { ModelKind } from "../../../api/models.ts";
import { kindLooks } from "./kind-looks.ts";
import styles from "./models.module.css";
import made from "./samples/made.json";

const pictures = import.meta.glob<string>("./samples/*.webp", { query: "?url", import: "default", eager: true });
const texts: Readonly<Record<string, string>> = made.texts;
const waves: Readonly<Record<string, readonly number[]>> = made.waves;

export function Sample({ id, kind }: { readonly id: string; readonly kind: ModelKind }): ReactNode {
  const picture = pictures[`./samples/${id.replace("/", "-")}.webp`];
  if (picture) return <img src={picture} alt="" width={480} height={300} loading="lazy" decoding="async" />;
  const text = texts[id];
  if (text) return <blockquote className={styles.quote}>{text}</blockquote>;
  const number = numberOf(id);
  const hue = number % 360;
  return (
    <div
      className={styles.shape}
      data-kind={kind}
      aria-hidden="true"
      style={{ "--hue": String(hue), "--turn": `${(number >>> 9) % 180}deg` } as object}
    >
      {kind === "audio" ? <Wave peaks={waves[id] ?? peaksOf(number)} /> : <Icon kind={kind} />}
    </div>
  );
}

function Icon({ kind }: { readonly kind: ModelKind }): ReactNode {
  const { icon: Shape } = kindLooks[kind];
  return <Shape />;
}

function Wave({ peaks }: { readonly peaks: readonly number[] }): ReactNode {
  return (
    <svg className={styles.wave} viewBox={`0 0 ${peaks.length * 3} 40`} preserveAspectRatio="none" aria-hidden="true">
      {peaks.map((peak, at) => {
        const height = Math.max(1.5, peak * 36);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an entry is its position
          <rect key={at} x={at * 3 + 0.5} y={20 - height / 2} width={2} height={height} rx={1} fill="currentColor" />
        );
      })}
    </svg>
  );
}

function numberOf(text: string): number {
  let number = 2_166_136_261;
  for (const letter of text) number = Math.imul(number ^ (letter.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return number;
}

// A calm swell for a sound that has not been made yet.
function peaksOf(seed: number): readonly number[] {
  return Array.from({ length: 56 }, (_, at) => {
    const swell = Math.sin((at / 56) * Math.PI);
    return swell * (0.35 + 0.5 * Math.abs(Math.sin(at * 0.9 + (seed % 7)) * Math.cos(at * 0.37 + (seed % 11))));
  });
}
