/** The TwiML verbs that the emulator runs. */
export type TwimlVerb =
  | {
      readonly verb: 'connect-stream';
      readonly url: string;
      readonly parameters: Readonly<Record<string, string>>;
    }
  | { readonly verb: 'redirect'; readonly url: string }
  | { readonly verb: 'reject'; readonly reason: string }
  | { readonly verb: 'hangup' };

const MAX_CHARS = 64 * 1024;
const TAG = /<(\/?)([A-Za-z]+)((?:\s+[A-Za-z]+="[^"<]*")*)\s*(\/?)>|([^<]+)|(<)/g;

/** Parses a document. A parse failure is Twilio's error 12100; unknown verbs are skipped, as Twilio does. */
export function parseTwiml(text: string): readonly TwimlVerb[] | '12100' {
  const body = text.replace(/^<\?xml[^>]*\?>\s*/, '').trim();
  if (text.length > MAX_CHARS || !/^<Response(\s[^>]*)?(\/>|>)/.test(body)) return '12100';
  const open: string[] = [];
  const verbs: TwimlVerb[] = [];
  let stream: { url: string; parameters: Record<string, string> } | undefined;
  for (const [, closing, name = '', attributes = '', selfClosing, content, stray] of body.matchAll(
    TAG,
  )) {
    if (stray) return '12100';
    if (content !== undefined) {
      if (open.at(-1) === 'Redirect')
        verbs.push({ verb: 'redirect', url: unescaped(content.trim()) });
      continue;
    }
    if (closing) {
      if (open.pop() !== name) return '12100';
      if (name === 'Stream' && stream) verbs.push({ verb: 'connect-stream', ...stream });
      continue;
    }
    const fields = attributesOf(attributes);
    if (name === 'Stream' && open.at(-1) === 'Connect') {
      stream = { url: fields.url ?? '', parameters: {} };
      if (selfClosing) verbs.push({ verb: 'connect-stream', ...stream });
    } else if (name === 'Parameter' && stream) {
      stream.parameters[fields.name ?? ''] = fields.value ?? '';
    } else if (name === 'Reject') {
      verbs.push({ verb: 'reject', reason: fields.reason ?? 'rejected' });
    } else if (name === 'Hangup') {
      verbs.push({ verb: 'hangup' });
    }
    if (!selfClosing) open.push(name);
  }
  return open.length === 0 ? verbs : '12100';
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/(?<![A-Za-z])([A-Za-z]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      unescaped(value),
    ]),
  );
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}
