import { load } from 'cheerio';
import type { AnyNode, Element } from 'domhandler';
import { type Block, labelled, tidy } from './block.ts';

/** Elements without readable text. */
const SILENT = new Set(
  'script style noscript template svg canvas iframe object nav head title select button input textarea form dialog video audio'.split(
    ' ',
  ),
);
/** Block elements. */
const BLOCKS = new Set(
  'p div section article main header footer aside blockquote pre ul ol dl dt dd li figure figcaption address details summary hr fieldset legend table caption thead tbody tfoot tr td th h1 h2 h3 h4 h5 h6 body html'.split(
    ' ',
  ),
);
const ROWS = new Set(['li', 'dt', 'dd']);

/** HTML: the visible headings, paragraphs, list items and table rows. */
export function* readHtml(html: string): Generator<Block> {
  yield* blocksOf(load(html).root().get(0)?.children ?? []);
}

type Step = { readonly node: AnyNode } | { readonly flush: Element | undefined };

/** Walks with an explicit stack, since pages can be nested deeper than the call stack allows. */
function* blocksOf(roots: readonly AnyNode[]): Generator<Block> {
  const steps: Step[] = roots.map((node) => ({ node })).reverse();
  let line = '';
  const flushed = function* (element: Element | undefined): Generator<Block> {
    const text = tidy(line);
    line = '';
    if (text === '') return;
    const level = /^h([1-6])$/.exec(element?.name ?? '')?.[1];
    if (level !== undefined) yield { kind: 'heading', level: Number(level), text };
    else yield { kind: ROWS.has(element?.name ?? '') ? 'row' : 'paragraph', text };
  };
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if ('flush' in step) {
      yield* flushed(step.flush);
      continue;
    }
    const { node } = step;
    if (node.type === 'text') line += node.data;
    if (node.type !== 'tag') continue;
    if (SILENT.has(node.name) || isHidden(node)) continue;
    if (node.name === 'br') line += ' ';
    const isBlock = BLOCKS.has(node.name);
    // Text before a block belongs to the enclosing element.
    if (isBlock) yield* flushed(parentOf(node));
    if (node.name === 'table' && isDataTable(node)) {
      yield* tableRows(node);
      continue;
    }
    if (isBlock) steps.push({ flush: node });
    for (let i = node.children.length - 1; i >= 0; i--)
      steps.push({ node: node.children[i] as AnyNode });
  }
  yield* flushed(undefined);
}

function parentOf({ parent }: Element): Element | undefined {
  return parent?.type === 'tag' ? parent : undefined;
}

function isHidden({ attribs }: Element): boolean {
  return 'hidden' in attribs || attribs['aria-hidden'] === 'true';
}

/** All descendants with these names, in order, except those in a nested table. */
function within(root: Element, names: ReadonlySet<string>): Element[] {
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

const ROW = new Set(['tr']);
const CELL = new Set(['td', 'th']);
const TABLE = new Set(['table']);

/** True for a table of values, false for one used for layout. */
function isDataTable(table: Element): boolean {
  const rows = within(table, ROW);
  return rows.length > 1 && rows.every((row) => within(row, TABLE).length === 0);
}

function* tableRows(table: Element): Generator<Block> {
  let labels: readonly string[] = [];
  for (const [i, row] of within(table, ROW).entries()) {
    const cells = within(row, CELL);
    const texts = cells.map(textOf);
    const isHead = cells.length > 1 && cells.every(({ name }) => name === 'th');
    if (isHead || (i === 0 && texts.every((text) => text !== '' && text.length < 60))) {
      labels = texts;
      continue;
    }
    const text = labelled(texts.map((value, at) => [labels[at] ?? '', value] as const));
    if (text !== '') yield { kind: 'row', text };
  }
}

function textOf(element: Element): string {
  let text = '';
  const stack: AnyNode[] = [element];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === 'text') text += `${node.data} `;
    if (node.type !== 'tag' || SILENT.has(node.name)) continue;
    for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i] as AnyNode);
  }
  return tidy(text);
}
