import { z } from 'zod';
import { IdSchema, text } from './atoms.ts';

const NodeIdSchema = z
  .string()
  .regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, dashes or underscores');

const NodeSchema = z.strictObject({
  id: NodeIdSchema,
  name: text(200).default(''),
  prompt: text(100_000).default('').describe('Added to the system prompt while in this node.'),
  message: text(5000).default('').describe('Spoken on entering the node.'),
  toolIds: z
    .array(IdSchema)
    .max(100)
    .default([])
    .describe("Tools of this node alone, beside the assistant's own."),
  variables: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[A-Za-z_]\w{0,63}$/, 'must be a name of letters, digits and _'),
        description: text(2000).default(''),
      }),
    )
    .max(20)
    .default([])
    .describe(
      'Values that the model finds out in this node. Later texts use them as `{{name}}`, and edges test them.',
    ),
  end: z.boolean().default(false).describe('The call ends after this node.'),
});

const ConditionSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('model'),
    description: text(2000).min(1).describe('A condition that the model evaluates.'),
  }),
  z.strictObject({
    type: z.literal('variable'),
    name: text(100).min(1),
    operator: z.enum(['equals', 'not-equals', 'contains', 'exists']),
    value: text(2000).default('').describe('Compared ignoring case.'),
  }),
]);

const EdgeSchema = z.strictObject({
  from: NodeIdSchema,
  to: NodeIdSchema,
  condition: ConditionSchema,
});

interface WorkflowShape {
  readonly start: string;
  readonly nodes: readonly { readonly id: string; readonly end: boolean }[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

function checkReferences(context: z.core.ParsePayload<WorkflowShape>): void {
  const { start, nodes, edges } = context.value;
  const known = new Set<string>();
  const refuse = (path: (string | number)[], message: string) =>
    context.issues.push({ code: 'custom', path, message, input: context.value });
  for (const [index, { id }] of nodes.entries()) {
    if (known.has(id)) refuse(['nodes', index, 'id'], `is used twice: ${id}`);
    known.add(id);
  }
  if (!known.has(start)) refuse(['start'], `names no node: ${start}`);
  for (const [index, edge] of edges.entries()) {
    if (!known.has(edge.from)) refuse(['edges', index, 'from'], `names no node: ${edge.from}`);
    if (!known.has(edge.to)) refuse(['edges', index, 'to'], `names no node: ${edge.to}`);
  }
  const leaving = new Set(edges.map(({ from }) => from));
  const entered = new Set([start, ...reachable([start], edges)]);
  const ends = nodes.filter(({ end }) => end).map(({ id }) => id);
  const backwards = edges.map(({ from, to }) => ({ from: to, to: from }));
  const finite = new Set([...ends, ...reachable(ends, backwards)]);
  for (const [index, { id, end }] of nodes.entries()) {
    if (end && leaving.has(id)) refuse(['nodes', index], `ends the call and has an edge: ${id}`);
    if (!end && !leaving.has(id)) refuse(['nodes', index], `has neither an edge nor end: ${id}`);
    else if (!finite.has(id)) refuse(['nodes', index], `leads to no end: ${id}`);
    if (!entered.has(id)) refuse(['nodes', index], `cannot be reached: ${id}`);
  }
}

function reachable(starts: readonly string[], edges: WorkflowShape['edges']): Set<string> {
  const seen = new Set<string>();
  const queue = [...starts];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    for (const { from, to } of edges) {
      if (from !== id || seen.has(to)) continue;
      seen.add(to);
      queue.push(to);
    }
  }
  return seen;
}

/** The workflow of a `workflow_based` assistant. */
export const AssistantWorkflowSchema = z
  .strictObject({
    start: NodeIdSchema,
    nodes: z.array(NodeSchema).min(1).max(200),
    edges: z.array(EdgeSchema).max(1000).default([]),
  })
  .check(checkReferences);
