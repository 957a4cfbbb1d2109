import { marked, type Token, type Tokens } from 'marked';
import { type Block, labelled, tidy } from './block.ts';
import { readHtml } from './read-html.ts';

/** Markdown: headings, paragraphs, list items and table rows. */
export function* readMarkdown(text: string): Generator<Block> {
  const body = text.replace(/^---\r?\n[\s\S]{0,20000}?\r?\n---\r?\n/, '');
  yield* blocksOf(marked.lexer(body));
}

function* blocksOf(tokens: readonly Token[]): Generator<Block> {
  for (const token of tokens) {
    switch (token.type) {
      case 'heading':
        yield { kind: 'heading', level: (token as Tokens.Heading).depth, text: plain(token) };
        break;
      case 'list':
        for (const item of (token as Tokens.List).items) yield* itemBlocks(item, 'item');
        break;
      case 'table':
        yield* tableBlocks(token as Tokens.Table);
        break;
      case 'blockquote':
        yield* blocksOf((token as Tokens.Blockquote).tokens);
        break;
      case 'code':
        yield { kind: 'paragraph', text: (token as Tokens.Code).text };
        break;
      case 'html':
        yield* readHtml((token as Tokens.HTML).text);
        break;
      case 'space':
      case 'hr':
      case 'def':
        break;
      default:
        yield { kind: 'paragraph', text: plain(token) };
    }
  }
}

/** An item and the lists in it, however deep these are. */
function* itemBlocks(item: Tokens.ListItem, list: 'item' | 'rest'): Generator<Block> {
  const own = item.tokens.filter(({ type }) => type !== 'list');
  yield { kind: 'row', text: tidy(own.map(plain).join(' ')), list };
  for (const nested of item.tokens)
    if (nested.type === 'list')
      for (const inner of (nested as Tokens.List).items) yield* itemBlocks(inner, 'rest');
}

function* tableBlocks({ header, rows }: Tokens.Table): Generator<Block> {
  const labels = header.map(plain);
  for (const row of rows)
    yield { kind: 'row', text: labelled(row.map((cell, i) => [labels[i] ?? '', plain(cell)])) };
}

/** The visible text of a token: of a link its text, of a picture its description. */
function plain(token: { readonly tokens?: readonly Token[] } | Token): string {
  if ('tokens' in token && token.tokens) return token.tokens.map(plain).join('');
  if (!('type' in token)) return '';
  if (token.type === 'br') return ' ';
  if (token.type === 'html') return '';
  return 'text' in token ? unescaped(String(token.text)) : '';
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
};

function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => ENTITIES[entity] ?? entity);
}
