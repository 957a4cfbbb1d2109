import type { Db } from '../../store/db.ts';
import {
  addPassages,
  addTerms,
  createSegment,
  finishSegment,
} from '../../store/knowledge-index.ts';
import type { FileReader } from '../reading/file-reader.ts';
import type { IndexResult } from '../reading/messages.ts';
import { UnreadableError } from '../reading/unreadable-error.ts';
import { fingerprintOf, type Source } from './sources.ts';
import type { Vectoriser } from './vectoriser.ts';

interface BuildSegmentDeps {
  readonly db: Db;
  readonly fileReader: Pick<FileReader, 'index'>;
  readonly vectoriser: Vectoriser;
}

/** Makes the segment of a source, which no search looks into yet; returns its id. */
export async function buildSegment(
  { db, fileReader, vectoriser }: BuildSegmentDeps,
  params: {
    readonly teamId: string;
    readonly knowledgeBaseId: string;
    readonly source: Source;
    readonly signal: AbortSignal;
  },
): Promise<string> {
  const { teamId, knowledgeBaseId, source, signal } = params;
  const { model } = vectoriser;
  const segmentId = await createSegment(db, {
    knowledgeBaseId,
    source: source.name,
    title: source.title,
    fingerprint: fingerprintOf(source, model),
  });
  const keep = async (result: IndexResult): Promise<void> => {
    if (result.kind === 'passages') {
      const vectors = await vectoriser.vectorsOf(result.passages, signal);
      const { passages } = result;
      await addPassages(db, { segmentId, passages, ...(vectors ? { vectors } : {}) });
    } else if (result.kind === 'terms')
      await addTerms(db, { knowledgeBaseId, segmentId, terms: result.terms });
    else {
      // A vendor that failed on the way leaves it without vectors, to be made anew next time.
      const vectorModel = vectoriser.model === model ? model : undefined;
      const fingerprint = fingerprintOf(source, vectorModel);
      await finishSegment(db, { id: segmentId, ...result.summary, vectorModel, fingerprint });
    }
  };
  try {
    await fileReader.index(source.documents, keep, { team: teamId, signal });
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    throw new UnreadableError(`${source.title}: ${error.message}`, { cause: error });
  }
  return segmentId;
}
