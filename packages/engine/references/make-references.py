"""Writes the reference values that the engine's tests compare with, bit for bit.

    python make-references.py --application /path/to/the/application [--write | --check]

The judge is the application itself: its node functions are called, nothing of it is rewritten here. It is run on the
processor (`--cpu`) with the libraries that are installed; their versions go into the files. Inputs are not stored: both
sides make them from a seed (`values_of` here, `reference-inputs.ts` there). Pictures are stored as the beginning of a
hash of their 32-bit floats; where the engine is known to differ, as the floats themselves, so that the test can say by
how much.
"""

import argparse
import asyncio
import base64
import hashlib
import importlib
import json
import os
import pathlib
import platform
import re
import sys
import warnings

# The commonest machine. Where a processor has wider vectors, its libraries take square roots and exponentials less exactly.
os.environ.update({"MKL_CBWR": "AVX2", "ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2"})

here = pathlib.Path(__file__).resolve().parent


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--application", required=True, type=pathlib.Path)
    parser.add_argument("--check", action="store_true", help="compare with what stands in the tree, write nothing")
    return parser.parse_args()


given = arguments()
extras = next(given.application.glob("*_extras")).name
package = extras.removesuffix("_extras")
sys.argv = ["main.py", "--cpu"]
sys.path.insert(0, str(given.application))
importlib.import_module("utils.install_util")
importlib.import_module(f"{package}.options").enable_args_parsing()
warnings.filterwarnings("ignore")

import numpy  # noqa: E402
import torch  # noqa: E402

from cases import all_cases, newer_cases  # noqa: E402
from random_graphs import graph_hashes  # noqa: E402

# With a single thread the application interpolates by other code, which rounds differently.
torch.set_num_threads(4)


def application_classes():
    nodes = importlib.import_module("nodes")
    classes = dict(nodes.NODE_CLASS_MAPPINGS)
    names = dict(nodes.NODE_DISPLAY_NAME_MAPPINGS)
    files = sorted((given.application / extras).glob("nodes_*.py"))
    # This one first: two of them import each other.
    for file in sorted(files, key=lambda file: file.stem != "nodes_post_processing"):
        module = importlib.import_module(f"{extras}.{file.stem}")
        if hasattr(module, "NODE_CLASS_MAPPINGS"):
            classes.update(module.NODE_CLASS_MAPPINGS)
            names.update(getattr(module, "NODE_DISPLAY_NAME_MAPPINGS", {}))
        elif hasattr(module, f"{package}_entrypoint"):
            for node in asyncio.run(listed(getattr(module, f"{package}_entrypoint"))):
                schema = node.GET_SCHEMA()
                classes[schema.node_id] = node
                names[schema.node_id] = schema.display_name or schema.node_id
    return classes, names


async def listed(entrypoint):
    extension = entrypoint()
    if asyncio.iscoroutine(extension):
        extension = await extension
    return await extension.get_node_list()


classes, display_names = application_classes()
# Of the two versions that the engine follows.
is_newer = int(importlib.import_module(f"{package}ui_version").__version__.split(".")[1]) >= 30


def draws(seed, count):
    """The generator of both sides: 24 bits a draw."""
    state = seed & 0xFFFFFFFF
    out = numpy.empty(count, dtype=numpy.int64)
    for index in range(count):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        out[index] = state >> 8
    return out


def values_of(kind, seed, shape):
    drawn = draws(seed, int(numpy.prod(shape)))
    if kind == "levels":
        values = (drawn >> 16) / 255
    elif kind == "smooth":
        values = drawn / 2**24
    elif kind == "signed":
        values = drawn / 2**23 - 1
    elif kind == "wide":
        values = (drawn / 2**24 - 0.5) * 8
    elif kind == "photo":
        at = numpy.arange(drawn.size)
        channel, x, y = at % shape[-1], at // shape[-1] % shape[-2], at // shape[-1] // shape[-2]
        values = ((x * 5 + y * (3 + channel * 2) + (x * y >> 3) + (drawn >> 19)) & 255) / 255
    elif kind == "spots":
        values = (drawn >> 22 == 0) * 1.0
    else:
        raise ValueError(kind)
    return torch.from_numpy(values.astype(numpy.float32).reshape(shape))


def made(value):
    """What a case writes as {"image": [kind, seed, …shape]} becomes a tensor; everything else stays."""
    if isinstance(value, torch.Tensor):
        return value
    if isinstance(value, str) and re.fullmatch(r"\d+n", value):
        return int(value[:-1])
    if not isinstance(value, dict) or len(value) == 0:
        return value
    name, spec = next(iter(value.items()))
    if name in ("image", "mask"):
        return values_of(spec[0], spec[1], spec[2:])
    if name == "latent":
        latent = {"samples": values_of(spec[0], spec[1], spec[2:])}
        if "noise_mask" in value:
            mask = value["noise_mask"]
            latent["noise_mask"] = values_of(mask[0], mask[1], mask[2:])
        if "batch_index" in value:
            latent["batch_index"] = list(value["batch_index"])
        return latent
    if name == "audio":
        return {"waveform": values_of(spec[0], spec[1], spec[3:]), "sample_rate": spec[2]}
    if name == "list":
        return [made(item) for item in spec]
    if name == "operation":
        return run_class(spec[0], spec[1])[0]
    return value


def run_class(name, inputs):
    node = classes[name]
    values = {}
    for key, value in inputs.items():
        outer, dot, inner = key.partition(".")
        if dot:
            values.setdefault(outer, {})
            if not isinstance(values[outer], dict):
                values[outer] = {outer: values[outer]}
            values[outer][inner] = made(value)
        elif f"{key}." in "".join(f"{other} " for other in inputs if other.startswith(f"{key}.")):
            values[key] = {key: value, **values.get(key, {})}
        else:
            values[key] = made(value)
    if getattr(node, "INPUT_IS_LIST", False):
        values = {key: value if isinstance(value, list) else [value] for key, value in values.items()}
    if hasattr(node, "GET_SCHEMA"):
        node = node.PREPARE_CLASS_CLONE({})
        answer = node.EXECUTE_NORMALIZED(**values)
        return answer.result or ()
    answer = getattr(node(), node.FUNCTION)(**values)
    return answer


def told(value, as_floats=False):
    """An output as it stands in the file."""
    if isinstance(value, torch.Tensor):
        floats = value.detach().contiguous().to(torch.float32).numpy()
        entry = {"shape": list(floats.shape)}
        if as_floats:
            entry["floats"] = base64.b64encode(floats.astype("<f4").tobytes()).decode()
        else:
            entry["hash"] = hashlib.sha256(floats.astype("<f4").tobytes()).hexdigest()[:16]
        return entry
    if isinstance(value, dict) and "samples" in value:
        entry = {"latent": told(value["samples"], as_floats)}
        if "noise_mask" in value:
            entry["noise_mask"] = told(value["noise_mask"], as_floats)
        if "batch_index" in value:
            entry["batch_index"] = list(value["batch_index"])
        return entry
    if isinstance(value, dict) and "waveform" in value:
        return {"audio": told(value["waveform"], as_floats), "sample_rate": value["sample_rate"]}
    if isinstance(value, list):
        return {"list": [told(item, as_floats) for item in value]}
    if isinstance(value, bool) or value is None:
        return {"value": value}
    if isinstance(value, int):
        return {"value": value if abs(value) < 2**53 else f"{value}n"}
    if isinstance(value, (float, str)):
        return {"value": value}
    raise TypeError(type(value))


def judged(case):
    try:
        answer = run_class(case["class"], case["inputs"])
    except (ValueError, RuntimeError, AssertionError, IndexError, TypeError) as error:
        if not case.get("fails") and not is_newer:
            raise RuntimeError(f"{case['class']} {case['inputs']}") from error
        return {**case, "fails": True, "outputs": []}
    if case.get("fails"):
        if not is_newer:
            raise RuntimeError(f"{case} did not fail")
        case = {key: value for key, value in case.items() if key != "fails"}
    return {**case, "outputs": [told(value, "floats" in case) for value in answer]}


def config_of(value):
    """One input of a definition, without the sentences."""
    kind, *rest = value
    options = dict(rest[0]) if rest else {}
    for unwanted in ("tooltip", "remote", "socketless", "placeholder", "multiselect"):
        options.pop(unwanted, None)
    choices = options.pop("options", [])
    if kind == "COMFY_DYNAMICCOMBO_V3".replace("COMFY", package.upper()):
        options["options"] = [
            {
                "key": choice["key"],
                "inputs": {
                    part: {name: config_of(of) for name, of in inputs.items()}
                    for part, inputs in choice["inputs"].items()
                    if inputs or part == "required"
                },
            }
            for choice in choices
        ]
    if isinstance(kind, (list, tuple)):
        kind = list(kind)
    elif kind == "COMBO":
        kind = list(choices)
    return [kind, {key: big(item) for key, item in sorted(options.items())}]


def big(value):
    return f"{value}n" if isinstance(value, int) and abs(value) >= 2**53 else value


def definition_of(name):
    node = classes[name]
    inputs = node.INPUT_TYPES()
    outputs = [kind if isinstance(kind, str) else "COMBO" for kind in node.RETURN_TYPES or ()]
    return {
        "required": [[key, config_of(value)] for key, value in inputs.get("required", {}).items()],
        "optional": [[key, config_of(value)] for key, value in inputs.get("optional", {}).items()],
        "output": outputs,
        "output_name": list(getattr(node, "RETURN_NAMES", None) or outputs),
        "output_is_list": [bool(item) for item in getattr(node, "OUTPUT_IS_LIST", None) or [False] * len(outputs)],
        "input_is_list": bool(getattr(node, "INPUT_IS_LIST", False)),
        "display_name": display_names.get(name, name),
        "category": node.CATEGORY,
        "output_node": bool(getattr(node, "OUTPUT_NODE", False)),
        "deprecated": bool(getattr(node, "DEPRECATED", False)),
        "experimental": bool(getattr(node, "EXPERIMENTAL", False)),
    }


def versions():
    names = {"torch": "torch", "numpy": "numpy", "pillow": "PIL", "scipy": "scipy", "kornia": "kornia", "torchaudio": "torchaudio"}
    found = {}
    for name, module in names.items():
        found[name] = importlib.import_module(module).__version__.split("+")[0]
    found["application"] = importlib.import_module(f"{package}ui_version").__version__
    found["python"] = platform.python_version()
    found["instructions"] = torch.backends.cpu.get_cpu_capability()
    return found


def written(name, content):
    lines = [f'"versions": {json.dumps(versions())}']
    for key, value in content.items():
        if isinstance(value, dict):
            inner = ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in value.items())
            lines.append(f'{json.dumps(key)}: {{\n{inner}\n}}')
        else:
            inner = ",\n".join(json.dumps(v) for v in value)
            lines.append(f"{json.dumps(key)}: [\n{inner}\n]")
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    target = here / name
    if not given.check:
        target.write_text(text)
    elif json.loads(target.read_text()) != json.loads(text):
        print(f"{name} differs")
        sys.exit(1)
    print(name, len(text))


def standing(name):
    return json.loads((here / name).read_text())


def differing(key, made, name):
    """What the newer version makes otherwise than the older one's file says."""
    return [one for one, other in zip(made, standing(name)[key], strict=True) if one != other]


if is_newer:
    # Only what is not as in the older version; both are made from the same cases.
    cases = [case for group, all_of in all_cases().items() for case in differing("cases", [judged(one) for one in all_of], f"{group}.json")]
    older = standing("definitions.json")["definitions"]
    described = {name: definition_of(name) for name in older}
    graphs = graph_hashes(run_class, told, made)
    old_graphs = standing("random-graphs.json")["graphs"]
    content = {
        "cases": cases,
        "only": [judged(case) for case in newer_cases()],
        "definitions": {name: of for name, of in described.items() if of != older[name]},
        "graphs": [[seed, *one] for seed, (one, other) in enumerate(zip(graphs, old_graphs, strict=True), 1) if one != other],
    }
    written("application-0.30.json", content)
    sys.exit(0)
for group, cases in all_cases().items():
    written(f"{group}.json", {"cases": [judged(case) for case in cases]})
names = json.loads((here / "covered-classes.json").read_text())
written("definitions.json", {"definitions": {name: definition_of(name) for name in names}})
written("random-graphs.json", {"graphs": graph_hashes(run_class, told, made)})
