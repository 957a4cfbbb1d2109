import { type Reply, tail } from './summary.ts';

type Hops = Readonly<Record<string, number>>;

/**
 * What each part of a reply's way took, ms. A draft that was ready needs only a voice; else the model is asked first.
 * Undefined: the vendors can't tell which of their answers it was.
 */
function hopsOf({
  from,
  answeredAt,
  vendors,
}: Reply): readonly [kind: string, hops: Hops] | undefined {
  const [model, voice, ...others] = vendors;
  if (!model || !voice || others.length > 0 || voice.from < from) return undefined;
  const spoken = { 'voice to caller': answeredAt - voice.to, all: answeredAt - from };
  if (model.to <= from) return ['draft', { 'turn over to voice': voice.from - from, ...spoken }];
  if (model.from < from) return undefined;
  const asked = {
    'turn over to model': model.from - from,
    'model to voice': voice.from - model.to,
  };
  return ['model', { ...asked, ...spoken }];
}

/** Median, mean and slowest hundredth of each part, by what was there when the turn was over: a draft, or nothing. */
export function replyHops(replies: readonly Reply[]) {
  const parts = new Map<string, number[]>();
  for (const reply of replies) {
    const [kind, hops] = hopsOf(reply) ?? [];
    for (const [hop, ms] of Object.entries(hops ?? {})) {
      const name = `${kind}: ${hop}`;
      parts.set(name, [...(parts.get(name) ?? []), ms]);
    }
  }
  return Object.fromEntries(
    [...parts].map(([name, all]) => {
      const { n, p50, p99 } = tail(all);
      const mean = all.reduce((sum, ms) => sum + ms, 0) / n;
      return [name, { replies: n, p50, mean: Math.round(mean * 100) / 100, p99 }];
    }),
  );
}
