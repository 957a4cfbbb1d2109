import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { FileFormat } from '../../src/contract/file.ts';
import { createSiteCrawler } from '../../src/knowledge/crawling/crawl-site.ts';
import { keepPassages } from '../../src/knowledge/training/keep-passages.ts';
import {
  type TrainingDeps,
  trainKnowledgeBase,
} from '../../src/knowledge/training/train-knowledge-base.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import type { Db } from '../../src/store/db.ts';
import { createFile } from '../../src/store/files.ts';
import { createKnowledgeBase } from '../../src/store/knowledge-bases.ts';
import { openTestFiles, type TestFiles } from './files.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Trains knowledge bases of given texts, without a service around it. */
export class TestTrainer {
  readonly files: TestFiles;
  readonly deps: TrainingDeps;
  readonly #db: Db;

  private constructor(db: Db, files: TestFiles, overrides: Partial<TrainingDeps>) {
    this.#db = db;
    this.files = files;
    const fetch = async () => {
      throw new Error('no network in this test');
    };
    this.deps = {
      db,
      jobs: files.jobs,
      storage: files.fileStorage,
      fileReader: files.fileReader,
      crawl: createSiteCrawler({ fetch, fileReader: files.fileReader }),
      keep: (kept) => keepPassages(db, kept),
      log: silent,
      ...overrides,
    };
  }

  static async open(db: Db, overrides: Partial<TrainingDeps> = {}): Promise<TestTrainer> {
    return new TestTrainer(db, await openTestFiles(), overrides);
  }

  /** Keeps a file, as an upload would. */
  async keep(
    teamId: string,
    file: { readonly name: string; readonly format: FileFormat; readonly content: string | Buffer },
  ): Promise<string> {
    const { name, format, content } = file;
    const incoming = await this.files.fileStorage.receive(Readable.from([Buffer.from(content)]), {
      maxBytes: 60 * 1024 * 1024,
      signal: new AbortController().signal,
    });
    const id = uuidv7();
    await incoming.keep(id);
    const { sizeBytes, sha256 } = incoming;
    await createFile(this.#db, { id, teamId, name, format, sizeBytes, sha256 });
    return id;
  }

  /** A base of these files, to be trained. */
  async createBase(teamId: string, fileIds: readonly string[]): Promise<string> {
    const files = fileIds.map((id) => ({ id }));
    return (await createKnowledgeBase(this.#db, { teamId, title: 'Test', files })).id;
  }

  train(
    teamId: string,
    knowledgeBaseId: string,
    attempt: { readonly signal?: AbortSignal; readonly last?: boolean } = {},
  ): Promise<void> {
    const { signal = new AbortController().signal, last = true } = attempt;
    return trainKnowledgeBase(this.deps, { teamId, knowledgeBaseId }, { signal, number: 1, last });
  }

  /** Overwrites a kept file's bytes. */
  async spoil(id: string, content: string | Buffer): Promise<void> {
    await writeFile(join(this.files.folder, id), content);
  }

  close(): Promise<void> {
    return this.files.close();
  }
}
