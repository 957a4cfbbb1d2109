import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOnnxEmbedder } from '../../src/providers/onnx-embeddings/adapter.ts';
import { readModelFolder } from '../../src/providers/onnx-embeddings/model-folder.ts';
import { writeSentenceModel } from '../support/sentence-model.ts';

const { signal } = new AbortController();
const MEANINGS = [
  ['car', 'vehicle', 'auto'],
  ['doctor', 'physician', 'arzt'],
  ['bread', 'loaf', 'brot'],
];
const logged: unknown[] = [];
const log = { debug() {}, info() {}, warn() {}, error: (entry: unknown) => logged.push(entry) };

let root: string;
let folder: string;
const open = new DisposableStack();
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'parley-embed-'));
  folder = join(root, 'three-meanings');
  await writeSentenceModel(folder, MEANINGS);
});
afterAll(async () => {
  open.dispose();
  await rm(root, { recursive: true, force: true });
});

const embedderOf = (at: string) =>
  open.adopt(createOnnxEmbedder({ folder: at, log }), (it) => it.close());
const cosine = (a?: Float32Array, b?: Float32Array) =>
  [...(a ?? [])].reduce((sum, value, i) => sum + value * (b?.[i] ?? 0), 0);

test('texts of the same meaning are near each other, in other words and languages; others are not', async () => {
  const embedder = embedderOf(folder);
  await embedder.start();
  expect(logged).toEqual([]);
  expect(embedder.model).toBe('three-meanings');
  // More than one slice, and of different lengths.
  const texts = ['car', 'a vehicle', 'the auto car', 'doctor', 'Arzt!', 'bread bread bread'];
  const vectors = await embedder.embed(texts, signal);
  expect(vectors.map((vector) => vector.length)).toEqual(texts.map(() => 384));
  for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
  const [car, vehicle, auto, doctor, arzt, bread] = vectors;
  for (const [a, b] of [
    [car, vehicle],
    [car, auto],
    [doctor, arzt],
  ])
    expect(cosine(a, b)).toBeGreaterThan(0.9);
  for (const [a, b] of [
    [car, doctor],
    [arzt, bread],
  ])
    expect(cosine(a, b)).toBeLessThan(0.3);
});

test('a text alone has the vector that it has among longer ones, and one beyond the limit is cut', async () => {
  const embedder = embedderOf(folder);
  const long = 'car '.repeat(500);
  const [among, cut] = await embedder.embed(['doctor', long], signal);
  const [alone] = await embedder.embed(['doctor'], signal);
  expect(cosine(among, alone)).toBeCloseTo(1, 4);
  const [short] = await embedder.embed(['car '.repeat(14)], signal);
  expect(cosine(cut, short)).toBeCloseTo(1, 4);
});

test('E5 models are told what is a question; others are not', async () => {
  expect((await readModelFolder(folder)).prompts).toEqual({ question: '', passage: '' });
  await writeFile(
    join(folder, 'config.json'),
    '{"_name_or_path":"intfloat/multilingual-e5-small"}',
  );
  expect((await readModelFolder(folder)).prompts).toEqual({
    question: 'query: ',
    passage: 'passage: ',
  });
  await rm(join(folder, 'config.json'));
});

test.each([
  ['no model', async (at: string) => rm(join(at, 'onnx'), { recursive: true }), /has none of/],
  ['no tokenizer', async (at: string) => rm(join(at, 'tokenizer.json')), /has no tokenizer\.json/],
  [
    'a cut configuration',
    async (at: string) => writeFile(join(at, 'config.json'), '{"_name'),
    /config\.json cannot be read/,
  ],
  [
    'a file that is no model',
    async (at: string) => writeFile(join(at, 'onnx/model.onnx'), 'no model'),
    /./,
  ],
])('a folder with %s is said once at the start, and to whoever asks', async (name, spoil, why) => {
  const broken = join(root, name.replaceAll(' ', '-'));
  await writeSentenceModel(broken, MEANINGS);
  await spoil(broken);
  logged.length = 0;
  const embedder = embedderOf(broken);
  await embedder.start();
  expect(logged).toHaveLength(1);
  expect(inspect((logged[0] as { err: Error }).err)).toMatch(why);
  await expect(embedder.embed(['car'], signal)).rejects.toMatchObject({
    name: 'ProviderError',
    provider: 'onnx',
    class: 'invalid',
  });
});

test('an embedding that nobody waits for any more ends', async () => {
  const embedder = embedderOf(folder);
  const gone = new AbortController();
  const waiting = embedder.embed(['car'], gone.signal);
  gone.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
});
