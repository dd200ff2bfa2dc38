// One suite for node classes over all surfaces: the same question has the same answer, whatever is behind it.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { NodeClass, NodeClassPage } from "@atelier/contract";
import { builtInClasses, describeClasses } from "@atelier/engine";
import { readExactJson } from "../foundation/json/exact-json.ts";
import { compileSchema } from "../foundation/json/schema.ts";
import { clientOf, jobSurfaces, submitTo } from "./jobs.fixture.ts";
import { aHouse, type Client, errorCode, type House, textOf, toRecord } from "./surfaces.fixture.ts";

const path = "/api/v2/node-classes";
const names = [...builtInClasses.keys()].sort((one, other) => (one < other ? -1 : 1));
// Changed by a test, read by the house.
const rules = { refused: new Set<string>() };
const namesIn = (value: unknown): string[] => {
  const { data } = toRecord(value);
  assert.ok(Array.isArray(data));
  return data.map((each) => textOf(toRecord(each)["name"]));
};

for (const [surfaceName, different] of Object.entries(jobSurfaces)) {
  describe(`node classes on the ${surfaceName} surface`, { timeout: 900_000 }, () => {
    let house: House;
    let client: Client;
    before(async () => {
      rules.refused.clear();
      house = await aHouse({
        policy: { refused: ({ classes }) => classes.filter((name) => rules.refused.has(name)) },
      });
      client = clientOf(house, different);
    });
    after(async () => {
      await client.close();
      await house.close();
    });
    const walk = async (first: string): Promise<string[]> => {
      const found: string[] = [];
      for (let next: unknown = first; next !== undefined; ) {
        const answer = await client.ask(textOf(next));
        assert.equal(answer.status, 200, answer.text);
        assert.deepEqual(compileSchema(NodeClassPage).violations(answer.json()), []);
        found.push(...namesIn(answer.json()));
        next = answer.json()["next"];
      }
      return found;
    };

    test("every class is listed once, by links alone, in the order of names", async () => {
      assert.deepEqual(await walk(`${path}?limit=60`), names);
      assert.equal(namesIn((await client.ask(path)).json()).length, 20);
    });

    test("GET /api/v2 links to every top-level resource, and every link works", async () => {
      const { version, urls } = (await client.ask("/api/v2")).json();
      assert.equal(version, "v2");
      const links = Object.entries(toRecord(urls)).map(([name, link]): [string, string] => [name, textOf(link)]);
      assert.equal(
        links.some(([name]) => name === "executed_workflow"),
        different.showsExecuted,
      );
      for (const [name, link] of links) {
        // The document belongs to the process, which is not part of this test.
        if (name === "openapi" || name === "executed_workflow") continue;
        // A method that no route has: 405 if the path exists, 404 if not.
        const answer = await client.ask(link, { method: "PROPFIND" });
        assert.equal(answer.status, 405, `${name} ${link}`);
      }
    });

    test("a seed ends at 2⁶⁴ − 1, to the last digit, and what is beyond is refused at submission", async () => {
      const withSeed = (seed: string) =>
        `{"workflow":{"1":{"class_type":"EmptyImage","inputs":{"width":8,"height":8,"batch_size":1,"color":0}},
          "2":{"class_type":"ImageAddNoise","inputs":{"image":["1",0],"seed":${seed},"strength":0.5}},
          "3":{"class_type":"SaveImage","inputs":{"images":["2",0],"filename_prefix":"x"}}}}`;
      const submit = (body: string) =>
        client.ask("/api/v2/jobs", { method: "POST", headers: { "content-type": "application/json" }, body });
      const most = await submit(withSeed("18446744073709551615"));
      assert.equal(most.status, 201, most.text);
      for (const seed of ["18446744073709551616", "18446744073709551616.0", "1.8446744073709551616e19"]) {
        const refused = await submit(withSeed(seed));
        assert.equal(refused.status, 422, seed);
        assert.match(refused.text, /Value 18446744073709551616 bigger than max of 18446744073709551615/);
      }
    });

    test("a class lists its inputs, outputs and where it runs; large integers are exact", async () => {
      const scale = await client.ask(`${path}/ImageScale`);
      const shown = scale.json();
      assert.deepEqual(compileSchema(NodeClass).violations(shown), []);
      assert.deepEqual(
        [shown["title"], shown["category"], shown["is_output"]],
        ["Upscale Image", "image/upscaling", false],
      );
      assert.deepEqual(shown["runs_on"], { engine: true, pools: [], application: false });
      assert.deepEqual(shown["outputs"], [{ name: "IMAGE", type: "IMAGE", is_list: false }]);
      const inputs = Array.isArray(shown["inputs"]) ? shown["inputs"].map(toRecord) : [];
      const named = (name: string) => inputs.find((input) => input["name"] === name);
      assert.deepEqual(named("image"), {
        name: "image",
        type: "IMAGE",
        is_required: true,
        is_link: true,
        is_file: false,
      });
      assert.deepEqual(named("crop")?.["choices"], ["disabled", "center"]);
      assert.deepEqual(
        [named("width")?.["min"], named("width")?.["max"], named("width")?.["default"]],
        [0, 16384, 512],
      );
      const model = await client.ask(`${path}/AtelierModelImage`);
      assert.match(model.text, /"name":"seed","type":"INT".*?"max":18446744073709551615[,}]/);
      const file = toRecord((await client.ask(`${path}/LoadImage`)).json());
      assert.equal(Array.isArray(file["inputs"]) && toRecord(file["inputs"][0])["is_file"], true);
    });

    test("format=object_info is the application's own shape, exactly as the engine describes its classes", async () => {
      const exact = describeClasses(builtInClasses, [], { isExact: true });
      const all = await client.ask(`${path}?format=object_info`);
      assert.deepEqual(readExactJson(all.text), exact);
      assert.ok(all.text.includes(":18446744073709551615"));
      const one = await client.ask(`${path}/ImageScale?format=object_info`);
      assert.deepEqual(one.json(), { ImageScale: exact["ImageScale"] });
      const some = await client.ask(`${path}?format=object_info&category=image/upscaling`);
      assert.deepEqual(Object.keys(some.json()).includes("ImageScale"), true);
      assert.equal(Object.keys(some.json()).includes("SaveImage"), false);
    });

    test("a search finds every word anywhere, the nearest name first, across pages", async () => {
      const [first, ...more] = await walk(`${path}?q=SCALE%20image&limit=2`);
      assert.equal(first, "ImageScale");
      assert.ok(more.includes("ImageScaleBy") && !more.includes("ImageInvert"));
      assert.equal(new Set(more).size, more.length);
      assert.deepEqual(
        await walk(`${path}?category=image/upscaling/&q=`),
        await walk(`${path}?category=IMAGE/upscaling`),
      );
      assert.ok((await walk(`${path}?category=image&limit=100`)).includes("ImageScale"), "what is below it, too");
      assert.deepEqual(await walk(`${path}?category=imag`), []);
      for (const q of ["%5B(*%2B%5C%00%1b%0a", "%F0%9F%98%80", ".*", "__proto__"])
        assert.deepEqual(await walk(`${path}?q=${q}`), []);
    });

    test("the same classes are the same bytes under one strong tag, also as HEAD and compressed", async () => {
      for (const target of [path, `${path}?q=scale`, `${path}?format=object_info`, `${path}/ImageScale`]) {
        const full = await client.ask(target);
        const tag = textOf(full.headers["etag"]);
        assert.match(tag, /^"[\w-]+"$/);
        assert.equal(full.headers["cache-control"], "private, no-cache");
        const again = await client.ask(target, { headers: { "if-none-match": `W/"x", ${tag}` } });
        assert.deepEqual([again.status, again.text, again.headers["etag"]], [304, "", tag]);
        const head = await client.ask(target, { method: "HEAD" });
        assert.deepEqual([head.status, head.text, head.headers["etag"]], [200, "", tag]);
      }
      const small = await client.ask(`${path}?format=object_info`, { headers: { "accept-encoding": "br" } });
      assert.equal(small.headers["content-encoding"], "br");
    });

    test("a class that may not run here is not there, and comes back when it may", async () => {
      const before = textOf((await client.ask(path)).headers["etag"]);
      rules.refused.add("AdjustContrast");
      assert.equal(errorCode(await client.ask(`${path}/AdjustContrast`)), "not_found");
      assert.equal((await client.ask(`${path}?format=object_info`)).text.includes('"AdjustContrast"'), false);
      const changed = await client.ask(path, { headers: { "if-none-match": before } });
      assert.equal(changed.status, 200);
      rules.refused.clear();
      assert.equal((await client.ask(path, { headers: { "if-none-match": before } })).status, 304);
    });

    test("bad input is refused by name in the envelope of v2, and unknown names are 404", async () => {
      const bad = {
        "?limit=x": "limit",
        "?cursor=v1.e30.aaaaaaaaaaaaaaaaaaaaaa": "cursor",
        "?limit=1&limit=2": "limit",
        "?format=xml": "format",
        "?format=object_info&limit=5": "limit",
        [`?q=${"a".repeat(201)}`]: "q",
        [`?q=${"a%5B".repeat(2500)}`]: "q",
        [`?category=${"a".repeat(10_000)}`]: "category",
      };
      for (const [query, field] of Object.entries(bad)) {
        const answer = await client.ask(`${path}${query}`);
        assert.deepEqual([answer.status, errorCode(answer)], [400, "invalid_request"], query.slice(0, 40));
        assert.ok(answer.text.includes(field), answer.text);
      }
      const foreign = textOf((await client.ask(`${path}?q=scale&limit=1`)).json()["next_cursor"]);
      assert.equal((await client.ask(`${path}?q=image&cursor=${foreign}`)).status, 400, "of another search");
      for (const name of [
        "No%2FSuch%20Class",
        "..%2Fjobs",
        "constructor",
        "__proto__",
        "%F0%9F%98%80",
        "x".repeat(2000),
      ])
        assert.equal(errorCode(await client.ask(`${path}/${name}`)), "not_found", name);
    });

    test("a refused graph names the nearest class, input and choice", async () => {
      const graphOf = (scale: object) => ({
        1: { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
        2: scale,
        3: { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "x" } },
      });
      const inputs = { image: ["1", 0], upscale_method: "bilinear", width: 4, height: 4, crop: "disabled" };
      const messageOf = async (scale: object) => {
        const answer = await submitTo(client, { workflow: graphOf(scale) });
        assert.deepEqual([answer.status, errorCode(answer)], [422, "invalid_workflow"], answer.text);
        return { text: answer.text, message: textOf(toRecord(answer.json()["error"])["message"]) };
      };
      const typo = await messageOf({ class_type: "ImagScale", inputs });
      assert.equal(
        typo.message,
        "Node 2 cannot run: Cannot execute because node ImagScale does not exist. Did you mean ImageScale? Unknown node classes: ImagScale.",
      );
      const { image: _image, ...rest } = inputs;
      const missing = await messageOf({ class_type: "ImageScale", inputs: { ...rest, imag: ["1", 0] } });
      assert.equal(
        missing.message,
        'Node 2 cannot run: Required input is missing: image. Did you misspell it as "imag"?',
      );
      assert.ok(missing.text.includes('"given_name":"imag"'));
      const choice = await messageOf({ class_type: "ImageScale", inputs: { ...inputs, upscale_method: "billinear" } });
      assert.equal(choice.message, 'Node 2 cannot run: Value not in list: upscale_method. Did you mean "bilinear"?');
      assert.ok(
        choice.text.includes('"did_you_mean":"bilinear"') && choice.text.includes('"type":"value_not_in_list"'),
      );
      const file = await messageOf({ class_type: "LoadImage", inputs: { image: "shots/my photo.png" } });
      assert.match(file.message, /^Node 2 cannot run: Custom validation failed for node: image\. Upload the file/);
      assert.ok(file.text.includes("-i '2.image=@my photo.png'") && file.text.includes("core/ASSET"), file.text);
    });

    test("a graph of 10,000 unknown classes is refused with at most a hundred of them named", async () => {
      const node = (index: number) => ({ class_type: `ImageScael${index}`, inputs: { image: [`${index}`, 0] } });
      const workflow = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [String(index), node(index)]));
      const answer = await submitTo(client, { workflow });
      assert.equal(errorCode(answer), "invalid_workflow");
      const { node_errors } = toRecord(toRecord(answer.json()["error"])["details"]);
      assert.equal(Object.keys(toRecord(node_errors)).length, 100);
      assert.match(answer.text, /Did you mean ImageScale\?/);
    });

    test("without a required credential nothing is revealed", async () => {
      const asked = surfaceName === "self-hosted" ? 200 : 401;
      assert.equal((await client.ask(path, {}, {})).status, asked);
      assert.equal((await client.ask(`${path}/ImageScale`, {}, {})).status, asked);
    });
  });
}
