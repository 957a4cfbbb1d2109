import { describe, expect, test } from 'vitest';
import { LOOP_WORK, LoopRecorder, type LoopWork } from '../../src/lib/loop-recorder.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

/** A recorder on a clock that work moves on. */
function recorded() {
  let now = 1000;
  const recorder = new LoopRecorder(() => now);
  const pass = (ms: number) => {
    now += ms;
  };
  const of = (work: LoopWork) => recorder.figures().find((one) => one.work === work);
  return { recorder, pass, of };
}

describe('the recorder of the loop', () => {
  test('says of each kind of work how long it took in all and at the longest', () => {
    const { recorder, pass, of } = recorded();
    for (const ms of [2, 7, 1]) recorder.hold('list', () => pass(ms));
    recorder.note('gc-major', 12);
    expect(of('list')).toEqual({ work: 'list', totalMs: 10, longestMs: 7 });
    expect(of('gc-major')).toEqual({ work: 'gc-major', totalMs: 12, longestMs: 12 });
    expect(of('frame')).toEqual({ work: 'frame', totalMs: 0, longestMs: 0 });
  });

  test('work within other work counts for itself alone, at any depth', () => {
    const { recorder, pass, of } = recorded();
    recorder.hold('frame', () => {
      pass(1);
      recorder.hold('call-event', () => {
        pass(2);
        recorder.hold('reply-start', () => pass(4));
        recorder.hold('reply-start', () => pass(8));
      });
      pass(16);
    });
    expect(of('frame')?.totalMs).toBe(17);
    expect(of('call-event')?.totalMs).toBe(2);
    expect(of('reply-start')).toEqual({ work: 'reply-start', totalMs: 12, longestMs: 8 });
  });

  test('what throws is noted, and what is around it as well', () => {
    const { recorder, pass, of } = recorded();
    const fails = () =>
      recorder.hold('list', () => {
        pass(3);
        throw new Error('no');
      });
    recorder.hold('frame', () => {
      expect(fails).toThrow('no');
      pass(1);
    });
    expect([of('list')?.totalMs, of('frame')?.totalMs]).toEqual([3, 1]);
  });

  test('deeper work than it can tell apart counts with its surroundings', () => {
    const { recorder, pass, of } = recorded();
    for (let depth = 0; depth < 20; depth++) recorder.begin();
    pass(5);
    for (let depth = 0; depth < 20; depth++) recorder.end(depth < 19 ? 'list' : 'frame');
    expect(of('list')?.totalMs).toBe(5);
    recorder.hold('body', () => pass(2));
    expect(of('body')?.totalMs).toBe(2);
  });

  test('the longest is forgotten after half a minute to a minute, the total never', () => {
    const { recorder, pass, of } = recorded();
    recorder.hold('list', () => pass(50));
    pass(29_000);
    recorder.hold('list', () => pass(5));
    pass(1000);
    recorder.hold('list', () => pass(6));
    expect(of('list')?.longestMs).toBe(50);
    pass(30_000);
    expect(of('list')?.longestMs).toBe(6);
    pass(60_000);
    expect(of('list')).toEqual({ work: 'list', totalMs: 61, longestMs: 0 });
  });

  test('a scrape has a row for each kind, and no others', async () => {
    const { recorder, pass } = recorded();
    recorder.hold('list', () => pass(50));
    const metrics = createMetrics(() => 0, recorder);
    await metrics.expose();
    const { body } = await metrics.expose();
    metrics.close();
    expect(body).toContain('# TYPE parley_loop_seconds_total counter');
    expect(body).toContain('parley_loop_longest_seconds{work="list"} 0.05');
    expect(body).toContain('parley_loop_seconds_total{work="list"} 0.05');
    expect(body.match(/^parley_loop_longest_seconds\{/gm)).toHaveLength(LOOP_WORK.length);
  });
});
