import { LocalFileStorage } from './knowledge/local-file-storage.ts';
import { FileReader } from './knowledge/reading/file-reader.ts';
import type { Log } from './ports/log.ts';
import type { Db } from './store/db.ts';
import { knownFileIds } from './store/files.ts';

interface KnowledgeServiceDeps {
  readonly db: Db;
  readonly filesDir: string;
  readonly log: Log;
}

/** What keeps and reads the files that knowledge bases are made of. */
export interface KnowledgeService {
  readonly fileStorage: LocalFileStorage;
  readonly fileReader: FileReader;
  close(): void;
}

/** Opens the file storage and forgets what a killed process left in it. */
export async function openKnowledge({
  db,
  filesDir,
  log,
}: KnowledgeServiceDeps): Promise<KnowledgeService> {
  const fileStorage = await LocalFileStorage.open(filesDir);
  const removed = await fileStorage.sweep((ids) => knownFileIds(db, ids), Date.now());
  if (removed > 0) log.info({ removed }, 'files without an owner were removed');
  const fileReader = new FileReader();
  return { fileStorage, fileReader, close: () => fileReader.close() };
}
