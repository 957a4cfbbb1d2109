/** Where a passage stands that the tool for knowledge bases found. */
export interface ToolSource {
  readonly document: string;
  /** Headings and page, as far as there are any. */
  readonly place: string;
  /** 0…1: how likely it answers the question. */
  readonly score: number;
}

/** The sources in a result of the tool `knowledgeBase`; none in any other result. */
export function toolSources(result: string): readonly ToolSource[] {
  try {
    const { results } = JSON.parse(result) as { results?: unknown };
    return Array.isArray(results) ? results.flatMap(toSource) : [];
  } catch {
    return [];
  }
}

function toSource(value: unknown): readonly ToolSource[] {
  if (typeof value !== 'object' || value === null) return [];
  const { document, question, heading, page, score } = value as Readonly<Record<string, unknown>>;
  const title = typeof document === 'string' ? document : question;
  if (typeof title !== 'string' || typeof score !== 'number') return [];
  const place = [
    typeof document === 'string' ? heading : 'Question',
    typeof page === 'number' && `page ${page}`,
  ];
  return [{ document: title, place: place.filter(Boolean).join(', '), score }];
}
