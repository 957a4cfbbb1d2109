import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { Lab, type LabOptions } from './lab.ts';
import { Service } from './service.ts';

const run = promisify(execFile);

/** One question and its answer over a line of this kind. */
async function conversation(lab: Lab, number: object): Promise<void> {
  await using service = await Service.start(lab, { number });
  const before = await service.calls();
  await lab.call('ask');
  const { id } = await service.arrival(before);
  const call = await service.ended(id, 60_000);
  const asked = call.messages.filter(({ role }) => role === 'user').map(({ text }) => text);
  expect(asked.join(' ')).toMatch(/your country/i);
  expect(call.messages.filter(({ role }) => role === 'assistant').length).toBeGreaterThan(1);
}

test.each([
  ['µ-law', 'ulaw', 'ulaw'],
  ['A-law', 'alaw', 'alaw'],
  ['G.722, heard at 16 kHz', 'g722', 'slin16'],
  ['Opus, heard at 16 kHz', 'opus', 'slin16'],
  ['A-law on the trunk, µ-law to the service', 'alaw', 'ulaw'],
])('%s', async (_what, trunkCodecs, mediaFormat) => {
  await using lab = await Lab.start({ trunkCodecs });
  await conversation(lab, { mediaFormat });
});

let certificate: { readonly key: string; readonly cert: string };
beforeAll(async () => {
  const dir = await mkdtemp(join(tmpdir(), 'parley-tls-'));
  const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  await run('openssl', ['req', ...kind, '-keyout', key, '-out', cert, ...names]);
  certificate = { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
  await rm(dir, { recursive: true });
});

test('wss: the sound goes over TLS, whose certificate Asterisk checks', async () => {
  const base = Number(process.env.ASTERISK_LAB_PORT ?? 21_000);
  let connections = 0;
  const proxy = createServer({ ...certificate }, (socket) => {
    connections++;
    const onward = connect(base, '127.0.0.1');
    socket.pipe(onward).pipe(socket);
    for (const one of [socket, onward]) one.on('error', () => one.destroy());
  }).listen(base + 2);
  await once(proxy, 'listening');
  const options: LabOptions = {
    mediaUrl: `wss://localhost:${base + 2}/media/asterisk`,
    certificateAuthority: certificate.cert,
  };
  try {
    await using lab = await Lab.start(options);
    await conversation(lab, {});
    expect(connections).toBeGreaterThan(0);
  } finally {
    proxy.close();
  }
});

test('where Asterisk cannot reach the service with the sound, the call ends soon and says why', async () => {
  await using lab = await Lab.start({ mediaUrl: 'ws://127.0.0.1:9/media/asterisk' });
  await using service = await Service.start(lab);
  const before = await service.calls();
  await lab.call('stay');
  const { id } = await service.arrival(before);
  expect(await service.ended(id, 15_000)).toMatchObject({ endReason: 'no-media' });
});
