import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { REGIONS } from '../../src/engine/machine/machine.ts';
import {
  type Handlers,
  listOf,
  type Region,
  type StateNode,
  type Transition,
  transitionsOf,
} from '../../src/engine/machine/statechart.ts';

const quote = (text: string) => `"${text.replaceAll('"', '\\"')}"`;
const stateId = (region: string, state: string) => quote(`call.${region}.${state}`);

/** What a state waits for: the timers that it arms on entry. */
function timersOf({ entry }: StateNode<string>): string[] {
  return listOf(entry).flatMap((action) => {
    const { type, params } = action as { readonly type?: string; readonly params?: unknown };
    return type === 'arm' ? [(params as { readonly timer: string }).timer] : [];
  });
}

function labelOf(eventType: string, { guard }: Transition<string>): string {
  const event = eventType.replace(/^internal\./, '').replace(/^timer\./, '⏱ ');
  return guard === undefined ? event : `${event} [${guard}]`;
}

const heardBy = ({ on = {} }: Handlers<string>) =>
  Object.entries(on).flatMap(([type, written]) =>
    transitionsOf(written).map((transition) => [type, transition] as const),
  );

function edges(name: string, region: Region<string>): string[] {
  const labels = new Map<string, string[]>();
  const draw = (from: string, { target }: Transition<string>, label: string) => {
    if (target === undefined) return;
    const edge = `${stateId(name, from)} -> ${stateId(name, target)}`;
    labels.set(edge, [...(labels.get(edge) ?? []), label]);
  };
  for (const [state, node] of Object.entries(region.states)) {
    for (const [type, transition] of heardBy(node))
      draw(state, transition, labelOf(type, transition));
    for (const transition of transitionsOf(node.always))
      draw(state, transition, `[${transition.guard}]`);
  }
  for (const [type, transition] of heardBy(region))
    draw('any', transition, labelOf(type, transition));
  return [...labels].map(([edge, texts]) => `${edge} [label=${quote(texts.join('\\n'))}];`);
}

function nodes(name: string, region: Region<string>): string[] {
  const states = Object.entries(region.states).map(([state, node]) => {
    const timers = timersOf(node).map((timer) => `⏱ ${timer}`);
    const label = [state, ...timers].join('\\n');
    const bold = region.initial === state ? ', penwidth=2.4' : '';
    return `${stateId(name, state)} [label=${quote(label)}${bold}];`;
  });
  const fromAny = heardBy(region).some(([, { target }]) => target !== undefined);
  return fromAny ? [...states, `${stateId(name, 'any')} [label="any", shape=plaintext];`] : states;
}

/** The statechart as Graphviz reads it: a region a cluster, the state it begins in drawn bold. */
function toDot(): string {
  const clusters = Object.entries<Region<string>>(REGIONS).map(([name, region]) =>
    [
      `subgraph ${quote(`cluster_${name}`)} {`,
      `label=${quote(name)}; fontsize=16; color="#b8b8b8"; style=rounded;`,
      ...nodes(name, region),
      ...edges(name, region),
      '}',
    ].join('\n'),
  );
  return [
    'digraph call {',
    'rankdir=TB; bgcolor="white"; fontname="Helvetica"; nodesep=0.35; ranksep=0.6;',
    'node [shape=box, style="rounded", fontname="Helvetica", fontsize=12];',
    'edge [fontname="Helvetica", fontsize=9, color="#555555"];',
    ...clusters,
    '}',
  ].join('\n');
}

/** The picture of the statechart, drawn from the machine itself. */
export async function drawStatechart(): Promise<string> {
  const graphviz = await Graphviz.load();
  const svg = graphviz.dot(toDot(), 'svg');
  return svg.replace(/<svg[^>]*>/, '$&\n<title>The statechart of a call</title>');
}
