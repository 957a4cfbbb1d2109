/** A piece of a document as its author made it, in reading order. */
export interface Block {
  /** `row`: one of many alike, such as a table's row or a record; it is not split from its labels. */
  readonly kind: 'heading' | 'paragraph' | 'row';
  readonly text: string;
  /** Of a heading: 1 is the highest. */
  readonly level?: number;
  /** Where documents have pages, counted from 1. */
  readonly page?: number;
}

/** White space as one space each. */
export function tidy(text: string): string {
  return text.replace(/[\s\u00a0]+/g, ' ').trim();
}

/** A record in words: `name: value; name: value`. Empty values say nothing. */
export function labelled(fields: Iterable<readonly [label: string, value: string]>): string {
  const parts: string[] = [];
  for (const [label, value] of fields) {
    const text = tidy(value);
    if (text !== '') parts.push(label === '' ? text : `${tidy(label)}: ${text}`);
  }
  return parts.join('; ');
}
