import { expect, test } from 'vitest';
import { ApiError } from '../../src/client/api-error.ts';
import { fieldFaults } from '../../src/console/field-faults.ts';

const refused = (status: number, body: unknown): ApiError => {
  const text = JSON.stringify(body);
  return new ApiError(new Response(text, { status }), text);
};

test('a message that names several fields becomes one error per field', () => {
  const message = 'name: is required; config.speech.stt.vendor: must be one of offline, deepgram';
  expect(fieldFaults(refused(400, { message }))).toEqual({
    name: 'Is required.',
    'config.speech.stt.vendor': 'Must be one of offline, deepgram.',
  });
});

test('the listed shape too, with two errors of a field joined', () => {
  const errors = [
    { path: 'title', message: 'is required' },
    { path: 'title', message: 'must be text' },
    { path: 'docs.0.payload', message: 'unknown field' },
  ];
  expect(fieldFaults(refused(422, { detail: { message: 'Invalid', errors } }))).toEqual({
    title: 'Is required. Must be text.',
    'docs.0.payload': 'Unknown field.',
  });
});

test('an error without a field belongs to the form; other failures have no field errors', () => {
  expect(fieldFaults(refused(409, { message: 'Tool already exists with the same name' }))).toEqual({
    '': 'Tool already exists with the same name.',
  });
  expect(fieldFaults(refused(500, { message: 'name: broken' }))).toEqual({});
  expect(fieldFaults(new TypeError('offline'))).toEqual({});
});
