import { invalid, Problem } from '../../contract/errors.ts';
import type { FileReader } from '../../knowledge/reading/file-reader.ts';
import { ReaderBusyError } from '../../knowledge/reading/reader-busy-error.ts';
import { UnreadableError } from '../../knowledge/reading/unreadable-error.ts';
import { uuidv7 } from '../../lib/ids.ts';
import type { FileStorage } from '../../ports/file-storage.ts';
import type { Db } from '../../store/db.ts';
import { createFile, type StoredFile } from '../../store/files.ts';
import { refuseOverStorage } from '../../store/team-limits.ts';
import { lockTeam } from '../../store/teams.ts';
import type { Upload } from './receive.ts';

interface CreateFileDeps {
  readonly db: Db;
  readonly storage: FileStorage;
  readonly fileReader: Pick<FileReader, 'inspect'>;
}

const RETRY_AFTER_SECONDS = 5;

/** Stores an upload as a file of the team if its content is usable. */
export async function createFileFromUpload(
  { db, storage, fileReader }: CreateFileDeps,
  params: { readonly teamId: string; readonly upload: Upload; readonly signal: AbortSignal },
): Promise<StoredFile> {
  const { teamId, upload, signal } = params;
  const { name, incoming } = upload;
  const { format } = await fileReader
    .inspect(incoming.path, upload, { team: teamId, signal })
    .catch((error: unknown) => {
      throw problemOf(error);
    });
  const id = uuidv7();
  await incoming.keep(id);
  try {
    const { sizeBytes, sha256 } = incoming;
    return await db.transaction(async (tx) => {
      const team = await lockTeam(tx, { teamId });
      await refuseOverStorage(tx, { teamId, team, moreBytes: sizeBytes });
      return createFile(tx, { id, teamId, name, format, sizeBytes, sha256 });
    });
  } catch (error) {
    await storage.remove(id);
    throw error;
  }
}

function problemOf(error: unknown): unknown {
  if (error instanceof UnreadableError) {
    const fault = { path: 'file', message: error.message };
    return invalid([fault], error.message);
  }
  if (error instanceof ReaderBusyError)
    return new Problem({
      kind: 'unavailable',
      message: 'The service is too busy to read the file',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: error,
    });
  return error;
}
