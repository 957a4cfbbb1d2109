import { parseAst } from 'vitest/node';

/** One small fault to put into a file. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** Where it can be noted that the place is reached; undefined where the code runs as the module is loaded. */
  readonly probe: Probe | undefined;
}

/** The statement that begins at `start`, or the expression from there to `end`. */
export interface Probe {
  readonly start: number;
  readonly end?: number;
}

interface AstNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const SWAPPED: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};

/** Expressions with a type beside them; all other TypeScript nodes are types. */
const TYPED = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']);

const isNode = (value: unknown): value is AstNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

/** Every place of a source file at which a fault of a known kind can be put. */
export function findMutants(file: string, source: string): readonly Mutant[] {
  const found: Mutant[] = [];
  const visit = (node: AstNode, probe: Probe | undefined): void => {
    if (node.type === 'ImportDeclaration') return;
    if (node.type.startsWith('TS') && !TYPED.has(node.type)) return;
    mutate(node, source, (start, end, replacement) => {
      const line = source.slice(0, start).split('\n').length;
      found.push({ file, line, start, end, replacement, probe });
    });
    for (const [field, value] of Object.entries(node))
      for (const child of Array.isArray(value) ? value : [value])
        if (isNode(child)) visit(child, probeOf(node, field, child, probe));
  };
  visit(parseAst(source, { lang: 'ts' }) as unknown as AstNode, undefined);
  return found;
}

function probeOf(
  { type, expression }: AstNode,
  field: string,
  child: AstNode,
  outer: Probe | undefined,
): Probe | undefined {
  if (type === 'BlockStatement' || (type === 'SwitchCase' && field === 'consequent'))
    return { start: child.start };
  if (type === 'ArrowFunctionExpression' && field === 'body' && expression === true)
    return { start: child.start, end: child.end };
  // Defaults of parameters and first values of fields run at other times than what is around them.
  if (field === 'params' || type === 'PropertyDefinition') return undefined;
  return outer;
}

function mutate(
  node: AstNode,
  source: string,
  add: (start: number, end: number, replacement: string) => void,
): void {
  const { type, start, end } = node;
  if (type === 'BinaryExpression' || type === 'LogicalExpression') {
    const [left, right] = [node.left as AstNode, node.right as AstNode];
    const swapped = SWAPPED[node.operator as string];
    if (!swapped) return;
    const between = source.slice(left.end, right.start);
    const at = left.end + between.lastIndexOf(node.operator as string);
    add(at, at + (node.operator as string).length, swapped);
  } else if (type === 'Literal' && typeof node.value === 'boolean') {
    add(start, end, String(!node.value));
  } else if (type === 'Literal' && typeof node.value === 'number') {
    add(start, end, String(node.value === 0 ? 1 : 2 * node.value));
  } else if (type === 'IfStatement' || type === 'ConditionalExpression') {
    const test = node.test as AstNode;
    add(test.start, test.end, `!(${source.slice(test.start, test.end)})`);
  } else if (type === 'ExpressionStatement') {
    const { type: kind } = node.expression as AstNode;
    if (kind === 'CallExpression' || kind === 'AssignmentExpression') add(start, end, ';');
  }
}
