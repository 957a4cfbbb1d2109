import { parseAst } from 'vitest/node';

/** One small fault to put into a file. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
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
  const add = (start: number, end: number, replacement: string) => {
    const line = source.slice(0, start).split('\n').length;
    found.push({ file, line, start, end, replacement });
  };
  const visit = (node: AstNode): void => {
    if (node.type === 'ImportDeclaration') return;
    if (node.type.startsWith('TS') && !TYPED.has(node.type)) return;
    mutate(node, source, add);
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child);
  };
  visit(parseAst(source, { lang: 'ts' }) as unknown as AstNode);
  return found;
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
