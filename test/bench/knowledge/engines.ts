import MiniSearch from 'minisearch';
import type pg from 'pg';
import { buildIndexBlock } from '../../../src/knowledge/indexing/index-block.ts';
import { BLOCK_PASSAGES } from '../../../src/knowledge/indexing/segment-builder.ts';
import { isSmallWord } from '../../../src/knowledge/language/language-words.ts';
import { stemOf } from '../../../src/knowledge/language/stems.ts';
import { confidences } from '../../../src/knowledge/search/confidence.ts';
import type { WordPassage } from '../../../src/knowledge/search/fuse-passages.ts';
import { SearchIndex } from '../../../src/knowledge/search/search-index.ts';
import { searchWords } from '../../../src/knowledge/search/search-words.ts';
import type { PassageKey } from '../../../src/store/knowledge-lookup.ts';
import type { CorpusPassage } from './corpus.ts';

/** Finds passages of a corpus, best first, by their places in it. */
export interface Engine {
  readonly name: string;
  find(question: string): Promise<readonly Ranked[]>;
}

export interface Ranked {
  readonly place: number;
  /** 0…1, where the engine claims that it is right. */
  readonly confidence?: number;
}

/** Passages that an engine finds at most. */
export const FOUND = 10;

/** A corpus as the service indexes it, without its store. */
export interface ParleyIndex {
  passagesByWords(question: string, limit: number): readonly WordPassage[];
  /** The passage at a place of the corpus, and the way back. */
  keyOf(place: number): PassageKey;
  placeOf(passage: PassageKey): number;
}

export function parleyIndex(corpus: readonly CorpusPassage[]): ParleyIndex {
  const bySource = Map.groupBy(corpus.keys(), (place) => (corpus[place] as CorpusPassage).source);
  const keys: PassageKey[] = [];
  const segments = [...bySource].map(([id, places]) => {
    const blocks = [];
    for (let i = 0; i < places.length; i += BLOCK_PASSAGES)
      blocks.push(
        buildIndexBlock(
          places.slice(i, i + BLOCK_PASSAGES).map((place) => corpus[place] as CorpusPassage),
        ),
      );
    for (const [number, place] of places.entries()) keys[place] = { segmentId: id, number };
    return { id, blocks };
  });
  const index = new SearchIndex(segments);
  return {
    passagesByWords: (question, limit) =>
      searchWords(question, [index], limit).map(({ passage, score, evidence }) => ({
        ...index.locate(passage),
        score,
        evidence,
      })),
    keyOf: (place) => keys[place] as PassageKey,
    placeOf: ({ segmentId, number }) => bySource.get(segmentId)?.[number] ?? -1,
  };
}

export function parleyEngine({ passagesByWords, placeOf }: ParleyIndex): Engine {
  return {
    name: 'Parley',
    async find(question) {
      const hits = passagesByWords(question, FOUND);
      const confident = confidences(hits);
      return hits.map((hit, i) => ({ place: placeOf(hit), confidence: confident[i] ?? 0 }));
    },
  };
}

/** With Snowball stems, words of grammar left out, beginnings and slips. */
export function miniSearchEngine(corpus: readonly CorpusPassage[]): Engine {
  const search = new MiniSearch<{ id: number; text: string; headings: string }>({
    fields: ['text', 'headings'],
    processTerm: (term) => {
      const word = term.toLowerCase();
      return isSmallWord(word, 'en') ? null : stemOf(word, 'en');
    },
    searchOptions: {
      boost: { headings: 1.5 },
      fuzzy: (term) => (term.length > 3 ? 0.2 : false),
      prefix: (term) => term.length > 4,
    },
  });
  for (const [id, { text, headings }] of corpus.entries())
    search.add({ id, text, headings: headings.join(' ') });
  return {
    name: 'MiniSearch',
    find: async (question) =>
      search
        .search(question)
        .slice(0, FOUND)
        .map(({ id }) => ({ place: Number(id) })),
  };
}

/** Any of the words counts; `ts_rank` with the length of the passage. */
export async function postgresEngine(
  client: pg.Client,
  corpus: readonly CorpusPassage[],
): Promise<Engine> {
  await client.query('create temp table passages (place int, words tsvector)');
  const SLICE = 500;
  for (let i = 0; i < corpus.length; i += SLICE) {
    const rows = corpus.slice(i, i + SLICE).map(({ text, headings }, at) => ({
      place: i + at,
      text: storable(text),
      head: storable(headings.join(' ')),
    }));
    await client.query(
      `insert into passages select place, setweight(to_tsvector('english', head), 'A') || to_tsvector('english', text)
       from jsonb_to_recordset($1::jsonb) as row (place int, text text, head text)`,
      [JSON.stringify(rows)],
    );
  }
  await client.query('create index on passages using gin (words)');
  return {
    name: 'ts_rank',
    async find(question) {
      const { rows } = await client.query<{ place: number }>(
        `with asked as (select replace(plainto_tsquery('english', $1)::text, '&', '|')::tsquery as q)
         select place from passages, asked where words @@ q order by ts_rank(words, q, 1) desc limit ${FOUND}`,
        [question],
      );
      return rows;
    },
  };
}

/** Without what Postgres has no text for: the character 0, and halves of letters. */
const storable = (text: string) => text.replaceAll('\0', '').toWellFormed();
