import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { slowness, threadMs } from "../../../../test/support/yardstick.ts";
import { applyPathRules, applySourceRules, importsTests, isTest } from "./apply-rules.ts";
import { builtInRules } from "./built-in-rules.ts";
import { viewJavaScript } from "./javascript-source.ts";
import { viewPython } from "./python-source.ts";

function found(name: string, source: string, testsAreUsed = false): string[] {
  return applySourceRules(builtInRules, { name, source }, { testsAreUsed }).map(({ code, line }) => `${code} ${line}`);
}
const python = (source: string) => found("a.py", source);
const javascript = (source: string) => found("a.js", source);

describe("in Python", () => {
  test("code that runs text is found at its line", () => {
    assert.deepEqual(python("x = 1\n\neval(x)\n"), ["python_eval 3"]);
    assert.deepEqual(python("exec (y)"), ["python_eval 1"]);
    assert.deepEqual(python("eval\\\n(x)"), ["python_eval 1"]);
    assert.deepEqual(python("f'{eval(x)}'"), ["python_eval 1"]);
    assert.deepEqual(python('f"{a["b"]} {exec(c)}"'), ["python_eval 1"]);
    assert.deepEqual(python("ｅｖａｌ(x)"), ["python_eval 1"]);
    assert.deepEqual(python("builtins.exec(x)"), ["python_eval 1"]);
    assert.deepEqual(python("run = eval\nrun(x)"), ["python_eval_hidden 1"]);
    assert.deepEqual(python('getattr(builtins, "ev" + "al")(x)'), ["python_eval_hidden 1"]);
    assert.deepEqual(python('__import__("os").system(x)'), ["python_eval_hidden 1"]);
    assert.deepEqual(python('exec(compile(text, "f", "exec"))'), ["python_eval 1", "python_compile 1"]);
  });

  test("what only looks like it is not: comments, strings, methods, names, patterns", () => {
    const innocent = [
      "# eval(x)",
      'print("do not eval(x) or exec(y)")',
      '"""\neval(x)\nsubprocess.run(["pip", "install", "x"])\n"""',
      "r'\\' eval(x)'",
      "model.eval()",
      "self.exec(x)",
      "ast.literal_eval(x)",
      "def eval(x): pass",
      'pattern = re.compile(r"exec")',
      "f'{{eval(x)}}'",
      'message = (\n  "pip install "\n  "things"\n)',
      "subprocess.run(['ffmpeg', '-i', path])",
    ];
    for (const source of innocent) assert.deepEqual(python(source), [], source);
  });

  test("installs by subprocess are found, with the words in strings and over several lines", () => {
    const install = "python_subprocess_install";
    assert.deepEqual(python('subprocess.check_call([sys.executable, "-m", "pip", "install", "x"])'), [`${install} 1`]);
    assert.deepEqual(python("subprocess.run(\n  [\n    'uv',\n    'pip',\n    'install',\n    '-q',\n  ]\n)"), [
      `${install} 1`,
    ]);
    assert.deepEqual(python('os.system(f"{sys.executable} -m pip install {name}")'), [
      `${install} 1`,
      "python_shell_command 1",
    ]);
    assert.deepEqual(python('subprocess.Popen("curl http://x | sh", shell=True)'), [
      `${install} 1`,
      "python_shell_subprocess 1",
    ]);
    assert.deepEqual(python("from pip._internal import main"), ["python_pip_inside 1"]);
  });

  test("hidden programs are found", () => {
    assert.deepEqual(python("code = marshal.loads(data)"), ["python_marshalled_code 1"]);
    const encoded = `data = "${"QUJD".repeat(600)}"\n`;
    assert.deepEqual(python(`${encoded}base64.b64decode(data)`), ["python_encoded_program 1"]);
    assert.deepEqual(python(encoded), []);
    assert.deepEqual(python("# -*- coding: rot13 -*-\nriny(k)"), ["python_source_encoding 1"]);
    assert.deepEqual(python("# -*- coding: utf-8 -*-\n"), []);
  });

  test("the network at import is found, and later use is not", () => {
    const rule = "python_network_at_import";
    assert.deepEqual(python("import requests\nrequests.get(url)"), [`${rule} 2`]);
    assert.deepEqual(python("class A:\n    x = urllib.request.urlopen(u)"), [`${rule} 2`]);
    assert.deepEqual(python("if True:\n    requests.get(url)"), [`${rule} 2`]);
    assert.deepEqual(python("def f(\n  a,\n):\n    requests.get(a)\n\nrequests.post(u)"), [`${rule} 6`]);
    const later = [
      "def f():\n    return requests.get(url)",
      "async def f():\n    if x:\n        requests.get(url)",
      "class A:\n    def f(self):\n        text = '''\nx\n'''\n        requests.get(url)",
      "if __name__ == '__main__':\n    requests.get(url)",
      "f = lambda: requests.get(url)",
    ];
    for (const source of later) assert.deepEqual(python(source), [], source);
  });
});

describe("in JavaScript", () => {
  test("code that runs text is found, also where names are escaped or hidden in templates and comments", () => {
    for (const source of [
      "eval(x)",
      "window.eval(x)",
      "(0, eval)(x)",
      "new Function('a', b)",
      "\\u0065val(x)",
      "eval/* now */(x)",
      "`$".concat("{eval(x)}`"),
      "`$".concat("{`$", "{eval(x)}`}`"),
      "a = b / c; eval(x); d = e / f",
      "f(a) / 2; eval('/')",
      "x = {} / eval('y') / 2",
      "i++ / eval(x) / 1",
      "if (a) /'/.test(b); eval(x)",
    ]) {
      assert.deepEqual(javascript(source), ["javascript_eval 1"], source);
    }
    assert.deepEqual(javascript("setTimeout('go()', 1)"), ["javascript_timer_text 1"]);
  });

  test("what only looks like it is not: comments, strings, patterns, methods", () => {
    for (const source of [
      "// eval(x)",
      "/* eval(x)\n eval(y) */",
      "'eval(x)'",
      '"don\\"t eval(x)"',
      "`eval(x)`",
      "const a = /eval(x)/;",
      "return /['\"`] eval(x)/.test(y)",
      "model.eval()",
      "setTimeout(() => go(), 1)",
      "isFunction(x)",
      "regex.exec(text)",
      "db.exec('select 1')",
    ]) {
      assert.deepEqual(javascript(source), [], source);
    }
  });

  test("installs, scrambled sources and programs out of numbers are found", () => {
    assert.deepEqual(javascript("execSync('npm install left-pad')"), ["javascript_subprocess_install 1"]);
    assert.deepEqual(javascript("\nvar _0x12ab = 1;".repeat(10)), ["javascript_obfuscated 2"]);
    assert.deepEqual(javascript("var _0x12ab = 1;".repeat(9)), []);
    assert.deepEqual(javascript(`String.fromCharCode(${"101, ".repeat(40)}1)`), ["javascript_characters 1"]);
  });

  test("other servers at import are found; later use and our own server are not", () => {
    const rule = "javascript_network_at_import";
    assert.deepEqual(javascript("fetch('https://x.example/a')"), [`${rule} 1`]);
    assert.deepEqual(javascript("(async () => {\n  await fetch(`https://x.example`);\n})();"), [`${rule} 2`]);
    assert.deepEqual(javascript("if (a) { new WebSocket('wss://x.example') }"), [`${rule} 1`]);
    for (const source of [
      "fetch('/api/things')",
      "function f() { return fetch('https://x.example') }",
      "const f = async () => fetch('https://x.example');",
      "class A { load(a) { fetch('https://x.example') } }",
      "app.on('x', () => { fetch('https://x.example') })",
    ]) {
      assert.deepEqual(javascript(source), [], source);
    }
  });
});

describe("tests of a pack", () => {
  test("are spared", () => {
    for (const name of ["tests/a.py", "test_a.py", "a_test.py", "conftest.py", "web/__tests__/a.js", "a.spec.ts"]) {
      assert.ok(isTest(name), name);
      assert.deepEqual(found(name, "eval(x)"), []);
    }
    for (const name of ["latest.py", "contest/a.py", "protest_a.py"]) assert.ok(!isTest(name), name);
  });

  test("are not spared when the program imports them", () => {
    for (const source of ["from .tests import x", "import pack.tests.run", "from .test_a import go"]) {
      assert.ok(importsTests({ name: "__init__.py", source }), source);
    }
    assert.ok(importsTests({ name: "a.js", source: "import x from './tests/x.js'" }));
    assert.ok(!importsTests({ name: "a.py", source: "# from tests import x\nfrom latest import y" }));
    assert.deepEqual(found("tests/a.py", "eval(x)", true), ["python_eval 1"]);
  });
});

test("folders of a version control and .pth files are named by their paths, in tests too", () => {
  const names = [
    ".git/config",
    "sub/.git",
    "a/.hg/hgrc",
    "b.pth",
    "tests/c.PTH",
    ".github/x.yml",
    ".gitignore",
    "git/a.py",
    "d.pt",
  ];
  const codes = applyPathRules(builtInRules, names).map(({ code, file }) => `${code} ${file}`);
  assert.deepEqual(codes, [
    "version_control_folder .git/config",
    "version_control_folder sub/.git",
    "version_control_folder a/.hg/hgrc",
    "python_path_file b.pth",
    "python_path_file tests/c.PTH",
  ]);
});

test("compiled code and archives are named by their paths", () => {
  const names = ["a.so", "b/C.DLL", "x.zip", "a.py", "tests/data.zip"];
  const codes = applyPathRules(builtInRules, names).map(({ code, file }) => `${code} ${file}`);
  assert.deepEqual(codes, ["compiled_code a.so", "compiled_code b/C.DLL", "archive_inside x.zip"]);
});

test("the views of any source have its lines, and strings are never longer than it", () => {
  const pieces = fc.constantFrom(
    ...["'", '"', '"""', "`", "${", "}", "{", "f'", "\\", "/", "//", "/*", "*/", "#", "\n", "x", "(", ")", " ", "é"],
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      const source = parts.join("");
      for (const view of [viewPython(source), viewJavaScript(source)]) {
        assert.equal(view.code.length, view.text.length);
        assert.equal(view.code.split("\n").length, source.split("\n").length);
      }
    }),
  );
});

test("sources that are made to be slow are read in the time of their length", () => {
  const sources = [
    "\n".repeat(1_000_000),
    `"""${"a\n".repeat(500_000)}!"""\nb64decode(x) # test`,
    "subprocess.run(".repeat(50_000),
    "a=>".repeat(300_000),
    "f'{".repeat(100_000),
    "`$".concat("{").repeat(100_000),
    "fetch('https://x.example');function f(){}".repeat(20_000),
    `import ${"a,".repeat(500_000)} # test`,
    "(".repeat(500_000),
  ];
  // Quadratic reading would take minutes.
  const secondsMax = 5;
  const slow = slowness();
  for (const source of sources) {
    for (const name of ["a.py", "a.js"]) {
      const before = threadMs();
      importsTests({ name, source });
      applySourceRules(builtInRules, { name, source }, { testsAreUsed: false });
      const ms = threadMs() - before;
      assert.ok(ms < secondsMax * 1000 * slow, `${name} ${source.slice(0, 20)} took ${ms} ms of processor time`);
    }
  }
});
