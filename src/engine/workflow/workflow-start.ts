import type { Progress, Variables, Workflow } from '../state/workflow.ts';
import { enter } from './workflow.ts';

/** The workflow at its first node; what it passes through there is said by the welcome. */
export function startWorkflow(workflow: Workflow, variables: Variables): Progress | undefined {
  const node = enter(workflow, workflow.start, variables).at(-1);
  return node && { workflow, node, variables, undo: undefined };
}
