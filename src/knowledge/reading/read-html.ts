import { load } from 'cheerio';
import type { AnyNode, Element } from 'domhandler';
import { type Block, tidy } from './block.ts';
import { SILENT } from './html-text.ts';
import { isDataTable, tableRows } from './read-html-table.ts';

/** Block elements. */
const BLOCKS = new Set(
  'p div section article main header footer aside blockquote pre ul ol dl dt dd li figure figcaption address details summary hr fieldset legend table caption thead tbody tfoot tr td th h1 h2 h3 h4 h5 h6 body html'.split(
    ' ',
  ),
);
const ROWS = new Set(['li', 'dt', 'dd']);
const LISTS = new Set(['ul', 'ol', 'dl']);

/** HTML: the visible headings, paragraphs, list items and table rows. */
export function* readHtml(html: string): Generator<Block> {
  yield* blocksOf(load(html).root().get(0)?.children ?? []);
}

type Step = { readonly node: AnyNode } | { readonly flush: Element | undefined };

/** Walks with an explicit stack, since pages can be nested deeper than the call stack allows. */
function* blocksOf(roots: readonly AnyNode[]): Generator<Block> {
  const steps: Step[] = roots.map((node) => ({ node })).reverse();
  let line = '';
  const lists = new ListPlace();
  const flushed = function* (element: Element | undefined): Generator<Block> {
    const text = tidy(line);
    line = '';
    if (text === '') return;
    const level = /^h([1-6])$/.exec(element?.name ?? '')?.[1];
    if (level !== undefined) yield { kind: 'heading', level: Number(level), text };
    else
      yield { kind: ROWS.has(element?.name ?? '') ? 'row' : 'paragraph', text, ...lists.place() };
  };
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if ('flush' in step) {
      yield* flushed(step.flush);
      if (step.flush) lists.leave(step.flush);
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
      for (const row of tableRows(node)) yield { ...row, ...lists.place() };
      continue;
    }
    lists.enter(node);
    if (isBlock) steps.push({ flush: node });
    for (let i = node.children.length - 1; i >= 0; i--)
      steps.push({ node: node.children[i] as AnyNode });
  }
  yield* flushed(undefined);
}

/** Where in a list the walk is. */
class ListPlace {
  #depth = 0;
  #begins = false;
  /** The element of the list that the walk has left last: of several terms in a row, the first begins the item. */
  #left = '';

  enter({ name }: Element): void {
    if (LISTS.has(name)) this.#depth++;
    if (this.#depth === 1 && (name === 'li' || (name === 'dt' && this.#left !== 'dt')))
      this.#begins = true;
    if (LISTS.has(name) || ROWS.has(name)) this.#left = '';
  }

  leave({ name }: Element): void {
    if (LISTS.has(name)) this.#depth--;
    if (LISTS.has(name) || ROWS.has(name)) this.#left = name;
  }

  /** For the next block, which takes the beginning of an item if there is one. */
  place(): Pick<Block, 'list'> {
    const begins = this.#begins;
    this.#begins = false;
    return this.#depth === 0 ? {} : { list: begins ? 'item' : 'rest' };
  }
}

function parentOf({ parent }: Element): Element | undefined {
  return parent?.type === 'tag' ? parent : undefined;
}

function isHidden({ attribs }: Element): boolean {
  return 'hidden' in attribs || attribs['aria-hidden'] === 'true';
}
