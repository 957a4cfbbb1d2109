import { enter, type Variables, type Workflow, type WorkflowNode } from './workflow.ts';

/** Where a call stands in its workflow. */
export interface Progress {
  readonly workflow: Workflow;
  node: WorkflowNode;
  variables: Variables;
  /** The step the current reply has taken, as long as nobody has heard of it. */
  undo:
    | { readonly replyId: string; readonly node: WorkflowNode; readonly variables: Variables }
    | undefined;
}

/** The workflow at its first node; what it passes through there is said by the welcome. */
export function startWorkflow(workflow: Workflow, variables: Variables): Progress | undefined {
  const node = enter(workflow, workflow.start, variables).at(-1);
  return node && { workflow, node, variables, undo: undefined };
}
