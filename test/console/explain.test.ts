import { expect, test } from 'vitest';
import { ApiError } from '../../src/client/api-error.ts';
import { explainEnd, explainError } from '../../src/console/talk/explain.ts';

const refused = (status: number, message: string): ApiError => {
  const text = JSON.stringify({ message });
  return new ApiError(new Response(text, { status }), text);
};
const named = (name: string, message = ''): Error => Object.assign(new Error(message), { name });

test.each<readonly [error: unknown, title: string, text: RegExp]>([
  [named('NotAllowedError'), 'The microphone is blocked', /^Allow the microphone/],
  [named('NotFoundError'), 'No microphone found', /^Connect a microphone/],
  [named('NotReadableError'), 'The microphone is in use', /^Another program uses it/],
  [new TypeError('fetch failed'), 'The service does not answer', /npm start/],
  [named('TimeoutError'), 'The service does not answer', /npm start/],
  [refused(429, 'Too many calls'), 'All lines are busy', /^The service said: Too many calls\. /],
  [refused(503, 'Draining'), 'The service takes no calls now', /starting or stopping/],
  [refused(404, 'Assistant not found'), 'The service refused', /^Assistant not found$/],
  [new Error('The device is gone.'), 'The call could not be started', /^The device is gone\.$/],
  ['odd', 'The call could not be started', /^odd$/],
])('why a call could not begin is said with what can be done: %s', (error, title, text) => {
  const explained = explainError(error);
  expect(explained.title).toBe(title);
  expect(explained.text).toMatch(text);
});

test('a call that ended by itself needs no explanation, one that broke does', () => {
  expect(explainEnd({ reason: 'ended' })).toBeUndefined();
  expect(explainEnd({ reason: 'connection-lost' })?.text).toMatch(
    /^The call ended after 15 seconds/,
  );
  expect(explainEnd({ reason: 'not-answered' })?.text).toMatch(/proxy/);
  const error = { code: 'internal', message: 'the service stops' };
  expect(explainEnd({ reason: 'error', error })).toEqual({
    title: 'The call was interrupted',
    text: 'The service stops.',
  });
  expect(explainEnd({ reason: 'error', error: { ...error, message: 'It stops.' } })?.text).toBe(
    'It stops.',
  );
});
