"""Random graphs, drawn on both sides from the same seeds; of each only the beginning of a hash of its result is kept.

A graph begins with two pictures and two masks. Each further node takes its inputs from what there is and its parameters
from `random-classes.json`. Its last value is the result. A node that fails in the application ends the graph before it.
"""

import json
import pathlib

graphs = 2000
lengths = (3, 4, 5, 6)


class Lots:
    def __init__(self, seed):
        self.state = (seed * 2654435761) & 0xFFFFFFFF

    def of(self, items):
        self.state = (self.state * 1664525 + 1013904223) & 0xFFFFFFFF
        return items[(self.state >> 8) % len(items)]


def graph_hashes(run_class, told, made):
    spec = json.loads((pathlib.Path(__file__).parent / "random-classes.json").read_text())
    return [graph_hash(seed, spec, run_class, told, made) for seed in range(1, graphs + 1)]


def graph_hash(seed, spec, run_class, told, made):
    lots = Lots(seed)
    pool = {"image": [], "mask": []}
    for index in range(2):
        height, width = lots.of(spec["sizes"])
        pool["image"].append(made({"image": [lots.of(spec["kinds"]), seed + index, 1, height, width, 3]}))
        height, width = lots.of(spec["sizes"])
        pool["mask"].append(made({"mask": ["levels", seed + index + 7, 1, height, width]}))
    last = None
    steps = 0
    for _ in range(lots.of(lengths)):
        name, choices = lots.of(spec["classes"])
        inputs = {key: lots.of(pool[value["from"]] if isinstance(value, dict) else value) for key, value in choices.items()}
        try:
            answer = run_class(name, inputs)
        except Exception:  # noqa: BLE001: whatever it is, the application does not run this graph to its end
            break
        last = answer[0]
        steps += 1
        for value in answer:
            if value.ndim == 4 and value.shape[3] == 3:
                pool["image"].append(value)
            elif value.ndim == 3:
                pool["mask"].append(value)
    return [steps, "" if last is None else told(last)["hash"][:8]]
