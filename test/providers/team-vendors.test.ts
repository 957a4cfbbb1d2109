import { expect, test } from 'vitest';
import { systemClock } from '../../src/lib/system-clock.ts';
import type { AssistantVendors } from '../../src/providers/assistant-vendors.ts';
import { TurnQueue } from '../../src/providers/decorators/turn-queue.ts';
import { createProviders } from '../../src/providers/registry.ts';
import { TeamVendorSets } from '../../src/providers/team-vendors.ts';
import type { VendorSet } from '../../src/providers/vendor-set.ts';
import { startChatEmulator } from '../support/chat-completions-emulator.ts';
import { collect } from '../support/collect.ts';
import { ManualClock } from '../support/manual-clock.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const CHOICE = { provider: 'openai', model: 'gpt-test', url: '' };
const ASSISTANT: AssistantVendors = {
  ...{ assistantProvider: 'openai', assistantModel: 'gpt-test', assistantLLMUrl: '' },
  config: { speech: { stt: { vendor: 'offline' }, ttsData: [] } },
};

const ofTeam = (apiKey: string, baseUrl: string, version = apiKey) => ({
  version,
  accesses: { OPENAI: { apiKey, baseUrl } },
});

test('a team’s requests carry its own key, those of others the service’s', async () => {
  await using emulator = await startChatEmulator();
  const { baseUrl } = emulator;
  const providers = createProviders({
    vendors: { OPENAI: { apiKey: 'key-of-the-service', baseUrl } },
    ...{ allowPrivateTargets: true, clock: systemClock, log: silent },
  });
  const keyOf = async (team: string | undefined) => {
    emulator.script({ deltas: ['Hello.'] });
    const { signal } = new AbortController();
    const messages = [{ role: 'user', content: 'Hi' }] as const;
    await collect(providers.llm(CHOICE, team).stream({ messages, signal }));
    return emulator.requests.at(-1)?.headers.authorization;
  };
  providers.setTeams(new Map([['own', ofTeam('key-of-the-team', baseUrl)]]));
  expect(await keyOf('own')).toBe('Bearer key-of-the-team');
  expect(await keyOf('other')).toBe('Bearer key-of-the-service');
  expect(await keyOf(undefined)).toBe('Bearer key-of-the-service');
  providers.setTeams(new Map([['own', ofTeam('new-key', baseUrl)]]));
  expect(await keyOf('own')).toBe('Bearer new-key');
  providers.setTeams(new Map());
  expect(await keyOf('own')).toBe('Bearer key-of-the-service');
  await providers.close();
});

test('a vendor without an account of the service can be used by the team that has one', async () => {
  const providers = createProviders({
    ...{ vendors: {}, allowPrivateTargets: false, clock: systemClock, log: silent },
  });
  providers.setTeams(new Map([['own', ofTeam('key', 'https://vendor.example/v1')]]));
  const codes = (team: string) => providers.problemsOf(ASSISTANT, team).map(({ code }) => code);
  expect(codes('own')).toEqual([]);
  expect(codes('other')).toEqual(['no_key']);
  const spoken = (vendor: string): AssistantVendors => ({
    ...ASSISTANT,
    config: { speech: { stt: { vendor }, ttsData: [{ enabled: true, vendor }] } },
  });
  const ofDeepgram = {
    version: '1',
    accesses: { DEEPGRAM: { apiKey: 'key' }, OPENAI: { apiKey: 'k' } },
  };
  providers.setTeams(new Map([['own', ofDeepgram]]));
  expect(providers.problemsOf(spoken('deepgram'), 'own')).toEqual([]);
  expect(providers.problemsOf(spoken('deepgram'), 'other')).toHaveLength(3);
  await providers.close();
});

const unused = (): never => {
  throw new Error('no vendor is asked here');
};
const closing = (close: () => void): VendorSet => ({
  ...{ llm: unused, stt: unused, tts: unused, breaker: unused },
  close,
});

test('each team with accounts keeps its adapters, and so its place in the vendors’ queues', () => {
  const clock = new ManualClock();
  const service = closing(() => undefined);
  const sets = new TeamVendorSets(service, () => closing(() => undefined), clock);
  const teams = Array.from({ length: 1000 }, (_, i) => `team-${i}`);
  sets.set(new Map(teams.map((team) => [team, ofTeam(team, 'https://vendor.example')])));
  const first = teams.map((team) => sets.of(team));
  expect(teams.every((team, i) => sets.of(team) === first[i])).toBe(true);
  expect(clock.nextDueAt()).toBeUndefined();
});

test('adapters of replaced accounts are closed when no call can use them any more', async () => {
  const clock = new ManualClock();
  const closed: string[] = [];
  const create = (name: string) => closing(() => void closed.push(name));
  const sets = new TeamVendorSets(
    create('service'),
    ({ OPENAI }) => create(OPENAI?.apiKey ?? ''),
    clock,
  );
  const known = (key: string) => new Map([['own', ofTeam(key, 'https://vendor.example')]]);
  sets.set(known('first'));
  const first = sets.of('own');
  expect(sets.of('own')).toBe(first);
  sets.set(known('second'));
  expect(sets.of('own')).not.toBe(first);
  await clock.advance(120 * 60_000);
  expect(closed).toEqual([]);
  await clock.advance(6 * 60_000);
  expect(closed).toEqual(['first']);
  sets.set(known('third'));
  sets.close();
  expect(closed).toEqual(['first', 'second']);
});

test('a team holds no more of a vendor’s places than its limit, and leaves the others to the rest', async () => {
  const mostOf = (team: string) => (team === 'small' ? 2 : undefined);
  const queue = new TurnQueue('scripted', { concurrency: 8, maxWaiting: 8, mostOf });
  const { signal } = new AbortController();
  const held: Record<string, number> = { small: 0, big: 0 };
  const releases: (() => void)[] = [];
  const take = (team: string) =>
    void queue.take(team, signal).then((release) => {
      held[team] = (held[team] ?? 0) + 1;
      if (team === 'small') releases.push(release);
    });
  for (let i = 0; i < 6; i++) take('small');
  for (let i = 0; i < 6; i++) take('big');
  await new Promise(setImmediate);
  expect(held).toEqual({ small: 2, big: 6 });
  releases.shift()?.();
  await new Promise(setImmediate);
  expect(held).toEqual({ small: 3, big: 6 });
});
