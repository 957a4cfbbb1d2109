import type { Db } from '../../store/db.ts';
import { createSegment, finishSegment } from '../../store/knowledge-index.ts';
import type { FileReader } from '../reading/file-reader.ts';
import type { IndexResult } from '../reading/messages.ts';
import { UnreadableError } from '../reading/unreadable-error.ts';
import type { KeepPassages } from './keep-passages.ts';
import { fingerprintOf, READER_VERSION, type Source } from './sources.ts';
import type { Vectoriser } from './vectoriser.ts';

interface BuildSegmentDeps {
  readonly db: Db;
  readonly fileReader: Pick<FileReader, 'index'>;
  readonly vectoriser: Vectoriser;
  readonly keep: KeepPassages;
}

/** Builds the segment of a source, which is not searched yet; returns its id. */
export async function buildSegment(
  { db, fileReader, vectoriser, keep }: BuildSegmentDeps,
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
    readerVersion: READER_VERSION,
  });
  const take = async (result: IndexResult): Promise<void> => {
    if (result.kind === 'passages') {
      const { passages, block } = result;
      const vectors = await vectoriser.vectorsOf(passages, signal);
      await keep({ segmentId, passages, block, vectors });
    } else {
      // If the vendor failed on the way, the segment counts as without vectors, and the next training rebuilds it.
      const vectorModel = vectoriser.model === model ? model : undefined;
      const fingerprint = fingerprintOf(source, vectorModel);
      await finishSegment(db, { id: segmentId, ...result.summary, vectorModel, fingerprint });
    }
  };
  try {
    await fileReader.index(source.documents, take, { team: teamId, signal });
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    throw new UnreadableError(`${source.title}: ${error.message}`, { cause: error });
  }
  return segmentId;
}
