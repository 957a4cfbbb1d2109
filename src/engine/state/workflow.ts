export interface WorkflowNode {
  readonly id: string;
  readonly name: string;
  readonly prompt: string;
  readonly message: string;
  /** Names of the tools that only this node has. */
  readonly tools: readonly string[];
  readonly variables: readonly { readonly name: string; readonly description: string }[];
  readonly end: boolean;
}

export type WorkflowCondition =
  | { readonly type: 'model'; readonly description: string }
  | {
      readonly type: 'variable';
      readonly name: string;
      readonly operator: 'equals' | 'not-equals' | 'contains' | 'exists';
      readonly value: string;
    };

/** The steps of a call. Texts still contain their `{{name}}`s, because the call may learn variables on the way. */
export interface Workflow {
  readonly start: string;
  readonly nodes: readonly WorkflowNode[];
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly condition: WorkflowCondition;
  }[];
}

export type Variables = Readonly<Record<string, string>>;

/** Where a call stands in its workflow. */
export interface Progress {
  readonly workflow: Workflow;
  node: WorkflowNode;
  variables: Variables;
  /** Restores the node before the current reply's step, in case the caller hears nothing of that reply. */
  undo:
    | { readonly replyId: string; readonly node: WorkflowNode; readonly variables: Variables }
    | undefined;
}
