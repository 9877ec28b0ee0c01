/** Owns the expressions of a document: edge conditions and order keys, compiled once. */

import type { DocumentPath, Edge, PipelineDocument, SinkNode } from "../config/mod.ts";
import type { DiagnosticBag, DiagnosticCode } from "../diagnostics/mod.ts";
import { type CelExpression, type CesqlExpression, compileCel, compileCesql, type Compiled } from "../languages/mod.ts";
import { discreet, discreetText } from "./disclosure.ts";
import { judgeConstantRead, judgeParameterRead } from "./environment_reads.ts";
import type { Places } from "./places.ts";
import { edgesInto } from "./topology.ts";

/** An expression with the place of its text. */
export interface PlacedExpression<Program extends CelExpression | CesqlExpression = CelExpression | CesqlExpression> {
  readonly program: Program;
  readonly path: DocumentPath;
  readonly node: string;
}

/** Every expression of a document that compiles. */
export interface Expressions {
  readonly conditions: ReadonlyMap<Edge, PlacedExpression>;
  /** By name of the sink. */
  readonly orderKeys: ReadonlyMap<string, PlacedExpression<CelExpression>>;
}

/** What compiling expressions needs to know. */
export interface ExpressionScope {
  readonly document: PipelineDocument;
  readonly places: Places;
  readonly bag: DiagnosticBag;
}

/** Compiles all conditions and order keys and reports those that do not compile. */
export function compileExpressions(scope: ExpressionScope): Expressions {
  const conditions = new Map<Edge, PlacedExpression>();
  const orderKeys = new Map<string, PlacedExpression<CelExpression>>();
  for (const node of scope.document.nodes) {
    for (const edge of edgesInto(node)) {
      const placed = compileCondition(scope, edge);
      if (placed !== undefined) conditions.set(edge, placed);
    }
    if (node.section !== "sinks") continue;
    const placed = compileOrderKey(scope, node);
    if (placed !== undefined) orderKeys.set(node.name, placed);
  }
  return { conditions, orderKeys };
}

/** All of a document's expressions, in document order of their nodes. */
export function allExpressions(expressions: Expressions): readonly PlacedExpression[] {
  return [...expressions.conditions.values(), ...expressions.orderKeys.values()];
}

function compileCondition(scope: ExpressionScope, edge: Edge): PlacedExpression | undefined {
  const { when } = edge;
  if (when === undefined) return undefined;
  const { expr: text, path, route } = when;
  const whole = route !== undefined;
  if (when.lang === "cesql") {
    return compile(scope, { text, path, node: edge.to, code: "expr_cesql_compile", whole, compiler: compileCesql });
  }
  const code = whole ? "expr_route_compile" : "expr_cel_compile";
  return compile(scope, { text, path, node: edge.to, code, whole, compiler: compileCel });
}

function compileOrderKey(scope: ExpressionScope, sink: SinkNode): PlacedExpression<CelExpression> | undefined {
  if (sink.orderKey === undefined) return undefined;
  const path = [...sink.nodePath, "order_key"];
  const [text, node] = [sink.orderKey, sink.name];
  return compile(scope, { text, path, node, code: "expr_cel_compile", whole: false, compiler: compileCel });
}

interface ExpressionText<Program> {
  readonly text: string;
  readonly path: DocumentPath;
  readonly node: string;
  readonly code: DiagnosticCode;
  /** The text was made from the value at `path`, so that offsets inside it mean nothing there. */
  readonly whole: boolean;
  readonly compiler: (text: string, quoted: string) => Compiled<Program>;
}

function compile<Program extends CelExpression | CesqlExpression>(
  scope: ExpressionScope,
  expression: ExpressionText<Program>,
): PlacedExpression<Program> | undefined {
  const { text, path, node, code, whole, compiler } = expression;
  if (scope.places.isUnresolved(path)) return undefined;
  const compiled = compiler(text, discreetText(scope.document, { path, value: text }));
  if (compiled.ok) {
    const placed = { program: compiled.program, path, node };
    for (const read of placed.program.reads) checkBinding(scope, placed, read);
    return placed;
  }
  for (const issue of compiled.issues) {
    const span = whole ? scope.places.value(path) : scope.places.character(path, issue.offset);
    const told = (sentence: string) => discreet(scope.document, { path, value: text }, sentence);
    scope.bag.report(code, span, told(issue.message), {
      ...(issue.hint === undefined ? {} : { hint: told(issue.hint) }),
      node,
    });
  }
  return undefined;
}

/** Reports a read of a constant or parameter that the document does not declare. */
function checkBinding(scope: ExpressionScope, placed: PlacedExpression, read: string): void {
  const [root, name] = read.split(".");
  if (root !== "constants" && root !== "parameters") return;
  const { source } = placed.program;
  const span = scope.places.character(placed.path, Math.max(0, source.indexOf(name === undefined ? root : read)));
  const judge = root === "parameters" ? judgeParameterRead : judgeConstantRead;
  judge(scope, { name, span, node: placed.node, reader: "the expression" });
}
