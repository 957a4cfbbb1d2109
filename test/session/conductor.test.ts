import { expect, test } from 'vitest';
import type { PartsCommand } from '../../src/session/command-owners.ts';
import { Conductor } from '../../src/session/conductor.ts';
import type { SessionParts } from '../../src/session/session-parts.ts';

/** A conductor of parts that only note what they are asked for. */
function setUp() {
  const did: string[] = [];
  const part = (name: string) =>
    new Proxy(
      {},
      {
        get:
          (_part, method: string) =>
          (...args: unknown[]) => {
            did.push([name, method, ...args.map((arg) => JSON.stringify(arg))].join(' '));
            return { uttId: args[0] };
          },
      },
    );
  const parts = new Proxy({}, { get: (_parts, name: string) => part(name) }) as SessionParts;
  return { conductor: new Conductor(parts), did };
}

test.each<[PartsCommand, string]>([
  [{ type: 'llm.cancel', genId: 3 }, 'responder cancel 3'],
  [{ type: 'llm.adopt', genId: 3 }, 'responder adopt 3'],
  [{ type: 'stt.voice', voiced: true }, 'listener voice true'],
  [{ type: 'stt.flush' }, 'listener flush'],
  [{ type: 'tts.cancel', uttId: 2, stalled: true }, 'voice cancel 2 true'],
  [{ type: 'play.hold' }, 'playout hold'],
  [{ type: 'play.release' }, 'playout release'],
  [{ type: 'play.clear' }, 'playout clear'],
  [{ type: 'play.volume', gainDb: 6 }, 'volume set 6'],
  [{ type: 'tool.cancel', toolCallId: 't1' }, 'tools cancel "t1"'],
])('%j is for one part: %s', (command, asked) => {
  const { conductor, did } = setUp();
  conductor.carryOut(command);
  expect(did).toEqual([asked]);
});

test('an utterance is played once, and not at all once it is cancelled', () => {
  const { conductor, did } = setUp();
  conductor.carryOut({ type: 'tts.start', uttId: 1, text: 'One.', cache: false });
  conductor.carryOut({ type: 'tts.start', uttId: 2, text: 'Two.', cache: false });
  conductor.carryOut({ type: 'tts.cancel', uttId: 2, stalled: false });
  for (const uttId of [1, 1, 2]) conductor.carryOut({ type: 'play.start', uttId });
  expect(did.filter((what) => what.startsWith('playout'))).toEqual(['playout start {"uttId":1}']);
});

test('closed, it plays no utterance for which the voice was asked before', () => {
  const { conductor, did } = setUp();
  conductor.carryOut({ type: 'tts.start', uttId: 1, text: 'One.', cache: false });
  conductor.close();
  conductor.carryOut({ type: 'play.start', uttId: 1 });
  expect(did.some((what) => what.startsWith('playout start'))).toBe(false);
});

test('each part is closed once', () => {
  const { conductor, did } = setUp();
  expect(conductor.isClosed).toBe(false);
  conductor.close();
  conductor.close();
  expect(conductor.isClosed).toBe(true);
  const names = ['backchannels', 'listener', 'playout', 'predictor', 'responder', 'sounds'];
  expect(did.toSorted()).toEqual([...names, 'tools', 'voice'].map((name) => `${name} close`));
});
