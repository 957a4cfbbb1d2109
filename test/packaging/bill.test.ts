import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { completeBill } from '../../packaging/bill.ts';
import { bundleVendors } from '../../packaging/bundle-vendors.ts';

test('the bill of materials names what is built in beside what is installed, each once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bill-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const builtIn = await bundleVendors(folder);
  const fastify = { name: 'fastify', version: '5.0.0' };
  const bill = completeBill({ bomFormat: 'CycloneDX', components: [fastify] }, builtIn);
  const names = bill.components.map(({ name }) => name);
  expect(bill.bomFormat).toBe('CycloneDX');
  expect(names[0]).toBe('fastify');
  expect(names).toEqual(expect.arrayContaining(['cron-parser', 'drizzle-orm', 'luxon']));
  expect(names).not.toContain('pg');
  expect(bill.components.find(({ name }) => name === 'zod')).toMatchObject({
    purl: expect.stringMatching(/^pkg:npm\/zod@4\./),
    licenses: [{ expression: 'MIT' }],
  });
  expect(completeBill(bill, builtIn).components).toEqual(bill.components);
});
