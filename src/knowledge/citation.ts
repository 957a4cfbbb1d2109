import type { FoundPassage } from '../store/knowledge-lookup.ts';

/** The source of a passage, so that a reader can verify it. */
export interface Citation {
  readonly type: 'file' | 'url';
  /** The file's id, or the page's URL. */
  readonly id: string;
  readonly title: string;
}

export function citationOf({ source, sourceTitle, url, title }: FoundPassage): Citation {
  if (url !== null) return { type: 'url', id: url, title: title || sourceTitle };
  return { type: 'file', id: source.replace(/^file:/, ''), title: sourceTitle };
}
