import PQueue from 'p-queue';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { File as StoredFile } from '../../client/api.generated.ts';
import { ApiError } from '../../client/api-error.ts';
import { clientWith, leaveIfRefused } from '../session.ts';
import { faultText } from '../ui/fault-text.ts';
import { faultOfFile } from './file-check.ts';
import type { Upload } from './upload.ts';
import { uploadFetch } from './upload-fetch.ts';

const AT_ONCE = 2;
/** The service's own limit for an upload. */
const DEADLINE_MS = 15 * 60_000;
const REFUSED = new Set([400, 413, 415, 422]);

/** Uploads of a page. */
export interface Uploads {
  /** Uploads in progress and failed ones; completed ones belong to the base. */
  readonly items: readonly Upload[];
  readonly add: (files: Iterable<File>) => void;
  /** Cancels an upload, or removes a failed one from the list. */
  readonly drop: (id: number) => void;
  readonly retry: (id: number) => void;
}

/** Uploads files, two at a time, and attaches each one when it is complete; leaving the page cancels the rest. */
export function useUploads(attach: (file: StoredFile) => Promise<void>): Uploads {
  const [items, setItems] = useState<readonly Upload[]>([]);
  const attaching = useRef(attach);
  attaching.current = attach;
  const queue = useMemo(() => {
    const change = (id: number, changes: Partial<Upload>): void =>
      setItems((old) => old.map((item) => (item.id === id ? { ...item, ...changes } : item)));
    const remove = (id: number): void => setItems((old) => old.filter((item) => item.id !== id));
    return new UploadQueue({ change, remove, attach: (file) => attaching.current(file) });
  }, []);
  useEffect(() => () => queue.close(), [queue]);
  return {
    items,
    add: (files) => {
      const taken = [...files].map((file) => queue.take(file));
      setItems((old) => [...old, ...taken]);
      for (const { id } of taken) queue.start(id);
    },
    drop: (id) => queue.drop(id),
    retry: (id) => queue.retry(id),
  };
}

interface UploadQueueDeps {
  readonly change: (id: number, changes: Partial<Upload>) => void;
  readonly remove: (id: number) => void;
  readonly attach: (file: StoredFile) => Promise<void>;
}

/** Runs the upload requests. */
class UploadQueue {
  readonly #deps: UploadQueueDeps;
  readonly #sending = new PQueue({ concurrency: AT_ONCE });
  /** One change of the base at a time, because parallel changes would only collide. */
  readonly #attaching = new PQueue({ concurrency: 1 });
  readonly #files = new Map<number, { readonly file: File; stop: AbortController }>();
  #taken = 0;

  constructor(deps: UploadQueueDeps) {
    this.#deps = deps;
  }

  take(file: File): Upload {
    const id = ++this.#taken;
    const item = { id, name: file.name, sizeBytes: file.size, share: 0 };
    const fault = faultOfFile(file);
    if (fault !== undefined) return { ...item, state: 'failed', fault };
    this.#files.set(id, { file, stop: new AbortController() });
    return { ...item, state: 'waiting' };
  }

  drop(id: number): void {
    this.#files.get(id)?.stop.abort();
    this.#files.delete(id);
    this.#deps.remove(id);
  }

  retry(id: number): void {
    const entry = this.#files.get(id);
    if (!entry) return;
    entry.stop = new AbortController();
    this.#deps.change(id, { state: 'waiting', share: 0 });
    this.start(id);
  }

  close(): void {
    for (const { stop } of this.#files.values()) stop.abort();
    this.#files.clear();
  }

  start(id: number): void {
    const entry = this.#files.get(id);
    if (!entry) return;
    const { file, stop } = entry;
    this.#send(id, file, stop.signal).catch((error: unknown) => {
      if (stop.signal.aborted) return;
      leaveIfRefused(error);
      const canRetry = !(error instanceof ApiError && REFUSED.has(error.status));
      this.#deps.change(id, { state: 'failed', fault: reasonOf(error), canRetry });
    });
  }

  async #send(id: number, file: File, signal: AbortSignal): Promise<void> {
    const { change } = this.#deps;
    const stored = await this.#sending.add(() => {
      signal.throwIfAborted();
      change(id, { state: 'sending' });
      const fetch = uploadFetch((share) =>
        change(id, share < 1 ? { share } : { share, state: 'reading' }),
      );
      const body = new FormData();
      body.set('file', file);
      return clientWith({ fetch, timeoutMs: DEADLINE_MS }).call('uploadFile', { body, signal });
    });
    change(id, { state: 'attaching' });
    await this.#attaching.add(() => this.#deps.attach(stored));
    this.#files.delete(id);
    this.#deps.remove(id);
  }
}

/** The error message without the field name `file`, which the service puts first. */
function reasonOf(error: unknown): string {
  const text = faultText(error).replace(/^file: /i, '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
