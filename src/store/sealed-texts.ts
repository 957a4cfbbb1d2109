import type { Db } from './db.ts';
import { contentOpener } from './sealed-content.ts';

/** Where the words of a text message stand. */
export const textPlace = (id: string) => ({ table: 'texts', owner: id, part: 'text' });

/** Opens text messages. */
export async function openedTexts<Text extends { readonly id: string; readonly text: string }>(
  db: Db,
  rows: readonly Text[],
): Promise<Text[]> {
  const open = await contentOpener(
    db,
    rows.map(({ text }) => text),
  );
  return rows.map((row) => ({ ...row, text: open.text(row.text, textPlace(row.id)) }));
}
