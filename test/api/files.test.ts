import { readdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, startTestApi, type TestApi, type TestClient } from '../support/api.ts';
import { openTestFiles, type TestFiles } from '../support/files.ts';
import { withDatabase } from '../support/postgres.ts';

const FILES = '/kb/v1/files';
const BASES = '/kb/v1/knowledge-bases';
const MIB = 1024 * 1024;

interface Part {
  readonly name?: string;
  readonly filename?: string;
  readonly type?: string;
  readonly content: string | Buffer;
}

/** A multipart form as a browser writes it. */
function form(parts: readonly Part[]): { readonly body: Buffer; readonly type: string } {
  const boundary = 'test-boundary-1234';
  const chunks = parts.flatMap(({ name = 'file', filename, type, content }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  const body = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}

withDatabase('files', ({ db, newTeam }) => {
  let files: TestFiles;
  let api: TestApi;
  let ada: TestClient;
  let eve: TestClient;
  let address: string;
  beforeAll(async () => {
    files = await openTestFiles();
    api = await startTestApi(db(), files);
    ada = await api.client(await newTeam());
    eve = await api.client(await newTeam());
    address = await api.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(async () => {
    await api.close();
    await files.close();
  });

  const send = (parts: readonly Part[], headers: Record<string, string> = {}): Promise<Answer> => {
    const { body, type } = form(parts);
    return ada.sendBytes(FILES, body, { 'content-type': type, ...headers });
  };
  const upload = (filename: string, content: string | Buffer, type?: string) =>
    send([{ filename, content, ...(type ? { type } : {}) }]);
  const kept = async () => (await readdir(files.folder)).filter((name) => name !== 'incoming');
  const incoming = () => readdir(join(files.folder, 'incoming'));

  test('an upload answers with the file, which can be read, listed and downloaded', async () => {
    const { status, body } = await upload('Prices of “2026”.md', '# Prices\n\nAll is free.');
    expect(status, api.log.at(-1) ?? '').toBe(200);
    expect(body).toEqual({
      id: expect.any(String),
      name: 'Prices of “2026”.md',
      type: 'file',
      teamId: ada.teamId,
      format: 'md',
      sizeBytes: 22,
      createdAt: expect.stringMatching(/Z$/),
    });
    expect((await ada.get(`${FILES}/${body.id}`)).body).toEqual(body);
    expect((await ada.get(FILES)).body.files[0]).toEqual(body);
    const content = await ada.get(`${FILES}/${body.id}/content`);
    expect(content.text).toBe('# Prices\n\nAll is free.');
    expect(content.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': `attachment; filename="Prices of _2026_.md"; filename*=UTF-8''Prices%20of%20%E2%80%9C2026%E2%80%9D.md`,
    });
    const part = await ada.get(`${FILES}/${body.id}/content`, { range: 'bytes=2-7' });
    expect([part.status, part.text, part.headers['content-range']]).toEqual([
      206,
      'Prices',
      'bytes 2-7/22',
    ]);
  });

  test.each([
    ['faq.json', '{"a": 1}', 'application/json', 'json'],
    ['faq.JSON', '[1]', '', 'json'],
    ['page.htm', '<!doctype html><p>Hello', 'text/html', 'html'],
    ['page', '<!doctype html><p>Hello', '', 'html'],
    ['hours', 'Open at nine.', 'text/markdown', 'md'],
    ['hours', 'Open at nine.', 'application/octet-stream', 'txt'],
    ['a.csv', 'a,b\n1,2', 'application/vnd.ms-excel', 'csv'],
    ['a.tsv', 'a\tb\n1\t"2', 'text/plain', 'tsv'],
    ['a.yml', 'a: 1', 'application/x-yaml', 'yaml'],
    ['a.xml', '<a><b>c</b></a>', 'application/xml', 'xml'],
    ['a.log', '\u001b[31merror\u001b[0m at nine', '', 'log'],
    ['latin.txt', Buffer.from('caf\xe9', 'latin1'), 'text/plain', 'txt'],
    ['wide.txt', Buffer.from('\ufeffcafé', 'utf16le'), 'text/plain', 'txt'],
  ])('%s holding %j declared %j is %s', async (name, content, type, format) => {
    const { status, body, text } = await upload(name, content, type);
    expect(status, text).toBe(200);
    expect(body.format).toBe(format);
  });

  test.each([
    ['a.pdf', 'Hello', '', 'The file is named .pdf, but its content is plain text.'],
    ['a.txt', '%PDF-1.7\n', '', 'The file is named .txt, but its content is PDF.'],
    ['a.csv', '{"a": 1}', '', 'The file is named .csv, but its content is JSON.'],
    [
      'a.txt',
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
      '',
      'The file is named .txt, but its content is not text.',
    ],
    ['a.html', 'Hello', '', 'The file is named .html, but its content is plain text.'],
    [
      'a.md',
      'Hello',
      'application/pdf',
      'The file is declared as application/pdf, but its content is plain text.',
    ],
    ['a.md', 'Hello', 'image/png', 'Files of type image/png are not supported.'],
    ['a.exe', 'Hello', '', 'Files named .exe are not supported.'],
    ['a.json', '{"a": ', '', 'The file is not valid JSON:'],
    ['a.yaml', 'a: [1', '', 'The file is not valid YAML:'],
    ['a.csv', 'a,b\n1,"2', '', 'The table cannot be read:'],
    ['a.pdf', '%PDF-1.7\nbroken', '', 'The PDF is broken and cannot be read.'],
    ['a.docx', 'PK\x03\x04', '', 'The file is named .docx, but its content is'],
    ['a.txt', '', '', 'The file is empty.'],
    ['a.txt', ' \n--- \n', '', 'There is no text in the file.'],
  ])('%s holding %j declared %j is refused: %s', async (name, content, type, reason) => {
    const before = await kept();
    const answer = await upload(name, content, type);
    expect(answer.status).toBe(422);
    expect(answer.body.detail.errors).toEqual([
      { path: 'file', message: expect.stringContaining(reason) },
    ]);
    expect([await kept(), await incoming()]).toEqual([before, []]);
  });

  test.each([
    ['no part', [], 'file', 'is required'],
    [
      'another part',
      [{ name: 'upload', filename: 'a.txt', content: 'a' }],
      'upload',
      'unknown field',
    ],
    ['a field', [{ content: 'a' }], 'file', 'must be a file'],
    [
      'two files',
      [
        { filename: 'a.txt', content: 'a' },
        { filename: 'b.txt', content: 'b' },
      ],
      'file',
      'must be one file',
    ],
    [
      'a file and a field',
      [
        { filename: 'a.txt', content: 'a' },
        { name: 'x', content: 'b' },
      ],
      'x',
      'unknown field',
    ],
    ['no name', [{ filename: '', content: 'a' }], 'file', 'must have a file name'],
    [
      'a long name',
      [{ filename: `${'a'.repeat(256)}.txt`, content: 'a' }],
      'file',
      'must have a name of at most 255 characters',
    ],
  ])('%s is refused', async (_, parts, path, message) => {
    const answer = await send(parts);
    expect(answer.status, answer.text).toBe(422);
    expect(answer.body.detail.errors).toContainEqual({ path, message });
    expect(await incoming()).toEqual([]);
  });

  test('a name that climbs is a name', async () => {
    const { body } = await upload('../../etc/passwd.txt', 'root');
    expect(body.name).toBe('passwd.txt');
  });

  test('anything but a form is refused', async () => {
    for (const type of ['application/json', 'text/plain']) {
      const answer = await ada.sendBytes(FILES, Buffer.from('{}'), { 'content-type': type });
      expect(answer).toMatchObject({
        status: 415,
        body: { detail: 'The content type must be multipart/form-data' },
      });
    }
    expect((await ada.post(FILES)).status).toBe(415);
    const broken = { 'content-type': 'multipart/form-data; boundary=x' };
    expect((await ada.sendBytes(FILES, Buffer.from('--x\r\nnonsense'), broken)).status).toBe(400);
    expect(
      (await ada.sendBytes(FILES, Buffer.from('a'), { 'content-type': 'multipart/form-data' }))
        .status,
    ).toBe(400);
  });

  test('the same upload with the same key is one file', async () => {
    const key = { 'idempotency-key': 'upload once' };
    const first = await send([{ filename: 'once.txt', content: 'Once.' }], key);
    const second = await send([{ filename: 'once.txt', content: 'Once.' }], key);
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect((await send([{ filename: 'once.txt', content: 'Twice.' }], key)).status).toBe(409);
  });

  test('another team finds nothing', async () => {
    const { body } = await upload('mine.txt', 'Mine.');
    const missing = { status: 404, body: { detail: 'File not found' } };
    expect(await eve.get(`${FILES}/${body.id}`)).toMatchObject(missing);
    expect(await eve.get(`${FILES}/${body.id}/content`)).toMatchObject(missing);
    expect(await eve.delete(`${FILES}/${body.id}`)).toMatchObject(missing);
    expect((await eve.get(FILES)).body).toEqual({ files: [] });
    expect((await eve.post(BASES, { title: 'Hers', files: [{ id: body.id }] })).status).toBe(422);
  });

  test('a file that is attached stays until it is detached', async () => {
    const { id } = (await upload('attached.txt', 'Here.')).body;
    const base = (await ada.post(BASES, { title: 'Museum', files: [{ id }] })).body;
    expect(base).toMatchObject({ files: [{ id }], status: 'queued' });
    const refused = await ada.delete(`${FILES}/${id}`);
    expect(refused.status).toBe(409);
    expect(refused.body.detail).toEqual({
      message: 'The file is attached to knowledge bases: detach it first',
      attachedKnowledgeBases: [{ id: base.id, title: 'Museum' }],
    });
    expect((await ada.put(`${BASES}/${base.id}`, { title: 'Museum' })).status).toBe(200);
    expect(await ada.delete(`${FILES}/${id}`)).toMatchObject({
      status: 200,
      body: { message: 'File deletion accepted' },
    });
    expect(await kept()).not.toContain(id);
    expect((await ada.get(`${FILES}/${id}`)).status).toBe(404);
  });

  test('attaching and deleting at once ends in one of the two, never in both', async () => {
    for (let round = 0; round < 8; round++) {
      const { id } = (await upload('race.txt', 'Race.')).body;
      const [attached, deleted] = await Promise.all([
        ada.post(BASES, { title: 'Race', files: [{ id }] }),
        ada.delete(`${FILES}/${id}`),
      ]);
      expect([attached.status, deleted.status]).toSatisfy(
        ([a, d]: [number, number]) => (a === 201 && d === 409) || (a === 422 && d === 200),
      );
    }
  });

  describe('of a size', () => {
    const post = (body: Buffer, type: string) =>
      fetch(`${address}${FILES}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ada.key}`, 'content-type': type },
        body: body,
      });

    test('of 50 MiB is taken, and a byte more is not', async () => {
      const line = 'All work and no play makes for a long and even file, line after line.\n';
      const content = Buffer.alloc(50 * MIB, line);
      const whole = form([{ filename: 'large.txt', content }]);
      const taken = await post(whole.body, whole.type);
      expect(taken.status).toBe(200);
      expect(((await taken.json()) as { sizeBytes: number }).sizeBytes).toBe(50 * MIB);
      const more = form([
        { filename: 'large.txt', content: Buffer.concat([content, Buffer.from('x')]) },
      ]);
      const refused = await post(more.body, more.type);
      expect(refused.status).toBe(413);
      expect(await refused.json()).toEqual({ detail: 'The file is larger than 50 MiB' });
      expect(await incoming()).toEqual([]);
    });

    test('that is announced too large is refused before it is sent', async () => {
      const { port, hostname } = new URL(address);
      const socket = connect(Number(port), hostname);
      socket.write(
        `POST ${FILES} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.key}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${60 * MIB}\r\n\r\n--x`,
      );
      let text = '';
      for await (const chunk of socket) text += chunk;
      expect(text).toMatch(/^HTTP\/1.1 413 /);
      expect(text.toLowerCase()).toContain('connection: close');
    });

    test('whose sender goes away leaves nothing behind', async () => {
      const { port, hostname } = new URL(address);
      const before = await kept();
      const socket = connect(Number(port), hostname);
      socket.write(
        `POST ${FILES} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.key}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${MIB}\r\n\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nHalf`,
      );
      await expect.poll(incoming).toHaveLength(1);
      socket.destroy();
      await expect.poll(incoming).toEqual([]);
      expect(await kept()).toEqual(before);
    });
  });

  test('what a killed process left is removed, and nothing else', async () => {
    const { id } = (await upload('known.txt', 'Known.')).body;
    await writeFile(await files.fileStorage.pathOf('unknown'), 'left');
    const known = async (ids: readonly string[]) => new Set(ids.filter((it) => it !== 'unknown'));
    expect(await files.fileStorage.sweep(known, Date.now())).toBe(0);
    expect(await files.fileStorage.sweep(known, Date.now() + 2 * 3_600_000)).toBe(1);
    expect(await kept()).toContain(id);
    expect(await kept()).not.toContain('unknown');
  });

  test('a storage that fails in the middle is a failure of ours, and leaves nothing', async () => {
    const failing = new Readable({ read: () => undefined });
    const received = files.fileStorage.receive(failing, {
      maxBytes: 100,
      signal: new AbortController().signal,
    });
    failing.push('some');
    failing.destroy(new Error('torn'));
    await expect(received).rejects.toThrow('torn');
    expect(await incoming()).toEqual([]);
  });
});
