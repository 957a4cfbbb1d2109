import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readPrices } from '../../src/config/prices.ts';

async function fileWith(content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'prices-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'prices.json');
  await writeFile(file, content);
  return file;
}

test("the README's example is one that is read", async () => {
  const readme = await readFile(resolve(import.meta.dirname, '../../README.md'), 'utf8');
  const example = readme.match(
    /PRICES_FILE`[^`]*`cost`[^`]*`usage`[^`]*```json\n([\s\S]*?)```/,
  )?.[1];
  expect(await readPrices(await fileWith(example ?? ''))).toMatchObject({
    currency: 'USD',
    stt: { deepgram: { perMinute: 0.0077 } },
  });
});

test('a file that is missing, broken or wrong stops the start and says why', async () => {
  await expect(readPrices('/nowhere/prices.json')).rejects.toThrow(/PRICES_FILE: .*ENOENT/);
  await expect(readPrices(await fileWith('{'))).rejects.toThrow(/is not JSON/);
  await expect(readPrices(await fileWith('{"currency":"USD","phone":{}}'))).rejects.toThrow(
    /phone/,
  );
});
