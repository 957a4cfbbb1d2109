import type { RedactionLabel } from '../contract/redaction.ts';

/** A part of a text that is to be taken out: UTF-16 offsets, the end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly label: RedactionLabel;
}

/** Spans in order of place without overlaps: of two that overlap the first in the list wins, and takes the other's part. */
export function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const ranked = spans.map((span, rank) => ({ span, rank }));
  const sorted = ranked.toSorted((a, b) => a.span.start - b.span.start || a.rank - b.rank);
  const merged: { span: Span; rank: number }[] = [];
  for (const { span, rank } of sorted) {
    const last = merged.at(-1);
    if (!last || span.start >= last.span.end) {
      merged.push({ span, rank });
      continue;
    }
    const winner = last.rank <= rank ? last : { span, rank };
    const end = Math.max(last.span.end, span.end);
    const { label } = winner.span;
    merged[merged.length - 1] = {
      span: { start: last.span.start, end, label },
      rank: winner.rank,
    };
  }
  return merged.map(({ span }) => span);
}

/** The text with `[label]` in place of each span. The spans are in order and do not overlap. */
export function maskText(text: string, spans: readonly Span[]): string {
  let masked = '';
  let at = 0;
  for (const { start, end, label } of spans) {
    masked += `${text.slice(at, start)}[${label}]`;
    at = end;
  }
  return masked + text.slice(at);
}
