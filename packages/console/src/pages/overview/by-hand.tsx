// The same as a command, for those who have come to write programs.
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { overview } from "#strings/overview";
import { configQuery } from "../../api/config.ts";
import { LinkButton } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/copy.tsx";
import kit from "../../ui/kit.module.css";
import { Panel } from "../../ui/panel.tsx";
import { Rich } from "../../ui/text/rich.tsx";
import styles from "./overview.module.css";
import { sampleCurl } from "./snippets.ts";

const words = overview.terminal;

export function ByHand({ model }: { readonly model: string }): ReactNode {
  const { data: config } = useQuery(configQuery);
  return (
    <Panel title={words.title}>
      <div className={styles.byHand}>
        <CodeBlock
          wrap
          label={words.curl}
          code={sampleCurl(config?.base_url ?? location.origin, model, words.prompt)}
        />
        <p className={kit.soft}>
          <Rich
            text={words.key}
            keys={
              <LinkButton small look="quiet" to="/profile/api-keys">
                {words.keys}
              </LinkButton>
            }
          />
        </p>
      </div>
    </Panel>
  );
}
