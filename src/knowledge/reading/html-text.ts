import type { AnyNode, Element } from 'domhandler';
import { tidy } from './block.ts';

/** Elements without readable text. */
export const SILENT = new Set(
  'script style noscript template svg canvas iframe object nav head title select button input textarea form dialog video audio'.split(
    ' ',
  ),
);

/** All descendants with these names, in order, except those in a nested table. */
export function within(root: Element, names: ReadonlySet<string>): Element[] {
  const found: Element[] = [];
  const stack: AnyNode[] = [...root.children].reverse();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type !== 'tag') continue;
    if (names.has(node.name)) found.push(node);
    else if (node.name !== 'table')
      for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i] as AnyNode);
  }
  return found;
}

/** The visible text of an element. */
export function textOf(element: Element): string {
  let text = '';
  const stack: AnyNode[] = [element];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === 'text') text += `${node.data} `;
    if (node.type !== 'tag' || SILENT.has(node.name)) continue;
    for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i] as AnyNode);
  }
  return tidy(text);
}
