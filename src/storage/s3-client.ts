import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import type { BucketAccess } from '../ports/bucket.ts';
import type { LinkOptions } from '../ports/download.ts';

/** The server has refused a request. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly status: number;
  /** Of S3, such as NoSuchUpload; ENOENT for an object that is not there. */
  readonly code: string;

  constructor(status: number, code: string, method: string) {
    super(`the storage server answered a ${method} request with ${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}

export interface UploadedPart {
  readonly number: number;
  readonly etag: string;
}

/** An object as the server lists it. */
export interface ListedObject {
  readonly key: string;
  readonly size: number;
  /** Of its content. */
  readonly etag: string;
  readonly modifiedAt: Date;
}

interface RequestOptions {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Undefined for the bucket. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly signal?: AbortSignal | undefined;
}

/** A part of 5 MiB over a slow line takes long; one that takes longer is sent anew. */
const REQUEST_MS = 60_000;
const ATTEMPTS = 3;
const NOT_IMPLEMENTED = [405, 501];
/** The status of an object that has another tag than was asked for. */
export const CHANGED = 412;
const RETRY_MS = 200;

/** The requests of S3's protocol that this service makes. Each has a deadline and a few attempts. */
export class S3Client {
  readonly #aws: AwsClient;
  readonly #bucket: string;
  /** Before each key, with a slash at its end; may be empty. */
  readonly #prefix: string;

  constructor(access: BucketAccess) {
    const { accessKeyId, secretAccessKey, sessionToken, region, prefix } = access;
    this.#aws = new AwsClient({
      ...{ accessKeyId, secretAccessKey, region, service: 's3' },
      ...(sessionToken ? { sessionToken } : {}),
    });
    this.#bucket = addressOf(access);
    this.#prefix = prefix
      .split('/')
      .filter(Boolean)
      .map((part) => `${part}/`)
      .join('');
  }

  async put(key: string, body: Buffer, signal: AbortSignal): Promise<void> {
    const headers = { 'content-md5': md5(body).toString('base64') };
    await this.#send({ method: 'PUT', key, body, headers, signal });
  }

  async beginUpload(key: string, signal: AbortSignal): Promise<string> {
    const answer = await this.#send({ method: 'POST', key, query: { uploads: '' }, signal });
    const id = elementOf(answer.toString(), 'UploadId');
    if (!id) throw new S3Error(200, 'without an upload id', 'POST');
    return id;
  }

  /** Resolves with the part's tag. The server compares the content with its digest. */
  async putPart(
    key: string,
    part: { readonly uploadId: string; readonly number: number; readonly body: Buffer },
    signal: AbortSignal,
  ): Promise<string> {
    const { uploadId, number, body } = part;
    const query = { partNumber: String(number), uploadId };
    const headers = { 'content-md5': md5(body).toString('base64') };
    const response = await this.#request({ method: 'PUT', key, query, headers, body, signal });
    await response.arrayBuffer();
    return response.headers.get('etag') ?? '';
  }

  async completeUpload(
    key: string,
    upload: { readonly uploadId: string; readonly parts: readonly UploadedPart[] },
    signal: AbortSignal,
  ): Promise<void> {
    const parts = upload.parts.map(
      ({ number, etag }) =>
        `<Part><PartNumber>${number}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
    );
    const xmlns = 'http://s3.amazonaws.com/doc/2006-03-01/';
    const body = Buffer.from(
      `<CompleteMultipartUpload xmlns="${xmlns}">${parts.join('')}</CompleteMultipartUpload>`,
    );
    const query = { uploadId: upload.uploadId };
    const headers = { 'content-type': 'application/xml' };
    const answer = await this.#send({ method: 'POST', key, query, headers, body, signal });
    // Amazon begins its answer before it knows whether that works.
    const text = answer.toString();
    if (text.includes('<Error>')) throw new S3Error(200, elementOf(text, 'Code') ?? '', 'POST');
  }

  async abortUpload(key: string, uploadId: string): Promise<void> {
    await this.#send({ method: 'DELETE', key, query: { uploadId } }).catch((error) => {
      // Some servers cannot end an upload; they forget it after some time.
      if (!(error instanceof S3Error && NOT_IMPLEMENTED.includes(error.status)))
        unlessMissing(error);
    });
  }

  async size(key: string, signal?: AbortSignal): Promise<number | undefined> {
    const headers = await this.#head(key, signal);
    return headers && Number(headers.get('content-length'));
  }

  /** The tag of an object's content, in quotes; undefined if there is none. */
  async tag(key: string, signal: AbortSignal): Promise<string | undefined> {
    return (await this.#head(key, signal))?.get('etag') ?? undefined;
  }

  /** The objects whose keys begin so, by their keys, asked for a thousand at a time. */
  async *list(start: string, signal: AbortSignal): AsyncGenerator<ListedObject> {
    let token: string | undefined;
    do {
      const query = {
        'list-type': '2',
        prefix: this.#prefix + start,
        ...(token ? { 'continuation-token': token } : {}),
      };
      const page = (await this.#send({ method: 'GET', query, signal })).toString();
      for (const object of page.split('<Contents>').slice(1)) {
        const text = (name: string) => unescapeXml(elementOf(object, name) ?? '');
        yield {
          key: text('Key').slice(this.#prefix.length),
          size: Number(text('Size')),
          etag: text('ETag'),
          modifiedAt: new Date(text('LastModified')),
        };
      }
      token = unescapeXml(elementOf(page, 'NextContinuationToken') ?? '');
    } while (token);
  }

  /** A part of an object; of the version with a tag, if one is given. */
  async read(
    key: string,
    first: number,
    last: number,
    { etag, signal }: { readonly etag?: string; readonly signal?: AbortSignal } = {},
  ): Promise<Buffer> {
    try {
      const headers = { range: `bytes=${first}-${last}` };
      return await this.#attempt({ method: 'GET', key, headers, signal }, async (response) => {
        const now = response.headers.get('etag');
        if (etag && now && now !== etag) {
          await response.body?.cancel();
          throw new S3Error(CHANGED, 'PreconditionFailed', 'GET');
        }
        return Buffer.from(await response.arrayBuffer());
      });
    } catch (error) {
      // Beyond the end of the object.
      if (error instanceof S3Error && error.status === 416) return Buffer.alloc(0);
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    await this.#send({ method: 'DELETE', key }).catch(unlessMissing);
  }

  async link(key: string, { seconds, contentType, disposition }: LinkOptions): Promise<string> {
    const url = this.#url(key, {
      'X-Amz-Expires': String(seconds),
      'response-content-type': contentType,
      'response-content-disposition': disposition,
    });
    return (await this.#aws.sign(url, { method: 'GET', aws: { signQuery: true } })).url;
  }

  async #head(key: string, signal: AbortSignal | undefined): Promise<Headers | undefined> {
    try {
      return (await this.#request({ method: 'HEAD', key, signal })).headers;
    } catch (error) {
      unlessMissing(error);
      return undefined;
    }
  }

  #url(key: string | undefined, query: Readonly<Record<string, string>> = {}): string {
    const path = key === undefined ? '' : this.#prefix + key;
    const encoded = path.split('/').map(encodeURIComponent).join('/');
    const url = new URL(`${this.#bucket}/${encoded}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url.href;
  }

  /** The body of an answer. One that breaks off is asked for again. */
  async #send(options: RequestOptions): Promise<Buffer> {
    return this.#attempt(options, async (response) => Buffer.from(await response.arrayBuffer()));
  }

  async #request(options: RequestOptions): Promise<Response> {
    return this.#attempt(options, async (response) => response);
  }

  async #attempt<Result>(
    options: RequestOptions,
    take: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await take(await this.#once(options));
      } catch (error) {
        options.signal?.throwIfAborted();
        const isRefused =
          error instanceof S3Error &&
          error.status !== 429 &&
          (error.status < 500 || error.status === 501);
        if (isRefused || attempt === ATTEMPTS) throw error;
      }
      await delay(RETRY_MS * 2 ** attempt, undefined, { signal: options.signal });
    }
  }

  async #once({ method, key, query, headers, body, signal }: RequestOptions): Promise<Response> {
    const request = await this.#aws.sign(this.#url(key, query), {
      method,
      headers: { ...headers },
      ...(body ? { body: new Uint8Array(body) } : {}),
    });
    const deadline = AbortSignal.timeout(REQUEST_MS);
    const response = await fetch(request, {
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    if (response.ok) return response;
    const text = await response.text();
    const code = elementOf(text, 'Code') ?? '';
    throw new S3Error(response.status, code === 'NoSuchKey' ? 'ENOENT' : code, method);
  }
}

function addressOf({ endpoint, bucket, region }: BucketAccess): string {
  return endpoint
    ? `${endpoint.replace(/(?<!\/)\/+$/, '')}/${bucket}`
    : `https://${bucket}.s3.${region}.amazonaws.com`;
}

export function md5(bytes: Uint8Array): Buffer {
  return createHash('md5').update(bytes).digest();
}

function unlessMissing(error: unknown): void {
  if (!(error instanceof S3Error && error.status === 404)) throw error;
}

/** The text of the first element of this name, with its entities. Those that are read here have no attributes. */
function elementOf(xml: string, name: string): string | undefined {
  return xml.match(new RegExp(`<${name}>([^<]*)</${name}>`))?.[1];
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
};

const unescapeXml = (text: string): string =>
  text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (entity, hex, decimal, name) => {
    if (name) return ENTITIES[name] ?? entity;
    return String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal));
  });
