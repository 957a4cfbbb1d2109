import { load } from 'cheerio';
import { tidy } from './block.ts';

/** The title, robots directives and links of a page. */
export interface PageLinks {
  readonly title: string;
  /** Absolute addresses, each once, in order. */
  readonly links: readonly string[];
  readonly noindex: boolean;
}

const MAX_LINKS = 5000;
const MAX_TITLE_CHARS = 300;

export function readLinks(html: string, url: string): PageLinks {
  const $ = load(html);
  const base = URL.parse($('base[href]').first().attr('href') ?? '', url)?.href ?? url;
  const robots = $('meta[name="robots" i]').attr('content')?.toLowerCase() ?? '';
  const links = new Set<string>();
  if (!/\b(?:nofollow|none)\b/.test(robots))
    for (const element of $('a[href]').toArray()) {
      if (links.size >= MAX_LINKS) break;
      if (/\bnofollow\b/i.test(element.attribs.rel ?? '')) continue;
      const link = URL.parse(element.attribs.href ?? '', base);
      if (link) links.add(link.href);
    }
  return {
    title: (tidy($('title').first().text()) || tidy($('h1').first().text())).slice(
      0,
      MAX_TITLE_CHARS,
    ),
    links: [...links],
    noindex: /\b(?:noindex|none)\b/.test(robots),
  };
}
