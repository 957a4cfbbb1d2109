import { E164Schema } from '../../contract/atoms.ts';
import type { Contract } from '../../contract/contract.ts';
import { MAX_IMPORTED_NUMBERS } from '../../contract/do-not-call.ts';
import { invalid, missing } from '../../contract/errors.ts';
import {
  addDoNotCall,
  type DoNotCallEntry,
  importDoNotCall,
  listDoNotCall,
  removeDoNotCall,
} from '../../store/do-not-call.ts';
import type { ApiDeps } from '../deps.ts';
import { servePages } from '../list-route.ts';
import { type Routing, serve } from '../route.ts';

const MAX_SHOWN = 100;
const MAX_SHOWN_CHARS = 40;
const MAX_NOTE_CHARS = 500;

/** The numbers that a team does not call. */
export function doNotCallRoutes(
  routing: Routing,
  operations: Contract['doNotCall'],
  { db, now }: Pick<ApiDeps, 'db'> & { readonly now: () => number },
): void {
  servePages(routing, operations.list, {
    read: (params) => listDoNotCall(db, params),
    present,
  });

  serve(routing, operations.add, async ({ teamId, body }) =>
    present(await addDoNotCall(db, { teamId, ...body, source: 'api', now: new Date(now()) })),
  );

  serve(routing, operations.import, async ({ teamId, body }) => {
    const { entries, refused } = readList(body.csv);
    const added = await importDoNotCall(db, { teamId, entries, now: new Date(now()) });
    return { added, known: entries.length - added, refused: refused.slice(0, MAX_SHOWN) };
  });

  serve(routing, operations.remove, async ({ teamId, params }) => {
    const removed = await removeDoNotCall(db, { teamId, ...params });
    if (!removed) throw missing('doNotCall');
    return present(removed);
  });
}

/** A number at the beginning of each line; spaces, brackets and dashes within it do not count. */
function readList(csv: string) {
  const lines = csv.replace(/^\ufeff/, '').split(/\r?\n/);
  if (lines.length > MAX_IMPORTED_NUMBERS + 1)
    throw invalid([{ path: 'csv', message: `must have at most ${MAX_IMPORTED_NUMBERS} lines` }]);
  const notes = new Map<string, string>();
  const refused: { line: number; text: string }[] = [];
  for (const [i, text] of lines.entries()) {
    if (text.trim() === '' || (i === 0 && !/\d/.test(text))) continue;
    const [first = '', ...rest] = text.split(/[,;\t]/);
    const number = first.replaceAll(/["'\s().-]/g, '');
    if (E164Schema.safeParse(number).success)
      notes.set(number, rest.join(', ').replaceAll('"', '').trim().slice(0, MAX_NOTE_CHARS));
    else refused.push({ line: i + 1, text: text.slice(0, MAX_SHOWN_CHARS) });
  }
  return { entries: Array.from(notes, ([number, note]) => ({ number, note })), refused };
}

function present({ number, note, source, callId, createdAt }: DoNotCallEntry) {
  return {
    number,
    note,
    source,
    ...(callId === null ? {} : { callId }),
    createdAt: createdAt.toISOString(),
  };
}
