// What the document contains before any script has run; the build writes it there. It is the frame of every page, exactly where
// the live one will appear, so that nothing moves; its links already work. Styles and `data-frame` decide what is visible: the
// server says which surface this is, and `bare` for visitors who have yet to sign in. It uses few fonts: each further size or
// weight takes a browser as long as the whole list of pages.

import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { app as words } from "#strings/app";
import { buttonClass } from "../ui/button-class.ts";
import kit from "../ui/kit.module.css";
import { Mark } from "./mark.tsx";
import { PageList } from "./page-list.tsx";
import styles from "./shell.module.css";

// Words that the build puts into the document and its script.
export const documentWords = words.document;

export function firstPaint(): string {
  return renderToStaticMarkup(
    <>
      <div className={styles.frame} data-first="frame">
        <PageList current={null} isShown={(entry) => !entry.operators} hasReference />
        <Bar />
        <div className={styles.page} aria-hidden="true">
          <div data-first="home">
            <Shapes count={2} />
          </div>
          <div data-first="page">
            <div className={kit.pageHead}>
              <div>
                <div data-first="title" />
              </div>
            </div>
            <div className={kit.panel} data-first="panel">
              <Shapes count={7} />
            </div>
          </div>
        </div>
      </div>
      <div className={styles.page} data-first="bare" aria-hidden="true">
        <div data-first="way">
          <div data-first="brand">
            <Mark />
            {words.name}
          </div>
          <div className={kit.pageHead}>
            <div>
              <div data-first="title" />
            </div>
          </div>
          <div className={kit.panel} data-first="panel">
            <Shapes count={3} />
          </div>
        </div>
      </div>
    </>,
  );
}

// Pictures of controls that cannot be pressed yet. Buttons are empty until their icons come.
function Bar(): ReactNode {
  const icon = buttonClass({ look: "quiet", iconOnly: true });
  return (
    <div className={styles.bar} aria-hidden="true">
      <div className={styles.burger}>
        <span className={icon} />
      </div>
      <strong className={styles.workspace} data-first="workspace">
        <span>{words.thisMachine}</span>
      </strong>
      <span className={styles.search} data-first="search">
        <span>{words.search}</span>
        <kbd>Ctrl K</kbd>
      </span>
      <span className={styles.state} />
      <span className={icon} />
      <span className={icon} data-cloud="true" />
    </div>
  );
}

function Shapes({ count }: { readonly count: number }): ReactNode {
  return [...new Array(count).keys()].map((number) => <i key={number} />);
}
