/** A heading, paragraph or row of a document. */
export interface Block {
  /** `row`: a table row, record or list item; it is not split from its labels. */
  readonly kind: 'heading' | 'paragraph' | 'row';
  readonly text: string;
  /** Level of a heading; 1 is the highest. */
  readonly level?: number;
  /** Page number from 1, if the document has pages. */
  readonly page?: number;
  /** In a list: whether it begins an item of the outermost list, or goes on with one. */
  readonly list?: 'item' | 'rest';
}

/** Replaces each run of white space by one space, and trims. */
export function tidy(text: string): string {
  return text.replace(/[\s\u00a0]+/g, ' ').trim();
}

/** A record as text: `name: value; name: value`. Empty values are left out. */
export function labelled(fields: Iterable<readonly [label: string, value: string]>): string {
  const parts: string[] = [];
  for (const [label, value] of fields) {
    const text = tidy(value);
    if (text !== '') parts.push(label === '' ? text : `${tidy(label)}: ${text}`);
  }
  return parts.join('; ');
}
