import { expect, test } from 'vitest';
import { callAsTest } from '../../src/testing/call-as-test.ts';
import { parseTests } from '../../src/testing/parse-tests.ts';
import { withoutCalls } from '../../src/testing/without-calls.ts';

const HEAD = 'tests:\n';
const OWN = `  - name: Own
    # what everybody asks
    turns: [{ say: hello there }]
`;

/** The tests of a call as the product writes them, without what stands above the list. */
const ofCall = (id: string, words: string): string =>
  callAsTest({
    ...{ id, startAt: new Date(0), endReason: 'user-hung-up', lines: [] },
    messages: [
      { role: 'user', text: `said ${words}` },
      { role: 'assistant', text: `answered ${words}` },
    ],
  }).split(HEAD)[1] as string;

const namesOf = (source: string) => {
  const parsed = parseTests(source);
  return parsed.ok ? parsed.tests.map(({ name }) => name) : parsed.faults;
};

test.each([
  ['first', (own: string, call: string) => call + own],
  ['last', (own: string, call: string) => own + call],
  [
    'in the middle',
    (own: string, call: string) => `${own}${call}  - name: Two\n    turns: [{ say: x }]\n`,
  ],
])('a test that was made of a call goes with its words and comments, %s', (_where, join) => {
  const source = HEAD + join(OWN, ofCall('WC-1', 'marzipan'));
  expect(source.match(/marzipan/g)).toHaveLength(3);
  const left = withoutCalls({ source, callIds: ['WC-1', 'WC-9'] });
  expect(left).not.toContain('marzipan');
  expect(left).not.toContain('WC-1');
  expect(left).toContain('# what everybody asks');
  expect(namesOf(left ?? '')).toEqual(namesOf(source).filter((name) => name !== 'said marzipan'));
});

test('tests of other calls stay, and of a text without any other nothing is left', () => {
  const source = HEAD + ofCall('WC-1', 'marzipan') + ofCall('WC-2', 'saffron');
  expect(namesOf(withoutCalls({ source, callIds: ['WC-1'] }) ?? '')).toEqual(['said saffron']);
  expect(withoutCalls({ source, callIds: ['WC-1', 'WC-2'] })).toBeNull();
});

test('a text in JSON stays one', () => {
  const turns = [{ say: 'x' }];
  const tests = [
    { name: 'A', fromCall: 'WC-1', turns },
    { name: 'B', turns },
  ];
  const left = withoutCalls({ source: JSON.stringify({ tests }), callIds: ['WC-1'] });
  expect(JSON.parse(left ?? '')).toEqual({ tests: [{ name: 'B', turns }] });
});
