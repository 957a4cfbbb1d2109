import type { LlmTool } from '../../ports/llm.ts';
import type {
  Progress,
  Variables,
  Workflow,
  WorkflowCondition,
  WorkflowNode,
} from '../state/workflow.ts';

export const NEXT_STEP_TOOL = 'nextStep';
/** The model's choice for leaving a node by a condition on variables. */
const BY_VARIABLES = 'continue';

/** The nodes entered from `nodeId` on, itself first, until the model or the end of the call has to decide. */
export function enter(workflow: Workflow, nodeId: string, variables: Variables): WorkflowNode[] {
  const entered: WorkflowNode[] = [];
  let next: string | undefined = nodeId;
  while (next !== undefined) {
    const id: string = next;
    const node = workflow.nodes.find((candidate) => candidate.id === id);
    // In a circle nothing can change a variable, so it stops here.
    if (!node || entered.includes(node)) break;
    entered.push(node);
    // A node can be left only when its variables are known.
    next = isKnown(node, variables) ? decided(workflow, id, variables) : undefined;
  }
  return entered;
}

/** Starts the workflow; the welcome says the messages of the nodes that it passes through. */
export function startWorkflow(workflow: Workflow, variables: Variables): Progress | undefined {
  const node = enter(workflow, workflow.start, variables).at(-1);
  return node && { workflow, node, variables, undo: undefined };
}

const isKnown = (node: WorkflowNode, variables: Variables) =>
  node.variables.every(({ name }) => Object.hasOwn(variables, name));

/** The target of the first edge whose condition on a variable holds. */
function decided(workflow: Workflow, nodeId: string, variables: Variables): string | undefined {
  return workflow.edges.find(
    ({ from, condition }) =>
      from === nodeId && condition.type === 'variable' && holds(condition, variables),
  )?.to;
}

const plain = (text: string) => text.trim().toLowerCase();

function holds(
  { name, operator, value }: Extract<WorkflowCondition, { type: 'variable' }>,
  variables: Variables,
): boolean {
  const actual = Object.hasOwn(variables, name) ? plain(variables[name] as string) : '';
  switch (operator) {
    case 'exists':
      return actual !== '';
    case 'equals':
      return actual === plain(value);
    case 'not-equals':
      return actual !== plain(value);
    case 'contains':
      return actual.includes(plain(value));
  }
}

/** The tool by which the model chooses the next node; undefined if there is nothing to choose. */
export function nextStepTool(workflow: Workflow, node: WorkflowNode): LlmTool | undefined {
  const leaving = workflow.edges.filter(({ from }) => from === node.id);
  const choices = leaving.flatMap(({ to, condition }) =>
    condition.type === 'model' ? [{ step: to, when: condition.description }] : [],
  );
  const byVariables = node.variables.length > 0 && choices.length < leaving.length;
  if (node.end || (choices.length === 0 && !byVariables)) return undefined;
  const lines = choices.map(({ step, when }) => `- ${step}: ${when}`);
  if (byVariables) lines.push(`- ${BY_VARIABLES}: everything asked for here is known`);
  const steps = [
    ...new Set(choices.map(({ step }) => step)),
    ...(byVariables ? [BY_VARIABLES] : []),
  ];
  return {
    name: NEXT_STEP_TOOL,
    description:
      'Goes on to the next step of the conversation. Call it as soon as one of these holds, and only then; say ' +
      `nothing about steps to the caller.\n${lines.join('\n')}`,
    parameters: {
      type: 'object',
      properties: {
        step: { type: 'string', enum: steps },
        ...Object.fromEntries(
          node.variables.map(({ name, description }) => [name, { type: 'string', description }]),
        ),
      },
      required: ['step', ...node.variables.map(({ name }) => name)],
      additionalProperties: false,
    },
    strict: true,
  };
}

/** The node that the model's choice leads to, or why it is invalid. */
export function choose(
  workflow: Workflow,
  node: WorkflowNode,
  args: Readonly<Record<string, unknown>>,
  variables: Variables,
): { readonly to: string; readonly variables: Variables } | { readonly problem: string } {
  const found: Record<string, string> = {};
  for (const { name } of node.variables) {
    const value = args[name];
    if (value === undefined || value === null || value === '')
      return { problem: `${name} is missing` };
    found[name] = typeof value === 'string' ? value : JSON.stringify(value);
  }
  const known = { ...variables, ...found };
  const step = args.step;
  const edge = workflow.edges.find(
    ({ from, to, condition }) => from === node.id && to === step && condition.type === 'model',
  );
  const to = edge?.to ?? (step === BY_VARIABLES ? decided(workflow, node.id, known) : undefined);
  if (to !== undefined) return { to, variables: known };
  return step === BY_VARIABLES && node.variables.length > 0
    ? { problem: 'with these values there is no way on: ask again' }
    : { problem: `there is no step ${JSON.stringify(step)} from here` };
}
