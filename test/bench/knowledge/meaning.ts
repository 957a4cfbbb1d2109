import {
  DEFAULT_FUSION,
  type Fusion,
  fusePassages,
  type WordPassage,
} from '../../../src/knowledge/search/fuse-passages.ts';
import { packVector, signBits } from '../../../src/knowledge/search/packed-vector.ts';
import {
  closestPassages,
  type SimilarPassage,
} from '../../../src/knowledge/search/similar-passages.ts';
import { createGuardedFetch } from '../../../src/lib/guarded-fetch.ts';
import { systemClock } from '../../../src/lib/system-clock.ts';
import type { Embedder } from '../../../src/ports/embedder.ts';
import { createOnnxEmbedder } from '../../../src/providers/onnx-embeddings/adapter.ts';
import { createOpenAiEmbedder } from '../../../src/providers/openai-embeddings/adapter.ts';
import type { CorpusPassage } from './corpus.ts';
import { type Engine, FOUND, type ParleyIndex } from './engines.ts';
import type { Question } from './questions.ts';
import { cell, recall } from './recall.ts';

const log = { debug() {}, info() {}, warn: console.warn, error: console.error };
const LISTED = 40;
const SLICE = 64;

/** The embedder of the environment, as the service takes it; undefined if there is none. */
export function configuredEmbedder(): (Embedder & { close?(): void }) | undefined {
  const { EMBED_MODEL_DIR, EMBED_BASE_URL, EMBED_MODEL, EMBED_API_KEY } = process.env;
  if (EMBED_MODEL_DIR) return createOnnxEmbedder({ folder: EMBED_MODEL_DIR, log });
  if (!EMBED_BASE_URL) return undefined;
  const { fetch } = createGuardedFetch({ allowPrivate: true, clock: systemClock });
  return createOpenAiEmbedder({
    ...{ apiKey: EMBED_API_KEY ?? '', baseUrl: EMBED_BASE_URL, clock: systemClock, fetch },
    ...(EMBED_MODEL ? { model: EMBED_MODEL } : {}),
  });
}

/** Both lists of each question, found once, so that many ways to merge them can be tried. */
export interface MeaningEngine extends Engine {
  fusedBy(fusion: Fusion): Engine;
}

/** Searches by words and by meaning, as the service does. */
export async function meaningEngine(
  corpus: readonly CorpusPassage[],
  { passagesByWords, keyOf, placeOf }: ParleyIndex,
  embedder: Embedder,
): Promise<MeaningEngine> {
  const signal = new AbortController().signal;
  const packed: Uint8Array[] = [];
  for (let i = 0; i < corpus.length; i += SLICE) {
    const texts = corpus
      .slice(i, i + SLICE)
      .map(({ headings, text }) => [...headings, text].join('\n'));
    packed.push(...(await embedder.embed(texts, signal)).map(packVector));
  }
  const vectors = { packed, signs: packed.map(signBits) };
  const lists = new Map<string, [readonly WordPassage[], readonly SimilarPassage[]]>();
  const listsOf = async (question: string) => {
    const known = lists.get(question);
    if (known) return known;
    const [values] = await embedder.embed([question], signal, 'question');
    const close = values ? closestPassages(values, vectors, LISTED) : [];
    const byMeaning = close.map(({ number, similarity }) => ({ ...keyOf(number), similarity }));
    const both: [readonly WordPassage[], readonly SimilarPassage[]] = [
      passagesByWords(question, LISTED),
      byMeaning,
    ];
    lists.set(question, both);
    return both;
  };
  const fusedBy = (fusion: Fusion): Engine => ({
    name: `Parley, ${embedder.model}`,
    async find(question) {
      const fused = fusePassages(...(await listsOf(question)), fusion).slice(0, FOUND);
      return fused.map((passage) => ({ place: placeOf(passage), confidence: passage.score }));
    },
  });
  return { ...fusedBy(DEFAULT_FUSION), fusedBy };
}

/** What each way to merge the two lists finds, for the questions that may be tuned on. */
export async function fusionCurve(
  engine: MeaningEngine,
  corpus: readonly CorpusPassage[],
  kinds: Readonly<Record<string, readonly Question[]>>,
) {
  const rows: Record<string, string | number>[] = [];
  for (const rankOffset of [3, 10, 30, 60])
    for (const meaningWeight of [0.25, 0.5, 1, 2, 4]) {
      const fused = engine.fusedBy({ rankOffset, meaningWeight });
      const row: Record<string, string | number> = { rankOffset, meaningWeight };
      for (const [kind, questions] of Object.entries(kinds))
        row[kind] = cell(await recall(fused, corpus, questions));
      rows.push(row);
    }
  return rows;
}
