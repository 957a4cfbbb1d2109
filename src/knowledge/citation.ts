import type { FoundPassage } from '../store/knowledge-lookup.ts';

/** Where a passage is from, for whoever is to trust it. */
export interface Citation {
  readonly type: 'file' | 'url';
  /** Of the file; of a page, its address. */
  readonly id: string;
  readonly title: string;
}

export function citationOf({ source, sourceTitle, url, title }: FoundPassage): Citation {
  if (url !== null) return { type: 'url', id: url, title: title || sourceTitle };
  return { type: 'file', id: source.replace(/^file:/, ''), title: sourceTitle };
}
