/** A piece of a text: words, or a variable that is filled in. */
export interface TemplatePart {
  readonly text: string;
  /** Its name, where it is a variable. */
  readonly variable?: string;
}

/** As the service finds them. */
const VARIABLE = /\{\{\s*([\w.-]+)\s*\}\}/g;

/** A text, cut where its `{{name}}`s begin and end. */
export function templateParts(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const match of text.matchAll(VARIABLE)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index) });
    parts.push({ text: match[0], variable: match[1] ?? '' });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** The variables of a text, each once, in their order. */
export function variablesIn(text: string): readonly string[] {
  return [...new Set(templateParts(text).flatMap(({ variable }) => variable ?? []))];
}
