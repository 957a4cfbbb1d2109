import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { callMachine } from '../../src/engine/machine/machine.ts';

type Region = (typeof callMachine.root.states)[keyof typeof callMachine.root.states];
type State = Region['states'][string];
/** As much of a transition as is drawn. */
interface Transition {
  readonly eventType: string;
  readonly guard?: unknown;
  readonly target?: readonly { readonly id: string }[] | undefined;
}

const quote = (text: string) => `"${text.replaceAll('"', '\\"')}"`;
const nameOf = (part: unknown) =>
  typeof part === 'string' ? part : String((part as { readonly type?: unknown })?.type ?? '');

/** What a state waits for: the timers that it arms on entry. */
function timersOf(state: State): string[] {
  return state.entry.flatMap((action) => {
    const { type, params } = action as { readonly type: string; readonly params?: unknown };
    return type === 'arm' ? [(params as { readonly timer: string }).timer] : [];
  });
}

function labelOf({ eventType, guard }: Transition): string {
  const event = eventType.replace(/^internal\./, '').replace(/^timer\./, '⏱ ');
  return guard === undefined ? event : `${event} [${nameOf(guard)}]`;
}

function edges(region: Region): string[] {
  const labels = new Map<string, string[]>();
  const draw = (from: string, transition: Transition, isAlways = false) => {
    for (const target of transition.target ?? []) {
      const edge = `${quote(from)} -> ${quote(target.id)}`;
      const label = isAlways ? `[${nameOf(transition.guard)}]` : labelOf(transition);
      labels.set(edge, [...(labels.get(edge) ?? []), label]);
    }
  };
  for (const state of Object.values(region.states)) {
    for (const transition of Object.values(state.on).flat()) draw(state.id, transition);
    for (const transition of state.always ?? []) draw(state.id, transition, true);
  }
  for (const transition of Object.values(region.on).flat()) draw(`${region.id}.any`, transition);
  return [...labels].map(([edge, texts]) => `${edge} [label=${quote(texts.join('\\n'))}];`);
}

function nodes(region: Region): string[] {
  const states = Object.values(region.states).map((state) => {
    const timers = timersOf(state).map((timer) => `⏱ ${timer}`);
    const isFirst = region.config.initial === state.key;
    const label = [state.key, ...timers].join('\\n');
    return `${quote(state.id)} [label=${quote(label)}${isFirst ? ', penwidth=2.4' : ''}];`;
  });
  const fromAny = Object.values(region.on)
    .flat()
    .some(({ target }) => target);
  return fromAny
    ? [...states, `${quote(`${region.id}.any`)} [label="any", shape=plaintext];`]
    : states;
}

/** The statechart as Graphviz reads it: a region a cluster, the state it begins in drawn bold. */
function toDot(): string {
  const clusters = Object.values(callMachine.root.states).map((region) =>
    [
      `subgraph ${quote(`cluster_${region.key}`)} {`,
      `label=${quote(region.key)}; fontsize=16; color="#b8b8b8"; style=rounded;`,
      ...nodes(region),
      ...edges(region),
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
