import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SERVICE_KEY, ServiceProcess } from '../support/service-process.ts';

let folder: string;
let service: ServiceProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-training-'));
});

afterEach(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

const BASES = '/kb/v1/knowledge-bases';

async function upload(to: ServiceProcess, name: string, content: string): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([content]), name);
  const response = await fetch(`${to.url}/kb/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SERVICE_KEY}` },
    body: form,
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { id: string }).id;
}

test('killed in the middle of a training: it is trained after the restart, and answered meanwhile', async () => {
  service = await ServiceProcess.start(folder);
  const running = () => service as ServiceProcess;
  const statusOf = async (id: string) =>
    (await running().json<{ status: string }>(`${BASES}/${id}/status`)).status;
  const found = async (id: string, query: string) => {
    const body = { query };
    const { results } = await running().json<{ results: { text: string }[] }>(
      `${BASES}/${id}/search`,
      { method: 'POST', body },
    );
    return results[0]?.text;
  };
  const small = await upload(service, 'hours.txt', 'The museum opens at nine.');
  const { id } = await service.json<{ id: string }>(BASES, {
    method: 'POST',
    body: { title: 'Museum', files: [{ id: small }] },
  });
  await expect.poll(() => statusOf(id)).toBe('trained');

  const sections = Array.from(
    { length: 6000 },
    (_, i) => `# Exhibit ${i}\n\nExhibit ${i} shows a zebra of the ${i}th kind, from drawer ${i}.`,
  );
  const large = await upload(service, 'exhibits.md', sections.join('\n\n'));
  await service.json(`${BASES}/${id}`, {
    method: 'PUT',
    body: { title: 'Museum', files: [{ id: small }, { id: large }] },
  });
  await expect.poll(() => statusOf(id), { interval: 20 }).toBe('training');
  expect(await found(id, 'when does the museum open')).toBe('The museum opens at nine.');
  await service.kill();

  service = await ServiceProcess.start(folder);
  expect(await found(id, 'when does the museum open')).toBe('The museum opens at nine.');
  await expect.poll(() => statusOf(id), { timeout: 90_000, interval: 200 }).toBe('trained');
  expect(await found(id, 'exhibit 4711')).toContain('drawer 4711');
}, 180_000);
