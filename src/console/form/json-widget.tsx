import { useState } from 'preact/hooks';
import { TextArea } from '../ui/text-area.tsx';
import type { WidgetProps } from './form-scope.ts';
import { isSame } from './value-path.ts';

/** Editor for an object as JSON text; text that does not parse is kept and its error shown. */
export function JsonWidget({ id, text, value, onChange, help, error }: WidgetProps) {
  const [written, setWritten] = useState(() => jsonText(value));
  const parsed = parseObject(written);
  const shown =
    parsed.fault !== undefined || isSame(parsed.value, value ?? {}) ? written : jsonText(value);
  return (
    <TextArea
      id={id}
      label={text.label}
      help={help}
      error={parsed.fault ?? error}
      code
      value={shown}
      onChange={(next) => {
        setWritten(next);
        const read = parseObject(next);
        if (read.fault === undefined) onChange(read.value);
      }}
    />
  );
}

/** Parses an object; an empty text means an empty object. */
export function parseObject(
  text: string,
):
  | { readonly value: object; readonly fault?: undefined }
  | { readonly fault: string; readonly value?: undefined } {
  if (text.trim() === '') return { value: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value };
    return { fault: 'Must be a JSON object: begin with { and end with }.' };
  } catch (error) {
    // Still incomplete JSON: show the parser's message.
    return {
      fault: `Invalid JSON: ${error instanceof Error ? error.message : 'unexpected end'}. The last valid value is kept.`,
    };
  }
}

export function jsonText(value: unknown): string {
  return value === undefined || isSame(value, {}) ? '' : JSON.stringify(value, null, 2);
}
