// A node with everything that matters for a run: its links and their types, its values, what it costs, and what it made.
import { Handle, type NodeProps, Position } from "@xyflow/react";
import type { ReactNode } from "react";
import { uiViewers } from "#strings/ui/viewers";
import { formatDuration } from "../figures.tsx";
import { useObjectUrl } from "../thumb.tsx";
import type { Direction } from "./graph-layout.ts";
import type { DrawnNode, NodeLook } from "./graph-nodes.ts";
import styles from "./node-card.module.css";
import { type Card, type CardPort, colourOf } from "./node-cards.ts";
import { Looks, stateWords } from "./node-looks.tsx";

const words = uiViewers.graph;

export function CardNode({ id, data, selected }: NodeProps<DrawnNode>): ReactNode {
  const { card, look, price, picture, made, direction } = data;
  if (card === null) return null;
  return (
    <div className={styles.card} data-node={id} data-state={look?.state} data-chosen={selected}>
      <Ends card={card} direction={direction} />
      <div className={styles.head} title={card.classType}>
        <span className={styles.title}>{card.title}</span>
        {price === null ? null : (
          <span className={styles.price} data-price>
            {price}
          </span>
        )}
      </div>
      <Ports card={card} />
      {card.values.length > 0 ? (
        <dl className={styles.values}>
          {card.values.map(({ name, text, isLong, isColor }) => (
            <div key={name} data-long={isLong}>
              <dt>{name}</dt>
              <dd title={text}>
                {isColor ? <i className={styles.swatch} style={{ background: text }} /> : null}
                {text}
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      {card.more > 0 ? <div className={styles.more}>{words.moreValues(card.more)}</div> : null}
      {card.hasPicture ? <Picture assetId={picture} made={made} /> : null}
      {card.hasFoot ? <Foot look={look} /> : null}
    </div>
  );
}

// Where links begin and end: at their rows, or above and below on a narrow screen.
function Ends({ card, direction }: { readonly card: Card; readonly direction: Direction }): ReactNode {
  const isDown = direction === "TB";
  const end = (type: "source" | "target", { name, y }: CardPort, at: number) => (
    <Handle
      key={`${type} ${name} ${at}`}
      id={type === "source" ? String(at) : name}
      type={type}
      position={type === "source" ? (isDown ? Position.Bottom : Position.Right) : isDown ? Position.Top : Position.Left}
      className={styles.end}
      style={isDown ? {} : { top: y }}
      isConnectable={false}
    />
  );
  return (
    <>
      {card.inputs.map((port, at) => end("target", port, at))}
      {card.outputs.map((port, at) => end("source", port, at))}
    </>
  );
}

function Ports({ card: { inputs, outputs } }: { readonly card: Card }): ReactNode {
  const rows = Math.max(inputs.length, outputs.length);
  if (rows === 0) return null;
  return (
    <div className={styles.ports}>
      {[inputs, outputs].map((ports, side) => (
        <ul key={side === 0 ? "in" : "out"} data-side={side === 0 ? "in" : "out"}>
          {ports.map(({ name, type, y }) => (
            <li key={y} title={type ?? undefined}>
              <i style={{ background: colourOf(type) }} />
              <span>{name}</span>
            </li>
          ))}
        </ul>
      ))}
    </div>
  );
}

function Picture({ assetId, made }: { readonly assetId: string | null; readonly made: number }): ReactNode {
  const url = useObjectUrl(assetId === null ? null : `/api/v2/assets/${assetId}/thumbnail`);
  return (
    <div className={styles.picture}>
      {url !== null && url !== "gone" ? <img src={url} alt="" data-node-picture /> : null}
      {made > 1 ? <span>{words.made(made)}</span> : null}
    </div>
  );
}

function Foot({ look }: { readonly look: NodeLook | null }): ReactNode {
  if (look === null) return <div className={styles.foot} />;
  return (
    <div className={styles.foot}>
      <Looks state={look.state} />
      <span>{stateWords(look)}</span>
      {look.ms === null ? null : <span className={styles.ms}>{formatDuration(look.ms)}</span>}
      {look.state === "running" ? (
        <i className={styles.share} style={{ width: `${Math.round(look.progress * 100)}%` }} />
      ) : null}
    </div>
  );
}
