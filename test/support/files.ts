import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobSender } from '../../src/jobs/job-sender.ts';
import { LocalFileStorage } from '../../src/knowledge/local-file-storage.ts';
import { FileReader, type FileReaderOptions } from '../../src/knowledge/reading/file-reader.ts';

export interface TestFiles {
  readonly folder: string;
  readonly fileStorage: LocalFileStorage;
  readonly fileReader: FileReader;
  /** Takes jobs and lets them be. */
  readonly jobs: JobSender;
  close(): Promise<void>;
}

/** A file storage in a folder of its own, and what reads from it. */
export async function openTestFiles(options: FileReaderOptions = {}): Promise<TestFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-files-'));
  const fileStorage = await LocalFileStorage.open(folder);
  const fileReader = new FileReader(options);
  return {
    folder,
    fileStorage,
    fileReader,
    jobs: { send: async () => true },
    async close() {
      await fileReader.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
