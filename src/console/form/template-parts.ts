/** A piece of a text: plain words or a variable. */
export interface TemplatePart {
  readonly text: string;
  /** Name of the variable, if the piece is one. */
  readonly variable?: string;
}

/** The same pattern as in the service. */
const VARIABLE = /\{\{\s*([\w.-]+)\s*\}\}/g;

/** Splits a text at its `{{name}}` variables. */
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

/** The variables of a text without duplicates, in order. */
export function variablesIn(text: string): readonly string[] {
  return [...new Set(templateParts(text).flatMap(({ variable }) => variable ?? []))];
}
