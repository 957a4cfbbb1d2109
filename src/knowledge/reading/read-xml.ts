import { load } from 'cheerio';
import type { AnyNode, Element } from 'domhandler';
import { type Block, labelled, tidy } from './block.ts';
import { UnreadableError } from './unreadable-error.ts';

/** XML: one row for each element with values, under the names of its ancestors. Entities are not expanded. */
export function* readXml(text: string): Generator<Block> {
  const root = load(text, { xml: true }).root().get(0);
  const elements = (root?.children ?? []).filter((node) => node.type === 'tag');
  if (elements.length === 0)
    throw new UnreadableError('The file is not valid XML: it has no element.');
  const stack: AnyNode[] = [...elements].reverse();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type !== 'tag') continue;
    const text = recordOf(node);
    if (text !== '') yield { kind: 'row', text };
    for (let i = node.children.length - 1; i >= 0; i--) {
      const child = node.children[i] as AnyNode;
      if (child.type === 'tag' && !isLeaf(child)) stack.push(child);
    }
  }
}

const isLeaf = (element: Element) => element.children.every(({ type }) => type !== 'tag');

/** An element's attributes, its text, and its children that contain only text. */
function recordOf(element: Element): string {
  const leaves = element.children.filter((child) => child.type === 'tag' && isLeaf(child));
  return labelled([
    ...Object.entries(element.attribs).filter(([name]) => !name.startsWith('xmlns')),
    ['', ownText(element)],
    ...leaves.map((leaf): [string, string] => {
      const { name, attribs } = leaf as Element;
      return [name, [ownText(leaf as Element), ...Object.values(attribs)].join(' ')];
    }),
  ]);
}

function ownText({ children }: Element): string {
  const parts = children.flatMap((child) => {
    if (child.type === 'text') return [child.data];
    return child.type === 'cdata' ? child.children.map((it) => ('data' in it ? it.data : '')) : [];
  });
  return tidy(parts.join(' '));
}
