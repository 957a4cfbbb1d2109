import type { Workflow } from './first-workflow.ts';

type Node = Workflow['nodes'][number];

/** Renames a step's id everywhere in the workflow. */
export function renamedStep(workflow: Workflow, index: number, id: string): Workflow {
  const old = workflow.nodes[index]?.id;
  const follow = (named: string): string => (named === old && old !== '' ? id : named);
  return {
    start: follow(workflow.start),
    nodes: workflow.nodes.map((node, at) => (at === index ? { ...node, id } : node)),
    edges: workflow.edges.map((edge) => ({
      ...edge,
      from: follow(edge.from),
      to: follow(edge.to),
    })),
  };
}

/** An unused step id. */
export function freeStepId(nodes: readonly Pick<Node, 'id'>[]): string {
  for (let count = nodes.length + 1; ; count++) {
    const id = `step-${count}`;
    if (!nodes.some((node) => node.id === id)) return id;
  }
}
