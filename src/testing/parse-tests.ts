import { RE2JS } from 're2js';
import { type Document, isMap, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import {
  type AssistantTest,
  MAX_TESTS_CHARS,
  TestFileSchema,
  testsOf,
} from '../contract/assistant-test.ts';
import { validate } from '../contract/validation.ts';

/** A problem of a file of tests. */
export interface TestFault {
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** Dotted path; empty for the whole file. */
  readonly field: string;
  readonly message: string;
}

export type ParsedTests =
  | { readonly ok: true; readonly tests: readonly AssistantTest[] }
  | { readonly ok: false; readonly faults: readonly TestFault[] };

const MAX_ALIASES = 100;
const MAX_FAULTS = 50;
const START = { line: 1, column: 1 };

const refused = (faults: readonly TestFault[]): ParsedTests => ({
  ok: false,
  faults: faults.slice(0, MAX_FAULTS),
});

/** Reads a file of tests, YAML 1.2 or JSON. Pure; takes some milliseconds for each 10,000 characters. */
export function parseTests(source: string): ParsedTests {
  if (source.length > MAX_TESTS_CHARS) {
    const message = `must have at most ${MAX_TESTS_CHARS} characters`;
    return refused([{ ...START, field: '', message }]);
  }
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  if (document.errors.length > 0) {
    return refused(
      document.errors.map(({ pos, message }) => ({ ...place(pos[0]), field: '', message })),
    );
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    return refused([{ ...START, field: '', message: (error as Error).message }]);
  }
  const checked = validate(TestFileSchema, value);
  if (!checked.ok) {
    return refused(
      checked.faults.map(({ path, message }) => ({
        ...place(offsetOf(document, path)),
        field: path,
        message,
      })),
    );
  }
  const patterns = faultyPatterns(value, []).map(({ path, message }) => ({
    ...place(offsetOf(document, path)),
    field: path,
    message,
  }));
  return patterns.length > 0 ? refused(patterns) : { ok: true, tests: testsOf(checked.value) };
}

const PATTERN_FIELDS = ['matches', 'neverMatches', 'heard', 'result'];

/** The texts that stand where a pattern is expected and cannot be compiled. */
function faultyPatterns(
  value: unknown,
  path: readonly string[],
): { readonly path: string; readonly message: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...path, key];
    // What tools answer may have fields of any name.
    if (key === 'tools' || key === 'arguments' || key === 'variables') return [];
    if (typeof inner !== 'string' || !PATTERN_FIELDS.includes(key))
      return faultyPatterns(inner, at);
    try {
      RE2JS.compile(inner);
      return [];
    } catch (error) {
      const message = `is no regular expression: ${(error as Error).message}`;
      return [{ path: at.join('.'), message }];
    }
  });
}

/** Where a field stands, or the nearest thing around it that is there. */
function offsetOf(document: Document, path: string): number {
  const keys = path === '' ? [] : path.split('.');
  for (let length = keys.length; length > 0; length--) {
    const parent = document.getIn(keys.slice(0, length - 1), true) ?? document.contents;
    const key = keys[length - 1];
    if (isMap(parent)) {
      const pair = parent.items.find(
        ({ key: name }) => isScalar(name) && String(name.value) === key,
      );
      const at = (pair?.key as Node | undefined)?.range?.[0];
      if (at !== undefined) return at;
    }
    const node = document.getIn(keys.slice(0, length), true) as Node | undefined;
    if (node?.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}
