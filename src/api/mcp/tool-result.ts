/** What a tool's call comes to, as the protocol has it. */
export interface ToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly isError?: true;
}

/** Longest text of one result: models read it whole. */
export const MAX_RESULT_CHARS = 60_000;

interface Answered {
  readonly status: number;
  /** The `Link` header. */
  readonly link: string | undefined;
  readonly text: string;
  readonly skip: number;
}

const texts = (...parts: readonly string[]) =>
  parts.filter((part) => part !== '').map((text) => ({ type: 'text', text }) as const);

/** A result that tells what is wrong. */
export const failed = (sentence: string): ToolResult => ({
  content: texts(sentence),
  isError: true,
});

/** The answer of an operation as the result of a tool: an error is the sentence of the API. */
export function toolResult({ status, link, text, skip }: Answered): ToolResult {
  if (status >= 400) return failed(sentenceOf(text) ?? `The answer has the status ${status}`);
  const end = skip + MAX_RESULT_CHARS;
  const [, cursor] = /[?&]cursor=([^&>]+)[^>]*>; *rel="next"/.exec(link ?? '') ?? [];
  return {
    content: texts(
      text.slice(skip, end),
      text.length > end
        ? `Cut: the answer has ${text.length} characters. Call again with skip ${end}, or ask for less.`
        : '',
      cursor === undefined
        ? ''
        : `There are more. Call again with cursor ${decodeURIComponent(cursor)}`,
    ),
  };
}

interface ErrorBody {
  readonly message?: string;
  readonly error?: string;
  readonly detail?: string | (ErrorBody & { readonly errors?: readonly unknown[] });
}

function sentenceOf(text: string): string | undefined {
  try {
    return sentenceIn(JSON.parse(text) as ErrorBody);
  } catch {
    return undefined;
  }
}

function sentenceIn({ message, error, detail }: ErrorBody): string | undefined {
  if (typeof detail === 'string') return detail;
  if (detail) return sentenceIn(detail);
  return error === undefined || message === undefined ? message : `${message} (${error})`;
}
