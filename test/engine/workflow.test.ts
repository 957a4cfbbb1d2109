import { describe, expect, test } from 'vitest';
import type { Workflow, WorkflowNode } from '../../src/engine/state/workflow.ts';
import { choose, enter, nextStepTool } from '../../src/engine/workflow/workflow.ts';
import fc from '../support/properties.ts';

const node = (id: string, rest: Partial<WorkflowNode> = {}): WorkflowNode => ({
  id,
  name: id,
  prompt: '',
  message: '',
  tools: [],
  variables: [],
  end: false,
  ...rest,
});
const byModel = (from: string, to: string, description = `the caller wants ${to}`) => ({
  from,
  to,
  condition: { type: 'model' as const, description },
});
const byValue = (
  from: string,
  to: string,
  name: string,
  operator: 'equals' | 'not-equals' | 'contains' | 'exists',
  value = '',
) => ({ from, to, condition: { type: 'variable' as const, name, operator, value } });

const ids = (nodes: readonly WorkflowNode[]) => nodes.map(({ id }) => id);

describe('entering a node of a workflow', () => {
  const workflow: Workflow = {
    start: 'a',
    nodes: [node('a'), node('b'), node('c', { end: true })],
    edges: [byValue('a', 'b', 'plan', 'equals', 'Gold '), byModel('a', 'c'), byModel('b', 'c')],
  };

  test('rests where the model has to decide', () => {
    expect(ids(enter(workflow, 'a', {}))).toEqual(['a']);
  });

  test('goes on by itself where a variable decides, without regard to case', () => {
    expect(ids(enter(workflow, 'a', { plan: 'gold' }))).toEqual(['a', 'b']);
  });

  test.each<[Parameters<typeof byValue>[3], string, Record<string, string>, boolean]>([
    ['equals', 'x', { v: 'X' }, true],
    ['equals', 'x', { v: 'xy' }, false],
    ['not-equals', 'x', {}, true],
    ['not-equals', 'x', { v: 'x' }, false],
    ['contains', 'x', { v: 'aXb' }, true],
    ['contains', 'x', {}, false],
    ['exists', '', { v: '0' }, true],
    ['exists', '', { v: ' ' }, false],
    ['exists', '', {}, false],
  ])('%s %j of %j is %s', (operator, value, variables, holds) => {
    const tested = {
      ...workflow,
      edges: [byValue('a', 'b', 'v', operator, value), byModel('b', 'c')],
    };
    expect(ids(enter(tested, 'a', variables))).toEqual(holds ? ['a', 'b'] : ['a']);
  });

  test('waits for what is to be found out there, before any test', () => {
    const asks: Workflow = {
      start: 'a',
      nodes: [
        node('a', { variables: [{ name: 'city', description: '' }] }),
        node('b', { end: true }),
      ],
      edges: [byValue('a', 'b', 'city', 'not-equals', 'Rome')],
    };
    expect(ids(enter(asks, 'a', {}))).toEqual(['a']);
    expect(ids(enter(asks, 'a', { city: 'Bern' }))).toEqual(['a', 'b']);
  });
});

describe("the model's choice", () => {
  const workflow: Workflow = {
    start: 'a',
    nodes: [
      node('a', { variables: [{ name: 'city', description: 'Where the caller lives.' }] }),
      node('b'),
      node('c', { end: true }),
      node('d', { end: true }),
    ],
    edges: [
      byValue('a', 'd', 'city', 'equals', 'Rome'),
      byModel('a', 'b', 'the caller wants to buy'),
      byModel('b', 'c'),
    ],
  };
  const start = workflow.nodes[0] as WorkflowNode;

  test('is offered as a tool that names the ways on and what is to be found out', () => {
    const tool = nextStepTool(workflow, start);
    expect(tool?.description).toContain('- b: the caller wants to buy');
    expect(tool?.parameters).toMatchObject({
      properties: {
        step: { enum: ['b', 'continue'] },
        city: { description: 'Where the caller lives.' },
      },
      required: ['step', 'city'],
    });
    expect(nextStepTool(workflow, workflow.nodes[2] as WorkflowNode)).toBeUndefined();
  });

  test('leads on, and keeps what was found out', () => {
    expect(choose(workflow, start, { step: 'b', city: 'Bern' }, { plan: 'gold' })).toEqual({
      to: 'b',
      variables: { plan: 'gold', city: 'Bern' },
    });
  });

  test('may leave the way to the variables', () => {
    expect(choose(workflow, start, { step: 'continue', city: 'rome' }, {})).toMatchObject({
      to: 'd',
    });
    expect(choose(workflow, start, { step: 'continue', city: 'Bern' }, {})).toEqual({
      problem: 'with these values there is no way on: ask again',
    });
  });

  test('has no way by variables where nothing is to be found out', () => {
    const next = workflow.nodes[1] as WorkflowNode;
    expect(choose(workflow, next, { step: 'continue' }, {})).toEqual({
      problem: 'there is no step "continue" from here',
    });
  });

  test.each([[{ step: 'c', city: 'Bern' }], [{ step: 'b' }], [{}], [{ step: 7, city: 'Bern' }]])(
    'of %j leads nowhere, and says why',
    (args) => {
      expect(choose(workflow, start, args, {})).toHaveProperty('problem');
    },
  );
});

const anyWorkflow = fc
  .record({
    size: fc.integer({ min: 1, max: 8 }),
    edges: fc.array(
      fc.record({
        from: fc.nat(7),
        to: fc.nat(7),
        variable: fc.constantFrom('x', 'y', undefined),
        operator: fc.constantFrom('equals' as const, 'not-equals' as const, 'exists' as const),
      }),
      { maxLength: 20 },
    ),
  })
  .map(({ size, edges }): Workflow => {
    const id = (n: number) => `n${n % size}`;
    return {
      start: 'n0',
      nodes: Array.from({ length: size }, (_, n) => node(`n${n}`)),
      edges: edges.map(({ from, to, variable, operator }) =>
        variable ? byValue(id(from), id(to), variable, operator, '1') : byModel(id(from), id(to)),
      ),
    };
  });

test('any workflow comes to rest, at a node that an edge leads to, each entered once', () => {
  fc.assert(
    fc.property(
      anyWorkflow,
      fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom('1', '2', '')),
      (workflow, variables) => {
        const entered = ids(enter(workflow, 'n0', variables));
        expect(entered[0]).toBe('n0');
        expect(new Set(entered).size).toBe(entered.length);
        for (const [index, to] of entered.slice(1).entries()) {
          const from = entered[index];
          expect(
            workflow.edges.some(
              (e) => e.from === from && e.to === to && e.condition.type === 'variable',
            ),
          ).toBe(true);
        }
        // Whatever the model may choose is a way that exists.
        const last = workflow.nodes.find(({ id }) => id === entered.at(-1)) as WorkflowNode;
        const tool = nextStepTool(workflow, last);
        const steps =
          (tool?.parameters.properties as { step?: { enum: string[] } } | undefined)?.step?.enum ??
          [];
        for (const step of steps) {
          expect(choose(workflow, last, { step }, variables)).toMatchObject({ to: step });
        }
      },
    ),
    { numRuns: 300, seed: 7 },
  );
});
