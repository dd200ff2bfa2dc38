// Every code block in README and docs, as a reader pastes it: page by page, in order, in a fresh folder, against a server
// on a port that no page names. Blocks that cannot be run are in a reviewed list, with the reason.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { freePort } from "../../server/test/support/free-port.ts";
import { type ServerProcess, startServerProcess } from "../../server/test/support/server-process.ts";
import { notRun, touchesTheMachine } from "./support/blocks-not-run.ts";
import { checkout, temporaryFolder } from "./support/command-line.ts";
import { type Block, blocksIn, blocksOf, jsonValues, pages } from "./support/document-blocks.ts";
import { readPage } from "./support/reader-session.ts";

const folder = temporaryFolder();
const home = join(folder.path, "home");
const adminToken = "admin-token-of-the-reader-of-documents";
let server: ServerProcess;
let port: string;

before(async () => {
  port = String(await freePort());
  server = await startServerProcess({
    home,
    env: {
      ATELIER_PORT: port,
      ATELIER_SANDBOX: "auto",
      ATELIER_ADMIN_TOKEN: adminToken,
      // As docs/SELLING.md says.
      ATELIER_PAYMENTS_SECRET: "whsec_only_for_trying_it",
    },
  });
});
after(async () => {
  await server.kill("SIGTERM");
  folder.remove();
});

const all = pages.flatMap((page) => blocksOf(page));
const isListed = ({ page, text }: Block) => notRun.some((each) => each.page === page && text.startsWith(each.begins));
const isLeftOut = (block: Block) => isListed(block) || touchesTheMachine.test(block.text);
const runnable = new Set(["sh", "ts", "js", "python"]);
// Needs packages from an index; python.pack.test.ts installs them and runs the page, or says that it cannot.
const ranElsewhere = new Set(["docs/PYTHON.md"]);
// Shown but not run: data, settings, the shape of a message, a part of a page, and text that is not code.
const shown = new Set(["json", "ini", "toml", "yaml", "http", "html", "text"]);

describe("the blocks of the documents", () => {
  test("every block names its language, and every language has a check", () => {
    const strange = all.filter(({ language }) => !runnable.has(language) && !shown.has(language));
    assert.deepEqual(
      strange.map(({ page, line }) => `${page}:${line}`),
      [],
    );
    assert.ok(all.length > 120, `${all.length} blocks`);
  });

  test("each block that is not run is in the list once, with a reason, and the list has nothing else", () => {
    for (const { page, begins, why } of notRun) {
      const found = all.filter((block) => block.page === page && block.text.startsWith(begins));
      assert.equal(found.length, 1, `${page}: ${begins}`);
      assert.ok(why.length > 15, `${page}: ${begins}`);
    }
  });

  test("a block that would change the machine is in the list, and never runs before it is", () => {
    const forgotten = all.filter(
      (block) => block.language === "sh" && touchesTheMachine.test(block.text) && !isListed(block),
    );
    assert.deepEqual(
      forgotten.map(({ page, line }) => `${page}:${line}`),
      [],
    );
    for (const line of ["apt-get install -y x", "sudo true", "cp a /etc/b", "FILE=/var/lib/x y"])
      assert.match(line, touchesTheMachine);
  });

  test("no block that runs has a gap for the reader to fill", () => {
    const gaps = all
      .filter((block) => runnable.has(block.language) && !isLeftOut(block))
      .flatMap(({ page, line, text }) => {
        const code = text.replaceAll(/(^|\s)(#|\/\/).*$/gm, "");
        return /…|<[a-z]+( [a-z]+)* ?(id|name)?>/.test(code) ? [`${page}:${line}`] : [];
      });
    assert.deepEqual(gaps, []);
  });

  test("JSON is valid, and settings exist", () => {
    const known = readFileSync(join(checkout, ".env.example"), "utf8");
    for (const { page, line, language, text } of all) {
      if (language === "json") assert.doesNotThrow(() => jsonValues(text), `${page}:${line}`);
      if (language !== "ini") continue;
      for (const [, name = ""] of text.matchAll(/^(ATELIER_[A-Z_]+)=/gm))
        assert.ok(name.startsWith("ATELIER_PROVIDER") || known.includes(`${name}=`), `${page}:${line}: ${name}`);
    }
  });

  test("no page names the port of a server that may use another", () => {
    const named = all.filter(
      (block) => runnable.has(block.language) && !isLeftOut(block) && /127\.0\.0\.1:808[01]/.test(block.text),
    );
    assert.deepEqual(
      named.map(({ page, line }) => `${page}:${line}`),
      [],
    );
  });

  test("a block that does not end, and one in another language, would be found", () => {
    assert.throws(() => blocksIn("a.md", "```sh\nls\n"), /does not end/);
    const [block] = blocksIn("a.md", "text\n```json film.json\n{}\n```\n");
    assert.deepEqual(block, { page: "a.md", line: 2, language: "json", file: "film.json", text: "{}\n" });
    assert.deepEqual(jsonValues('{"a": 1}\n{"b":\n 2}\n'), [{ a: 1 }, { b: 2 }]);
    assert.throws(() => jsonValues('{"a": }'));
  });
});

// What a page's session must have printed, besides ending well.
const says: Readonly<Record<string, readonly RegExp[]>> = {
  "README.md": [/first-picture_00001_\.png/, /idempotent-replayed|HTTP\/1\.1 200/i],
  "docs/guides/calling.md": [/"hash":"blake3:/],
  "docs/guides/publishing.md": [/NodeVersionStatusActive|active/],
  "docs/guides/agents.md": [/"run_workflow"/],
  "docs/SDK.md": [/sandbox\/image-1/, /18446744073709551615n/, /TYPED/, /succeeded/, /hello/, /COMPLETED/, /width/],
  "docs/REGISTRY.md": [/NodeVersionStatusActive/],
  "docs/SELLING.md": [/"state":"applied"/, /T-0001/, /Wrote invoice\.pdf/],
  "docs/SELF-HOSTED.md": [/application-picture_00001_\.png/],
};

describe("as a reader pastes it", { concurrency: 2 }, () => {
  for (const page of pages.filter((each) => !ranElsewhere.has(each))) {
    const blocks = blocksOf(page).filter(
      (block) => !isLeftOut(block) && (runnable.has(block.language) || block.file !== null),
    );
    if (!blocks.some(({ language }) => runnable.has(language))) continue;
    test(page, async () => {
      const ports: Record<string, number> = {};
      for (const port of ["8188", "8189", "8765", "8090"]) ports[port] = await freePort();
      const { out, problems } = await readPage(blocks, {
        folder: join(folder.path, page.replaceAll(/\W+/g, "-")),
        home,
        ports,
        env: {
          // As README says for a machine where the default port is taken.
          ATELIER_PORT: port,
          ATELIER_ADMIN_TOKEN: adminToken,
          // `atelier open` opens nothing here.
          BROWSER: "true",
          ATELIER_SANDBOX_APPLICATION_PORT: String(ports["8188"]),
          ATELIER_APPLICATION_URL: `http://127.0.0.1:${ports["8188"]}`,
          ATELIER_PROXY_PORT: String(ports["8189"]),
        },
      });
      assert.deepEqual(problems, [], out.slice(-3000));
      for (const word of says[page] ?? []) assert.match(out, word);
    });
  }
});
