import { existsSync, statSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative } from 'node:path';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { Marked, type Tokens } from 'marked';
import { apiPage } from './api-page.ts';
import { API_PAGE, NAVIGATION } from './navigation.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = NAVIGATION.flatMap(({ pages }) => pages);
const [START] = PAGES;

/** What the search finds: a heading and the text below it. */
interface Section {
  readonly id: string;
  readonly page: string;
  readonly heading: string;
  text: string;
}

interface Page {
  readonly source: string;
  readonly title: string;
  readonly html: string;
}

/** Where a page stands in the site. */
export function addressOf(source: string): string {
  if (source === START) return 'index.html';
  return source.replace(/^docs\//, '').replace(/\.md$/, '.html');
}

/** Builds the documentation as a folder of files that any web server, or a browser without one, shows. */
export async function buildDocsSite(out: string): Promise<void> {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const sections: Section[] = [];
  const files = new Set<string>();
  const pages: Page[] = [];
  for (const source of PAGES) {
    const text = source === API_PAGE ? apiPage() : await readFile(join(ROOT, source), 'utf8');
    pages.push(renderPage(source, text, sections, files));
  }
  for (const page of pages) {
    const file = join(out, addressOf(page.source));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, framed(page, pages));
  }
  for (const file of files) await cp(join(ROOT, file), join(out, 'files', file));
  await cp(join(import.meta.dirname, 'site.css'), join(out, 'site.css'));
  // A script, not JSON: a browser reads it from a disk, too.
  await writeFile(join(out, 'sections.js'), `window.docsSections = ${JSON.stringify(sections)};`);
  await esbuild.build({
    entryPoints: [join(import.meta.dirname, 'search.js')],
    outfile: join(out, 'search.js'),
    bundle: true,
    minify: true,
    format: 'iife',
    logLevel: 'silent',
  });
}

function renderPage(source: string, text: string, sections: Section[], files: Set<string>): Page {
  const used = new Map<string, number>();
  const address = addressOf(source);
  let title = '';
  let section: Section | undefined;
  /** A link of the repository as one of the site; what is no page comes along as a file. */
  const resolved = (link: string): string => {
    if (/^(?:[a-z]+:|#|\/)/.test(link)) return link;
    const [path = '', anchor] = link.split('#');
    const target = posix.normalize(posix.join(posix.dirname(source), path));
    const isPage = PAGES.includes(target);
    const file = join(ROOT, target);
    if (!isPage && !(existsSync(file) && statSync(file).isFile())) return link;
    if (!isPage) files.add(target);
    const place = isPage ? addressOf(target) : `files/${target}`;
    return posix.relative(posix.dirname(address), place) + (anchor ? `#${anchor}` : '');
  };
  const marked = new Marked({
    walkTokens: (token) => {
      if (token.type === 'link' || token.type === 'image') token.href = resolved(token.href);
      if (token.type === 'html')
        token.text = token.text.replace(
          /\b(src|srcset|href)="([^"]+)"/g,
          (_: string, name: string, link: string) => `${name}="${resolved(link)}"`,
        );
    },
    renderer: {
      heading({ tokens, depth, text: heading }: Tokens.Heading) {
        const plain = heading.replaceAll('`', '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
        const slug = plain
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, '')
          .replace(/\s/g, '-');
        const again = used.get(slug) ?? 0;
        used.set(slug, again + 1);
        const id = again === 0 ? slug : `${slug}-${again}`;
        if (depth === 1 && title === '') title = plain;
        section = { id: `${address}#${id}`, page: title, heading: plain, text: '' };
        sections.push(section);
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      // A table and a sample scroll by themselves, by keyboard too.
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], name: 'th' | 'td') => {
          const drawn = cells.map(({ text: words, tokens }) => {
            // A heading without words is none.
            const tag = words === '' ? 'td' : name;
            return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
          });
          return `<tr>${drawn.join('')}</tr>`;
        };
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="scrolls" tabindex="0" role="region" aria-label="Table"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
      code({ text: code }: Tokens.Code) {
        return `<pre class="scrolls" tabindex="0"><code>${escaped(code)}</code></pre>\n`;
      },
    },
  });
  const html = marked.parse(text, { async: false });
  // The text below each heading, for the search.
  const parts = html.split(/<h[1-6] id="([^"]+)">/);
  for (let at = 1; at < parts.length; at += 2) {
    const found = sections.find(({ id }) => id === `${address}#${parts[at]}`);
    if (found) found.text = plainText(parts[at + 1] ?? '');
  }
  return { source, title, html };
}

function plainText(html: string): string {
  const text = html.replace(/<[^>]+>/g, ' ');
  const named: Readonly<Record<string, string>> = {
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#39;': "'",
    '&amp;': '&',
  };
  return text.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => named[entity] ?? entity);
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function framed({ source, title, html }: Page, pages: readonly Page[]): string {
  const here = addressOf(source);
  const to = (address: string) => posix.relative(posix.dirname(here), address);
  const titles = new Map(pages.map((page) => [page.source, page.title]));
  const chapters = NAVIGATION.map(({ title: chapter, pages: inside }) => {
    const links = inside.map((page) => {
      const current = page === source ? ' aria-current="page"' : '';
      return `<li><a href="${to(addressOf(page))}"${current}>${escaped(titles.get(page) ?? page)}</a></li>`;
    });
    return `<details${inside.includes(source) ? ' open' : ''}><summary>${chapter}</summary><ul>${links.join('')}</ul></details>`;
  });
  const root = relative(posix.dirname(here), '.') || '.';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(source === START ? 'Parley' : `${title} – Parley`)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}/site.css">
<script defer src="${root}/search.js" data-root="${root}"></script>
</head>
<body>
<a class="skip" href="#content">To the text</a>
<header>
<a class="brand" href="${to('index.html')}">Parley</a>
<search><label for="search">Search</label><input id="search" type="search" autocomplete="off"><p id="found" role="status"></p><ol id="results"></ol></search>
</header>
<nav aria-label="Pages">${chapters.join('\n')}</nav>
<main id="content">
${html}</main>
</body>
</html>
`;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: 'string', default: 'out/docs' } } });
  await buildDocsSite(values.out);
  console.log(`The documentation is in ${values.out}: open index.html.`);
}
