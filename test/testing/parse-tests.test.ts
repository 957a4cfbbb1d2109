import { describe, expect, test } from 'vitest';
import { MAX_TESTS_CHARS } from '../../src/contract/assistant-test.ts';
import { parseTests } from '../../src/testing/parse-tests.ts';

const faultsOf = (source: string) => {
  const parsed = parseTests(source);
  return parsed.ok
    ? []
    : parsed.faults.map(({ line, field, message }) => `${line} ${field}: ${message}`);
};

describe('a file of tests', () => {
  test('gives each test what all share, its own first', () => {
    const parsed = parseTests(`
variables: { city: Rome, name: Ada }
tools: { look: [{ result: 1 }], book: server }
tests:
  - name: one
    variables: { city: Oslo }
    tools: { look: [{ error: down }] }
    turns: [{ say: Hello }]
`);
    expect(parsed).toMatchObject({
      ok: true,
      tests: [
        {
          name: 'one',
          variables: { city: 'Oslo', name: 'Ada' },
          tools: { look: [{ error: 'down', afterMs: 0 }], book: 'server' },
          turns: [{ say: 'Hello', expect: [] }],
          maxSeconds: 600,
        },
      ],
    });
  });

  test('may be JSON', () => {
    const source = JSON.stringify({ tests: [{ name: 'a', turns: [{ say: 'b' }] }] });
    expect(parseTests(source).ok).toBe(true);
  });

  test('names line and field of every fault', () => {
    expect(
      faultsOf(`tests:
  - name: a
    turns:
      - say: hi
        expects: []
      - {}
  - name: a
    persona: { goal: x, maxTurn: 3 }
    expect:
      - contains: 3
      - contains: x
        never: y
`),
    ).toEqual([
      '5 tests.0.turns.0.expects: unknown field',
      '6 tests.0.turns.1: must have exactly one of say, press, waitSeconds, hangUp, backchannel',
      '8 tests.1.persona.maxTurn: unknown field',
      '10 tests.1.expect.0.contains: must be a text, or a list of 1 to 20 texts',
      expect.stringMatching(/^11 tests\.1\.expect\.1: must have exactly one of contains, /),
    ]);
  });

  test.each([
    [
      'two tests of one name',
      'tests: [{name: a, turns: [{say: b}]}, {name: a, turns: [{say: b}]}]',
      '1 tests.1.name: is the name of another test',
    ],
    [
      'a pattern that is none',
      'tests:\n- name: a\n  turns:\n  - say: b\n    expect: [{matches: "("}]',
      '5 tests.0.turns.0.expect.0.matches: is no regular expression',
    ],
    [
      'a look-ahead, which takes any time',
      'tests: [{name: a, turns: [{say: b}], expect: [{matches: "(?=a)"}]}]',
      '1 tests.0.expect.0.matches: is no regular expression',
    ],
    [
      'an answer of a tool that the call carries out itself',
      'tests:\n- name: a\n  turns: [{say: b}]\n  tools:\n    look: [{result: 1}]\n    endCall: [{result: 1}]',
      '6 tests.0.tools.endCall: is carried out by the call itself and takes no answer',
    ],
    ['a text that is no YAML', 'tests:\n  - name: a\n   turns: [', '3 : '],
    ['nothing', '', '1 : must be an object'],
    ['no tests', 'tests: []', '1 tests: must have at least 1 item'],
    ['a text that is too long', 'x'.repeat(MAX_TESTS_CHARS + 1), '1 : must have at most'],
  ])('refuses %s', (_, source, fault) => {
    expect(faultsOf(source)[0]).toContain(fault);
  });

  test('refuses aliases that multiply', () => {
    const levels = Array.from(
      { length: 12 },
      (_, n) => `l${n + 1}: &l${n + 1} [*l${n}, *l${n}, *l${n}]`,
    );
    expect(faultsOf(['l0: &l0 [x]', ...levels].join('\n'))[0]).toMatch(/alias/i);
  });

  test('refuses what is nested too deeply, and does not fall over', () => {
    expect(faultsOf('['.repeat(100_000)).length).toBeGreaterThan(0);
  });
});
