/** Owns the documents that say what verification tells about the shape of the graph. */

import type { BuildCase } from "../build_case.ts";

/** Each code with a document that provokes it, and with the change that cures it. */
export const TOPOLOGY_CASES: readonly BuildCase[] = [
  {
    name: "topo_missing_ref: a name that no node has, with the one that was meant spared",
    yaml: `
sources:
  ingest: {file: {path: a}}
sinks:
  out:
    depends_on: [ingets] #! topo_missing_ref:18
    drop: {}
`,
    cure: [["ingets", "ingest"]],
  },
  {
    name: "topo_sink_as_upstream: nothing comes out of a sink",
    yaml: `
sources:
  ingest: {file: {path: a}}
sinks:
  out: {depends_on: ingest, drop: {}}
  copy:
    depends_on:
      - out: {required: false} #! topo_sink_as_upstream:9
    drop: {}
`,
    cure: [["- out:", "- ingest:"]],
  },
  {
    name: "topo_cycle: told once, at the edge that closes it",
    yaml: `
sources:
  ingest: {file: {path: a}}
transforms:
  one:
    depends_on: [ingest, three] #! topo_cycle:26
    split: {}
  two: {depends_on: [one], split: {}}
  three: {depends_on: [two], split: {}}
sinks:
  out: {depends_on: [three], drop: {}}
`,
    cure: [["[ingest, three]", "[ingest]"]],
  },
  {
    name: "topo_cycle: a node that feeds itself",
    yaml: `
sources:
  ingest: {file: {path: a}}
transforms:
  one: {depends_on: [one, ingest], split: {}} #! topo_cycle:22
sinks:
  out: {depends_on: [one], drop: {}}
`,
    cure: [["[one, ingest]", "[ingest]"]],
  },
  {
    name: "topo_no_path: sinks that hang on sinks alone, with the source that nobody reads",
    yaml: `
sources:
  ingest: {file: {path: a}} #! topo_orphan:3
sinks: #! topo_no_path:1
  a: {depends_on: [b], drop: {}} #! topo_sink_as_upstream:20
  b: {depends_on: [a], drop: {}} #! topo_sink_as_upstream:20
`,
    cure: [["[b]", "[ingest]"], ["[a]", "[ingest]"]],
  },
  {
    name: "topology: a transform without depends_on is told, what hangs on it is not",
    yaml: `
sources:
  ingest: {file: {path: a}}
transforms:
  price: {split: {}} #! cfg_missing_depends_on:3
sinks:
  out: {depends_on: [price], drop: {}}
`,
    cure: [["{split: {}}", "{depends_on: [ingest], split: {}}"]],
  },
  {
    name: "topology: an element of depends_on that cannot be read may be the missing one",
    yaml: `
sources:
  ingest: {file: {path: a}}
  spare: {file: {path: b}}
sinks:
  out: {depends_on: [ingest, 5], drop: {}} #! cfg_bad_depends_on:30
`,
    cure: [["5", "spare"]],
  },
  {
    name: "topology: the nodes of a misspelt section are not missed one by one",
    yaml: `
sources:
  ingest: {file: {path: a}}
transform: #! cfg_unknown_top_section:1
  price: {depends_on: [ingest], split: {}}
sinks:
  out: {depends_on: [price], drop: {}}
`,
    cure: [["transform:", "transforms:"]],
  },
  {
    name: "topology: a required section that is misspelt is not missing too",
    yaml: `
sources:
  ingest: {file: {path: a}}
sink: #! cfg_unknown_top_section:1
  out: {depends_on: [ingest], drop: {}}
`,
    cure: [["sink:", "sinks:"]],
  },
  {
    name: "topology: a sink with the name of its transform is told as that alone",
    yaml: `
sources:
  ingest: {file: {path: a}}
transforms:
  price: {depends_on: [ingest], split: {}}
sinks:
  price: {depends_on: [price], drop: {}} #! topo_dup_name:3
`,
    cure: [["  price: {depends_on: [price]", "  out: {depends_on: [price]"]],
  },
  {
    name: "topo_orphan: a source and a transform whose messages go nowhere",
    yaml: `
sources:
  ingest: {file: {path: a}}
  spare: {file: {path: b}} #! topo_orphan:3
transforms:
  lost: {depends_on: [ingest], split: {}} #! topo_orphan:3
sinks:
  out: {depends_on: [ingest], drop: {}}
`,
    cure: [["out: {depends_on: [ingest]", "out: {depends_on: [lost, spare]"]],
  },
];
