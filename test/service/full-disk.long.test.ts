import { execFileSync } from 'node:child_process';
import { appendFile, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseWav } from '../../src/audio/parse-wav.ts';
import { eventually } from '../support/eventually.ts';
import { journalOf } from '../support/failover.ts';
import { dial } from '../support/service-call.ts';
import { SERVICE_KEY, type ServiceProcess } from '../support/service-process.ts';
import { startTestService } from '../support/test-service.ts';

interface Ended {
  readonly status: string;
  readonly startAt: string;
  readonly recording?: {
    readonly incompleteSince?: string;
    readonly durationMs: number;
    readonly bytes: number;
  };
}

const WAV_HEADER_BYTES = 44;

const canMount = (() => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

let disk: string;
let service: ServiceProcess;
beforeEach(async ({ skip }) => {
  if (!canMount) skip('a small file system can be mounted by root on Linux only');
  disk = await mkdtemp(join(tmpdir(), 'parley-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk]);
});
afterEach(async () => {
  if (!canMount) return;
  await service?.stop();
  execFileSync('umount', [disk]);
  await rm(disk, { recursive: true });
});

const others = () => join(disk, 'others');

/** Takes all room that there is, also what has become free since it was filled. */
async function fill(): Promise<void> {
  const { bavail, bsize } = await statfs(disk);
  await appendFile(others(), Buffer.alloc(bavail * bsize)).catch(() => undefined);
}

async function ask(path: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${SERVICE_KEY}` };
  const response = await fetch(service.url + path, { ...init, headers });
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
}

function upload() {
  const body = new FormData();
  body.set('file', new Blob(['We are open from nine to five. '.repeat(3000)]), 'hours.txt');
  return ask('/kb/v1/files', { method: 'POST', body });
}

const readiness = async () => {
  const { status, body } = await ask('/readyz');
  return [status, (JSON.parse(`${body}`) as { status: string }).status];
};
const fullMetric = async () =>
  /^parley_storage_full \d+$/m.exec(`${(await ask('/metrics')).body}`)?.[0];

test('a disk that fills up during a call: the call goes on, its record is honest, and the service says so', async () => {
  service = await startTestService(disk, { LOG_LEVEL: 'fatal' });
  expect(await readiness()).toEqual([200, 'ready']);
  // A reader of files that starts on a busy machine may take longer than it has.
  const uploads = async () => (await upload()).status;
  await expect.poll(uploads).toBe(200);
  const assistant = { name: 'Ada', backgroundSound: 'enable', dtmfInputEnabled: true };
  const call = await dial(service, { assistant });
  const heard = () => call.caller.tracks.speaker.length;
  await expect.poll(heard).toBeGreaterThan(16_000);

  // What the service deletes meanwhile, such as a file that it has read, leaves room for some more of the recording.
  let filledAt = 0;
  await eventually(async () => {
    const now = Date.now();
    await fill();
    filledAt = now;
    expect(await journalOf(service, call)).toContainEqual(
      expect.objectContaining({ type: 'recording.stopped' }),
    );
  });
  await expect.poll(readiness).toEqual([503, 'disk full']);
  expect(await fullMetric()).toBe('parley_storage_full 1');
  const refused = await upload();
  expect(refused.status).toBe(507);
  expect(JSON.parse(`${refused.body}`)).toMatchObject({
    detail: 'The disk of the service is full',
  });

  // Two more seconds of audio, and a turn.
  const since = heard();
  await expect.poll(heard).toBeGreaterThan(since + 32_000);
  const said = call.said.length;
  call.caller.dtmf('1');
  call.caller.dtmf('#');
  await expect.poll(() => call.said.length).toBeGreaterThan(said + 1);
  expect(call.errors).toEqual([]);
  call.caller.hangup();
  const path = `/calls/v1/conversations/${call.id}`;
  await expect.poll(async () => (await service.json<Ended>(path)).status).toBe('finished');

  const { recording, startAt } = await service.json<Ended>(path);
  const stoppedAt = Date.parse(recording?.incompleteSince ?? '');
  expect(stoppedAt).toBeGreaterThan(Date.parse(startAt));
  // The recorder writes once a second; audio that it still held when the disk became full is lost.
  expect(stoppedAt).toBeLessThan(filledAt + 2000);
  const wav = await ask(`${path}/recording`);
  expect(wav.status).toBe(200);
  expect(wav.body.length).toBe(recording?.bytes);
  expect(wav.body.readUInt32LE(40)).toBe(wav.body.length - WAV_HEADER_BYTES);
  const { channels, sampleRateHz } = parseWav(wav.body);
  const wavMs = ((channels[0]?.length ?? 0) * 1000) / sampleRateHz;
  expect(Math.abs(wavMs - (recording?.durationMs ?? 0))).toBeLessThan(1);

  await rm(others());
  await expect.poll(readiness).toEqual([200, 'ready']);
  expect(await fullMetric()).toBe('parley_storage_full 0');
  await expect.poll(uploads).toBe(200);
});
