/** Two of them are those of Word's symbol fonts, which have no letters of their own. */
const BULLET = /^[•◦▪▫‣⁃●○■□➢✓\uf0b7\uf0a7*–—-]\s+(?=\S)/u;
const NUMBER = /^(\d{1,3})[.)]\s+(?=\S)/;

/** The text behind a bullet; undefined if the line has none. */
export function behindBullet(line: string): string | undefined {
  const bullet = BULLET.exec(line);
  return bullet ? line.slice(bullet[0].length) : undefined;
}

/** Tells the lines of a text that begin an item: those with a bullet, or with the number that is next. */
export class ListLines {
  #next = 1;

  /** The text of the item that the line begins, without its bullet but with its number; undefined if it begins none. */
  itemIn(line: string): string | undefined {
    const text = behindBullet(line);
    if (text !== undefined) return text;
    const number = Number(NUMBER.exec(line)?.[1] ?? Number.NaN);
    if (number !== 1 && number !== this.#next) return undefined;
    this.#next = number + 1;
    return line;
  }
}
