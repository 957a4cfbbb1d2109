/** A line of a call's log, as far as it matters here. */
interface LogLine {
  readonly kind: string;
  readonly type: string;
  readonly data: { readonly text?: unknown };
}

/** What was still to be said of a reply that was cut, as far as it had been given to the voice. */
export function unheardRest(log: string, heard: string): string | undefined {
  const texts = log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LogLine)
    .filter(({ kind, type }) => kind === 'command' && type === 'tts.start')
    .map(({ data }) => String(data.text));
  // The latest words that begin as what was heard does.
  for (let first = texts.length - 1; first >= 0; first--) {
    const said = texts.slice(first).join(' ');
    if (said.startsWith(heard)) return said.slice(heard.length).trim() || undefined;
  }
  return undefined;
}
